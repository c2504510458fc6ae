import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  membershipDecider,
  studentDecider,
  warnMember,
  type Authority,
  type WarnMember as Warning,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

/** Warns a student in a space. */
export class WarnMember extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly warning: Pick<Warning, 'spaceId' | 'text' | 'post'> & { readonly studentId: string },
  ) {
    super();
  }
}

@CommandHandler(WarnMember)
export class WarnMemberHandler implements ICommandHandler<WarnMember> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, warning: { studentId, spaceId, text, post } }: WarnMember): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const student = streams.state(aggregate(studentDecider, studentId));
        if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
        // A command gives at most one warning, so its ID can identify the warning.
        const warning = { warningId: context.commandId, text, post };
        return warnMember({ by: context.by, spaceId, student, ...warning }, state);
      },
      visibleIn: ['spaces', 'moderation', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
