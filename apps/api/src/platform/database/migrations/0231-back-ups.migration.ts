import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When back-ups were made, for whoever watches, and a restore that did not come to its end. */
export class BackUps1700000000231 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.back_up (
        -- What is in it was so at this moment.
        made_at      timestamptz PRIMARY KEY,
        -- Each of its files was read again.
        verified_at  timestamptz NOT NULL,
        bytes        bigint NOT NULL,
        is_encrypted boolean NOT NULL
      );
      -- At most one row: from the first table that came in until the log is folded and erasures are done again.
      CREATE TABLE state.unfinished_restore (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        -- Of the back-up.
        made_at timestamptz NOT NULL,
        since   timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.unfinished_restore; DROP TABLE state.back_up;');
  }
}
