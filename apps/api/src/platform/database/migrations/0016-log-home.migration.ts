import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which engine holds the log of this installation: a setting alone must not begin another one. */
export class LogHome1700000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.log_home (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        engine  text NOT NULL CHECK (engine IN ('postgresql', 'eventstoredb'))
      );
      INSERT INTO state.log_home (engine)
        SELECT 'eventstoredb' FROM state.log_chain_place WHERE position LIKE '%/%'
        UNION ALL SELECT 'postgresql' WHERE EXISTS (SELECT FROM log.events)
        LIMIT 1;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.log_home');
  }
}
