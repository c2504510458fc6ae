import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, joinSpace, leaveSpace, membershipDecider, spaceDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

interface Joined {
  /** Whether the student was let in now, and was no member before. */
  readonly isNew: boolean;
  /** The invitation that let the member in, now or before. */
  readonly invitationId: string | null;
}

export class JoinSpace extends Command<Joined> {
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
