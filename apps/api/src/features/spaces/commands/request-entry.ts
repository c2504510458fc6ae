import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  answerEntryRequest,
  type Authority,
  DomainError,
  inviteStudent,
  membershipDecider,
  removeMember,
  requestEntry,
  revokeStudentInvitation,
  spaceDecider,
  type Student,
  studentDecider,
  withdrawEntryRequest,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

export class RequestEntry extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
    readonly text: string | null,
  ) {
    super();
  }
}

@CommandHandler(RequestEntry)
export class RequestEntryHandler implements ICommandHandler<RequestEntry> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, text }: RequestEntry): Promise<void> {
    const space = aggregate(spaceDecider, spaceId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [space],
      decide: (state, streams) => {
        const { entry, consentAge } = streams.state(space) ?? {};
        return requestEntry({ actor: context.by, spaceId, entry, consentAge, text }, state);
      },
      visibleIn: ['spaces'],
    });
  }
}

export class WithdrawEntryRequest extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(WithdrawEntryRequest)
export class WithdrawEntryRequestHandler implements ICommandHandler<WithdrawEntryRequest> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: WithdrawEntryRequest): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      decide: (state) => withdrawEntryRequest({ actor: context.by, spaceId }, state),
      visibleIn: ['spaces'],
    });
  }
}

interface EntryAnswer {
  readonly spaceId: string;
  readonly studentId: string;
  readonly isAccepted: boolean;
  readonly reason: string | null;
}

export class AnswerEntryRequest extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly answer: EntryAnswer,
  ) {
    super();
  }
}

@CommandHandler(AnswerEntryRequest)
export class AnswerEntryRequestHandler implements ICommandHandler<AnswerEntryRequest> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, answer }: AnswerEntryRequest): Promise<void> {
    const { spaceId, studentId, isAccepted, reason } = answer;
    const space = aggregate(spaceDecider, spaceId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [space, aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const student = knownStudent(streams, studentId);
        const consentAge = streams.state(space)?.consentAge;
        const answered = { by: context.by, spaceId, student, consentAge, isAccepted, reason };
        return answerEntryRequest(answered, state);
      },
      visibleIn: ['spaces', 'students', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

export class RemoveMember extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly removal: { readonly spaceId: string; readonly studentId: string; readonly reason: string },
  ) {
    super();
  }
}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, removal: { spaceId, studentId, reason } }: RemoveMember): Promise<void> {
    const space = aggregate(spaceDecider, spaceId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [space, aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const student = knownStudent(streams, studentId);
        const { entry } = streams.state(space) ?? {};
        return removeMember({ by: context.by, spaceId, entry, student, reason }, state);
      },
      visibleIn: ['spaces', 'students', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

function knownStudent(streams: DomainStreams, studentId: string): Student {
  const student = streams.state(aggregate(studentDecider, studentId));
  if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
  return student;
}

export class InviteStudent extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(InviteStudent)
export class InviteStudentHandler implements ICommandHandler<InviteStudent> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, studentId }: InviteStudent): Promise<void> {
    const space = aggregate(spaceDecider, spaceId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [space, aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const student = knownStudent(streams, studentId);
        const { entry, consentAge } = streams.state(space) ?? {};
        return inviteStudent({ by: context.by, spaceId, entry, consentAge, student }, state);
      },
      visibleIn: ['spaces', 'students', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

export class RevokeStudentInvitation extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeStudentInvitation)
export class RevokeStudentInvitationHandler implements ICommandHandler<RevokeStudentInvitation> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, studentId }: RevokeStudentInvitation): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      decide: (state) => revokeStudentInvitation({ by: context.by, spaceId, studentId }, state),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
