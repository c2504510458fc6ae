import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, joinSpace, leaveSpace, membershipDecider, spaceDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

interface Joined {
  /** Whether this command made the student a member. */
  readonly isNew: boolean;
  /** The invitation used to join, now or earlier. */
  readonly invitationId: string | null;
}

export class JoinSpace extends Command<Joined> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
    /** Set when an import replays a history from elsewhere. */
    readonly isInvited = false,
    /** A validated link, code, list or rule. */
    readonly invitationId?: string,
  ) {
    super();
  }
}

@CommandHandler(JoinSpace)
export class JoinSpaceHandler implements ICommandHandler<JoinSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, isInvited, invitationId }: JoinSpace): Promise<Joined> {
    let joinedBy: string | null = null;
    const { events, duplicate } = await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [aggregate(spaceDecider, spaceId)],
      decide: (state, streams) => {
        joinedBy = state.invitationId;
        return joinSpace(
          {
            actor: context.by,
            spaceId,
            entry: streams.state(aggregate(spaceDecider, spaceId))?.entry,
            consentAge: streams.state(aggregate(spaceDecider, spaceId))?.consentAge,
            isInvited,
            invitationId,
          },
          state,
        );
      },
      visibleIn: ['spaces', 'students'],
    });
    const isNew = duplicate || events.length > 0;
    return { isNew, invitationId: isNew ? (invitationId ?? null) : joinedBy };
  }
}

export class LeaveSpace extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(LeaveSpace)
export class LeaveSpaceHandler implements ICommandHandler<LeaveSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: LeaveSpace): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      decide: (state) => leaveSpace({ actor: context.by, spaceId }, state),
      visibleIn: ['spaces', 'students'],
    });
  }
}
