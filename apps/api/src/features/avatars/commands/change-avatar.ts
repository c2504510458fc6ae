import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  avatarsDecider,
  changeAvatar,
  type Authority,
  type ChangeAvatar as Change,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

export class ChangeAvatar extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly change: Omit<Change, 'by'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeAvatar)
export class ChangeAvatarHandler implements ICommandHandler<ChangeAvatar> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, change }: ChangeAvatar): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => changeAvatar({ by: context.by, ...change }, state),
      visibleIn: ['avatars', ...ACT_VISIBLE_IN],
    });
  }
}
