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

const OFFERS = { retire: retireAvatar, restore: restoreAvatar };

/** Takes an avatar out of those to pick from, or back in; whoever wears it goes on wearing it. */
export class OfferAvatar extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly avatarId: string,
    readonly offer: keyof typeof OFFERS,
  ) {
    super();
  }
}

@CommandHandler(OfferAvatar)
export class OfferAvatarHandler implements ICommandHandler<OfferAvatar> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, avatarId, offer }: OfferAvatar): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(avatarsDecider),
      decide: (state) => OFFERS[offer]({ by: context.by, avatarId }, state),
      visibleIn: ['avatars', ...ACT_VISIBLE_IN],
    });
  }
}
