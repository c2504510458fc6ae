import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The one draft of scoring rules that maintainers share, and for some minutes what trying rules came to. What a trial came to can be
 * had again, so neither a crash nor a back-up needs it.
 */
export class ScoringDrafts1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.scoring_drafts (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        revision uuid NOT NULL,
        based_on integer NOT NULL,
        weights jsonb NOT NULL,
        report_threshold integer NOT NULL,
        saved_by text NOT NULL,
        saved_at timestamptz NOT NULL
      );
      CREATE UNLOGGED TABLE state.scoring_trials (
        trial_id uuid PRIMARY KEY,
        owner text NOT NULL UNIQUE,
        effective_from timestamptz,
        made_at timestamptz NOT NULL,
        took_ms integer NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE UNLOGGED TABLE state.scoring_trial_rows (
        trial_id uuid NOT NULL,
        space_id text NOT NULL,
        student_id text NOT NULL,
        merit_before bigint,
        impact_before bigint,
        score_before bigint,
        rank_before integer,
        merit_after bigint,
        impact_after bigint,
        score_after bigint,
        rank_after integer
      );
      CREATE INDEX scoring_trial_rows_rank ON state.scoring_trial_rows (trial_id, space_id, rank_after);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.scoring_trial_rows, state.scoring_trials, state.scoring_drafts');
  }
}
