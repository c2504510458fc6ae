import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  createSpace,
  evolveSpace,
  initialSpace,
  spaceStream,
  type Authority,
  type SpaceDetails,
} from '@nimo/domain';
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
    const streamId = spaceStream(spaceId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({
        streamId,
        events: createSpace(
          { by: context.by, spaceId, ...details },
          streams.state(streamId, initialSpace, evolveSpace),
        ),
      }),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
    return spaceId;
  }
}
