import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when nothing shows an uploaded picture: one that stays so is deleted. */
export class UnusedPictures1700000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.upload ADD COLUMN unused_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.upload DROP COLUMN unused_since');
  }
}
