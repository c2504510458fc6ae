import { Injectable } from '@nestjs/common';
import { abandonSignUp, aggregate, studentDecider, UNFINISHED_SIGN_UP_DAYS } from '@nimo/domain';
import { Pool } from 'pg';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { StudentKeys } from '../../platform/personal-data/student-keys.js';
import { CarriedValues } from './carried-values.js';
import { systemContext } from '../../platform/commands/command-context.js';

const MAX_AT_ONCE = 100;

/**
 * Sign-ups that nobody finished: whoever typed the number may not have been its owner. Noted in `state.abandoned_sign_up` first and done step by
 * step, each of which may come again, so that one that was begun is ended whatever happens in between.
 */
@Injectable()
export class UnfinishedSignUps {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandRunner,
    private readonly carried: CarriedValues,
    private readonly keys: StudentKeys,
  ) {}

  /** Called again and again by the worker. @returns how many sign-ups ended */
  async sweep(): Promise<number> {
    await this.noteDue();
    const { rows } = await this.pool.query<{ student_id: string }>(
      'select student_id from state.abandoned_sign_up order by noted_at limit $1',
      [MAX_AT_ONCE],
    );
    for (const { student_id } of rows) await this.end(student_id);
    return rows.length;
  }

  /** At once: somebody else has proved to own the contact. Of an account that is registered nothing changes. */
  async abandon(studentId: string): Promise<void> {
    await this.pool.query(
      'insert into state.abandoned_sign_up (student_id) values ($1) on conflict do nothing',
      [studentId],
    );
    await this.end(studentId);
  }

  /** Not while somebody is at it: a code that was sent is told in the security log. */
  private async noteDue(): Promise<void> {
    await this.pool.query(
      `insert into state.abandoned_sign_up (student_id)
       select p.student_id from read.students p
       where not p.is_registered and not p.is_erased
         and p.created_at < now() - interval '${UNFINISHED_SIGN_UP_DAYS} days'
         and not exists (select from state.security_log l where l.student_id = p.student_id and l.at > now() - interval '1 day')
       order by p.created_at limit ${MAX_AT_ONCE}
       on conflict do nothing`,
    );
  }

  /** The fact first, which decides whether the student registered after all; the key last, as the claims are found by what it opens. */
  private async end(studentId: string): Promise<void> {
    const context = systemContext();
    const student = aggregate(studentDecider, studentId);
    await this.commands.run(context, { on: student, decide: (state) => abandonSignUp(state) });
    const state = await this.commands.state(student);
    if (state?.erased) {
      const released = await Promise.all([
        this.carried.releaseFormer(context, 'phone', studentId),
        this.carried.releaseFormer(context, 'email', studentId),
      ]);
      // A reservation that has not lapsed may be about to be used: the next round comes back.
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
