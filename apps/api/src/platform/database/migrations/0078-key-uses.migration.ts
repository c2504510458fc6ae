import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which keys this database is filled with, while one takes the place of another. */
export class KeyUses1700000000078 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.key_use (
        key        text NOT NULL CHECK (key IN ('master', 'hmac')),
        -- Tells keys apart and gives nothing of them away.
        print      text NOT NULL,
        since      timestamptz NOT NULL DEFAULT now(),
        -- How far the log was looked through for claims to be made anew under this key.
        place      text,
        -- Nothing stands under it any more but what has expired by then.
        free_at    timestamptz,
        PRIMARY KEY (key, print)
      );
      -- Of those of before: what this database was filled with first.
      ALTER TABLE state.recovery_code ADD COLUMN key_print text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE state.recovery_code DROP COLUMN key_print;
      DROP TABLE state.key_use;
    `);
  }
}
