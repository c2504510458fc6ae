import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each person sees of the access to the own account. Personal: swept after some months, and deleted with its owner. */
export class SecurityLog1700000000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.security_log (
        -- No number: those of others would tell how much happens elsewhere.
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        student_id text NOT NULL,
        kind text NOT NULL,
        -- Not the transaction's time: what happens in one request has an order.
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        browser text,
        system text,
        network text,
        -- Of the event that it tells, where there is one.
        event_id text UNIQUE
      );
      CREATE INDEX security_log_student ON state.security_log (student_id, at DESC, id);
      CREATE INDEX security_log_at ON state.security_log (at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.security_log');
  }
}
