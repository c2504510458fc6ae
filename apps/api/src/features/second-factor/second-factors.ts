import { Injectable } from '@nestjs/common';
import { inTransaction } from '@nimo/projection-engine';
import { Pool } from 'pg';

/** A connection, or any of them. */
export type Statements = Pick<Pool, 'query'>;

/** What somebody has as a second factor, over all kinds. Recovery codes alone are none. */
@Injectable()
export class SecondFactors {
  constructor(private readonly pool: Pool) {}

  async isSetUp(studentId: string): Promise<boolean> {
    return (await this.count(studentId)) > 0;
  }

  /** Of each of them, in their order. */
  async areSetUp(studentIds: readonly string[]): Promise<boolean[]> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      `select student_id from state.totp_factor where student_id = any($1::text[])
       union select student_id from state.passkey where student_id = any($1::text[])`,
      [studentIds],
    );
    const holders = new Set(rows.map((row) => row.student_id));
    return studentIds.map((id) => holders.has(id));
  }

  /**
   * One change of somebody's factors at a time, so that what is decided by how many there are is still so when it is done.
   * @param work on a connection of its own, committed when it resolves
   */
  changing<Result>(studentId: string, work: (db: Statements) => Promise<Result>): Promise<Result> {
    return inTransaction(this.pool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`factors:${studentId}`]);
      return work(client);
    });
  }

  async count(studentId: string, db: Statements = this.pool): Promise<number> {
    const { rows } = await db.query<{ count: number }>(
      `select ((select count(*) from state.totp_factor where student_id = $1)
             + (select count(*) from state.passkey where student_id = $1))::int as count`,
      [studentId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Everything that could be given, and everything on its way to it. */
  async removeAll(studentId: string, db: Statements = this.pool): Promise<void> {
    await db.query(
      `with totp as (delete from state.totp_factor where student_id = $1),
            passkeys as (delete from state.passkey where student_id = $1),
            codes as (delete from state.recovery_code where student_id = $1),
            ceremonies as (delete from state.factor_ceremony where student_id = $1)
       delete from state.factor_ticket where student_id = $1`,
      [studentId],
    );
  }
}
