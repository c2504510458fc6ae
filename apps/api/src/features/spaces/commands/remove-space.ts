import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, removeSpace, spaceDecider, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** A space whose import was given up. */
export class RemoveSpace extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveSpace)
export class RemoveSpaceHandler implements ICommandHandler<RemoveSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: RemoveSpace): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => removeSpace({ by: context.by }, state),
      visibleIn: ['spaces'],
    });
  }
}
