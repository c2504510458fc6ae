import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  changeSpace,
  spaceDecider,
  type Authority,
  type ChangeSpace as Change,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

export class ChangeSpace extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly change: Omit<Change, 'by'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeSpace)
export class ChangeSpaceHandler implements ICommandHandler<ChangeSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, change }: ChangeSpace): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => changeSpace({ by: context.by, ...change }, state),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}
