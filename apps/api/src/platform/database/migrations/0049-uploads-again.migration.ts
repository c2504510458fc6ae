import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which bytes a slot was taken for: the same ones may be sent again. */
export class UploadsAgain1700000000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.upload ADD COLUMN digest bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.upload DROP COLUMN digest');
  }
}
