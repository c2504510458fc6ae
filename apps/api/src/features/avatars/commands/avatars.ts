import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  addAvatar,
  aggregate,
  type Authority,
  type AvatarDetails,
  avatarsDecider,
  changeAvatar,
  type ChangeAvatar as Change,
  restoreAvatar,
  retireAvatar,
} from '@nimo/domain';
import { type CommandContext, createdId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

/** Answers with the avatar's id. */
export class AddAvatar extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly details: AvatarDetails,
  ) {
    super();
  }
}

@CommandHandler(AddAvatar)
export class AddAvatarHandler implements ICommandHandler<AddAvatar> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, details }: AddAvatar): Promise<string> {
    const avatarId = createdId(context, 'avatar');
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => addAvatar({ by: context.by, avatarId, ...details }, state),
      visibleIn: ['avatars', ...ACT_VISIBLE_IN],
    });
    return avatarId;
  }
}

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
