import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, avatarsDecider, restoreAvatar, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

/** It is offered again. */
export class RestoreAvatar extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly avatarId: string,
  ) {
    super();
  }
}

@CommandHandler(RestoreAvatar)
export class RestoreAvatarHandler implements ICommandHandler<RestoreAvatar> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, avatarId }: RestoreAvatar): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => restoreAvatar({ by: context.by, avatarId }, state),
      visibleIn: ['avatars', ...ACT_VISIBLE_IN],
    });
  }
}
