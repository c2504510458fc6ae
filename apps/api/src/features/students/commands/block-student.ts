import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, type Authority, blockStudent, studentDecider, unblockStudent } from '@nimo/domain';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

/** Ends the student's sessions and prevents new ones until unblocked. */
export class BlockStudent extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(BlockStudent)
export class BlockStudentHandler implements ICommandHandler<BlockStudent> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly sessions: SessionStore,
  ) {}

  async execute({ context, studentId, reason }: BlockStudent): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => blockStudent({ by: context.by, reason }, state),
      visibleIn: ['students', ...STAFF_ACTION_PROJECTIONS],
    });
    await this.sessions.endAll(studentId);
  }
}

export class UnblockStudent extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
    readonly reason?: string | null,
  ) {
    super();
  }
}

@CommandHandler(UnblockStudent)
export class UnblockStudentHandler implements ICommandHandler<UnblockStudent> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, studentId, reason }: UnblockStudent): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => unblockStudent({ by: context.by, reason }, state),
      visibleIn: ['students', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
