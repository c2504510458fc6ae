import { Injectable } from '@nestjs/common';
import { abandonSignUp, aggregate, studentDecider, UNFINISHED_SIGN_UP_DAYS } from '@nimo/domain';
import { Pool } from 'pg';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { StudentKeys } from '../../platform/personal-data/student-keys.js';
import { ClaimReconciler } from './claim-reconciler.js';
import { systemContext } from '../../platform/commands/command-context.js';

const BATCH_SIZE = 100;

/**
 * Removes unfinished sign-ups; the number may have been typed by someone other than its owner. Queued in `state.abandoned_sign_up`
 * and removed in idempotent steps, so that a crash in between leaves nothing behind.
 */
@Injectable()
export class UnfinishedSignUps {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandRunner,
    private readonly reconciler: ClaimReconciler,
    private readonly keys: StudentKeys,
  ) {}

  /** Called periodically by the worker. @returns the number of sign-ups processed */
  async sweep(): Promise<number> {
    await this.queueDue();
    const { rows } = await this.pool.query<{ student_id: string }>(
      'select student_id from state.abandoned_sign_up order by noted_at limit $1',
      [BATCH_SIZE],
    );
    for (const { student_id } of rows) await this.remove(student_id);
    return rows.length;
  }

  /** Removes a sign-up because someone else verified its contact. Registered accounts stay unchanged. */
  async abandon(studentId: string): Promise<void> {
    await this.pool.query(
      'insert into state.abandoned_sign_up (student_id) values ($1) on conflict do nothing',
      [studentId],
    );
    await this.remove(studentId);
  }

  /** Skips sign-ups with recent security log entries, such as a sent code: they are still in progress. */
  private async queueDue(): Promise<void> {
    await this.pool.query(
      `insert into state.abandoned_sign_up (student_id)
       select p.student_id from read.students p
       where not p.is_registered and not p.is_erased
         and p.created_at < now() - interval '${UNFINISHED_SIGN_UP_DAYS} days'
         and not exists (select from state.security_log l where l.student_id = p.student_id and l.at > now() - interval '1 day')
       order by p.created_at limit ${BATCH_SIZE}
       on conflict do nothing`,
    );
  }

  /** Appends the event first, as it fails if the student has registered. Destroys the key last: finding the claims needs it. */
  private async remove(studentId: string): Promise<void> {
    const context = systemContext();
    const student = aggregate(studentDecider, studentId);
    await this.commands.run(context, { on: student, decide: (state) => abandonSignUp(state) });
    const state = await this.commands.state(student);
    if (state?.erased) {
      const released = await Promise.all([
        this.reconciler.releasePrevious(context, 'phone', studentId),
        this.reconciler.releasePrevious(context, 'email', studentId),
      ]);
      // A reservation has not lapsed yet; the next sweep retries.
      if (released.includes(false)) return;
      await this.forget(studentId);
      await this.keys.destroyKeys(studentId, ['identity', 'words']);
    }
    await this.pool.query('delete from state.abandoned_sign_up where student_id = $1', [studentId]);
  }

  private async forget(studentId: string): Promise<void> {
    await this.pool.query(
      `with identities as (delete from state.identity where student_id = $1),
            passwords as (delete from state.credential where student_id = $1),
            grants as (delete from state.phone_grant where student_id = $1)
       delete from state.mailed_link where student_id = $1`,
      [studentId],
    );
  }
}
