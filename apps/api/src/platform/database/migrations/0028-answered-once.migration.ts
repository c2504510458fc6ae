import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A link or grant that was used answers the same command again and does nothing; those that were used so far are over. */
export class AnsweredOnce1700000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE state.phone_grant ADD COLUMN done_at timestamptz;
      ALTER TABLE state.mailed_link ADD COLUMN done_at timestamptz;
      DELETE FROM state.phone_grant WHERE used_by IS NOT NULL;
      DELETE FROM state.mailed_link WHERE used_by IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE state.phone_grant DROP COLUMN done_at;
      ALTER TABLE state.mailed_link DROP COLUMN done_at;
    `);
  }
}
