import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  liftSuspension,
  membershipDecider,
  studentDecider,
  suspendMember,
  type Authority,
  type Student,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

export interface Suspension {
  readonly studentId: string;
  readonly spaceId: string;
  /** Required to suspend, optional to lift. */
  readonly reason: string | null;
  /** When a suspension ends; null if it has to be lifted. */
  readonly until?: string | null;
}

/** Suspends a student in a space or lifts the suspension. */
export class SuspendMember extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly suspension: Suspension,
    readonly action: 'suspend' | 'lift',
  ) {
    super();
  }
}

@CommandHandler(SuspendMember)
export class SuspendMemberHandler implements ICommandHandler<SuspendMember> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, suspension, action }: SuspendMember): Promise<void> {
    const { studentId, spaceId, reason, until = null } = suspension;
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const student = knownStudent(streams, studentId);
        const command = { by: context.by, spaceId, student, now: streams.now };
        return action === 'suspend'
          ? suspendMember({ ...command, reason: reason ?? '', until }, state)
          : liftSuspension({ ...command, reason }, state);
      },
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

function knownStudent(streams: DomainStreams, studentId: string): Student {
  const student = streams.state(aggregate(studentDecider, studentId));
  if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
  return student;
}
