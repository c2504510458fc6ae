import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AVATARS_STREAM, evolveAvatars, initialAvatars, restoreAvatar, type Authority } from '@nimo/domain';
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
      streams: [AVATARS_STREAM],
      decide: (streams) => ({
        streamId: AVATARS_STREAM,
        events: restoreAvatar(
          { by: context.by, avatarId },
          streams.state(AVATARS_STREAM, initialAvatars, evolveAvatars),
        ),
      }),
      visibleIn: ['avatars', ...ACT_VISIBLE_IN],
    });
  }
}
