import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, createSpace, spaceDecider, type Authority, type SpaceDetails } from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

/** Answers with the space's id. */
export class CreateSpace extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly details: SpaceDetails,
  ) {
    super();
  }
}

@CommandHandler(CreateSpace)
export class CreateSpaceHandler implements ICommandHandler<CreateSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, details }: CreateSpace): Promise<string> {
    const spaceId = createdId(context, 'space');
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => createSpace({ by: context.by, spaceId, ...details }, state),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
    return spaceId;
  }
}
