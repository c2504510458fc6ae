import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, requireReason, resetSecondFactor, studentDecider, type Authority } from '@nimo/domain';
import { Pool } from 'pg';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';
import { SecondFactors } from '../second-factors.js';

/** Removes the factors of a lost device and ends all sessions. Staff have to set up a new factor after signing in. */
export class ResetSecondFactor extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(ResetSecondFactor)
export class ResetSecondFactorHandler implements ICommandHandler<ResetSecondFactor> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
    private readonly factors: SecondFactors,
    private readonly sessions: SessionStore,
  ) {}

  async execute({ context, studentId, reason }: ResetSecondFactor): Promise<void> {
    const student = aggregate(studentDecider, studentId);
    // A retry whose first response was lost finds no factor anymore, yet must get the same result.
    if (await this.commands.isDuplicate(context, student, ['students', ...STAFF_ACTION_PROJECTIONS])) return;
    const isSetUp = await this.factors.isSetUp(studentId);
    await this.commands.run(context, {
      on: student,
      decide: (state) => resetSecondFactor({ by: context.by, reason, isSetUp }, state),
      visibleIn: STAFF_ACTION_PROJECTIONS,
    });
    await this.factors.removeAll(studentId);
    await this.pool.query(
      `insert into state.factor_reset (student_id, reason) values ($1, $2)
       on conflict (student_id) do update set reason = excluded.reason, at = now()`,
      [studentId, requireReason(reason)],
    );
    await this.sessions.endAll(studentId);
  }
}
