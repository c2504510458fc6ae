import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** What somebody has as a second factor, over all kinds. Recovery codes alone are none. */
@Injectable()
export class SecondFactors {
  constructor(private readonly pool: Pool) {}

  async isSetUp(studentId: string): Promise<boolean> {
    return (await this.count(studentId)) > 0;
  }

  async count(studentId: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `select ((select count(*) from state.totp_factor where student_id = $1)
             + (select count(*) from state.passkey where student_id = $1))::int as count`,
      [studentId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Everything that could be given, and everything on its way to it. */
  async removeAll(studentId: string): Promise<void> {
    await this.pool.query(
      `with totp as (delete from state.totp_factor where student_id = $1),
            passkeys as (delete from state.passkey where student_id = $1),
            codes as (delete from state.recovery_code where student_id = $1),
            ceremonies as (delete from state.factor_ceremony where student_id = $1)
       delete from state.factor_ticket where student_id = $1`,
      [studentId],
    );
  }
}
