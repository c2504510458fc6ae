import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, joinSpace, membershipDecider, spaceDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** Answers whether the student was let in now, and was no member before. */
export class JoinSpace extends Command<boolean> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
    /** A history that happened elsewhere is told again. */
    readonly isInvited = false,
    /** A link, a code, a list or a rule that was found good. */
    readonly invitationId?: string,
  ) {
    super();
  }
}

@CommandHandler(JoinSpace)
export class JoinSpaceHandler implements ICommandHandler<JoinSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, isInvited, invitationId }: JoinSpace): Promise<boolean> {
    const { events, duplicate } = await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [aggregate(spaceDecider, spaceId)],
      decide: (state, streams) =>
        joinSpace(
          {
            actor: context.by,
            spaceId,
            entry: streams.state(aggregate(spaceDecider, spaceId))?.entry,
            consentAge: streams.state(aggregate(spaceDecider, spaceId))?.consentAge,
            isInvited,
            invitationId,
          },
          state,
        ),
      visibleIn: ['spaces', 'students'],
    });
    return duplicate || events.length > 0;
  }
}
