import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when somebody is at the work of a mailed link, and how many are at the bytes of an upload. */
export class TwoAtOnce1700000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.mailed_link ADD COLUMN claimed_at timestamptz');
    await runner.query('ALTER TABLE state.upload ADD COLUMN holders integer NOT NULL DEFAULT 0');
    // Whoever sent these is not done: a twin that fails must not free them for other bytes.
    await runner.query(`UPDATE state.upload SET holders = 1 WHERE status = 'received'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.upload DROP COLUMN holders');
    await runner.query('ALTER TABLE state.mailed_link DROP COLUMN claimed_at');
  }
}
