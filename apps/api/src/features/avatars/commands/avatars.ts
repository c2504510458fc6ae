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
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

/** Adds an avatar. Returns its id. */
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
    const avatarId = deterministicId(context, 'avatar');
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => addAvatar({ by: context.by, avatarId, ...details }, state),
      visibleIn: ['avatars', ...STAFF_ACTION_PROJECTIONS],
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
      visibleIn: ['avatars', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

const TRANSITIONS = { retire: retireAvatar, restore: restoreAvatar };

/** Retires or restores an avatar. Users who have it keep it. */
export class SetAvatarStatus extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly avatarId: string,
    readonly transition: keyof typeof TRANSITIONS,
  ) {
    super();
  }
}

@CommandHandler(SetAvatarStatus)
export class SetAvatarStatusHandler implements ICommandHandler<SetAvatarStatus> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, avatarId, transition }: SetAvatarStatus): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => TRANSITIONS[transition]({ by: context.by, avatarId }, state),
      visibleIn: ['avatars', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
