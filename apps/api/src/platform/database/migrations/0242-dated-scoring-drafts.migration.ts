import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From when a draft of scoring rules is to hold; null: for all of history, as every draft before was. */
export class DatedScoringDrafts1700000000242 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.scoring_drafts ADD COLUMN effective_from timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.scoring_drafts DROP COLUMN effective_from');
  }
}
