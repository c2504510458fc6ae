import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  DomainError,
  evolveMembership,
  initialMembership,
  liftSuspension,
  membershipStream,
  studentStream,
  suspendMember,
  type Authority,
  type MembershipState,
  type Student,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';
import { studentState } from '../../students/student-state.js';

export interface Suspension {
  readonly studentId: string;
  readonly spaceId: string;
  /** Needed to suspend, taken to lift. */
  readonly reason: string | null;
}

/** Ends what a student may do in a space, or gives it back. */
export class SuspendMember extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly suspension: Suspension,
    readonly act: 'suspend' | 'lift',
  ) {
    super();
  }
}

@CommandHandler(SuspendMember)
export class SuspendMemberHandler implements ICommandHandler<SuspendMember> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, suspension, act }: SuspendMember): Promise<void> {
    const { studentId, spaceId, reason } = suspension;
    const streamId = membershipStream(spaceId, studentId);
    await this.commands.run(context, {
      streams: [streamId, studentStream(studentId)],
      decide: (streams) => {
        const state: MembershipState = streams.state(streamId, initialMembership, evolveMembership);
        const command = { by: context.by, spaceId, student: knownStudent(streams, studentId) };
        const events =
          act === 'suspend'
            ? suspendMember({ ...command, reason: reason ?? '' }, state)
            : liftSuspension({ ...command, reason }, state);
        return { streamId, events };
      },
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}

function knownStudent(streams: DomainStreams, studentId: string): Student {
  const student = studentState(streams, studentId);
  if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
  return student;
}
