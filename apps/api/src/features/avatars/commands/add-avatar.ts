import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addAvatar, aggregate, avatarsDecider, type Authority, type AvatarDetails } from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
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
