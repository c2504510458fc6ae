import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, avatarsDecider, retireAvatar, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

/** It is not offered any more; who wears it goes on wearing it. */
export class RetireAvatar extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly avatarId: string,
  ) {
    super();
  }
}

@CommandHandler(RetireAvatar)
export class RetireAvatarHandler implements ICommandHandler<RetireAvatar> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, avatarId }: RetireAvatar): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => retireAvatar({ by: context.by, avatarId }, state),
      visibleIn: ['avatars', ...ACT_VISIBLE_IN],
    });
  }
}
