import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  inviteStudent,
  membershipDecider,
  revokeStudentInvitation,
  spaceDecider,
  studentDecider,
  type Authority,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

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
    const invited = aggregate(studentDecider, studentId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [space, invited],
      decide: (state, streams) => {
        const student = streams.state(invited);
        if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
        const { entry, consentAge } = streams.state(space) ?? {};
        return inviteStudent({ by: context.by, spaceId, entry, consentAge, student }, state);
      },
      visibleIn: ['spaces', 'students', ...ACT_VISIBLE_IN],
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
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}
