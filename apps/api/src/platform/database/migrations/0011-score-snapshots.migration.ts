import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Scores of spaces at some points of the log, from which later points are reached in few steps. A cache of what the history
 * says: without foreign keys, since it is filled by the hundred thousand rows and dropped as a whole.
 */
export class ScoreSnapshots1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE read.score_snapshots (
        snapshot_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        space_id text NOT NULL,
        taken_by text NOT NULL CHECK (taken_by IN ('ordinal', 'moment')),
        generation integer NOT NULL,
        bound_ordinal bigint NOT NULL,
        bound_at timestamptz NOT NULL,
        rules text NOT NULL,
        UNIQUE (space_id, taken_by, generation, bound_at, bound_ordinal)
      );
      CREATE TABLE read.score_snapshot_rows (
        snapshot_id bigint NOT NULL,
        student_id text NOT NULL,
        merit bigint NOT NULL,
        impact bigint NOT NULL,
        last_ordinal bigint NOT NULL,
        end_ordinal bigint NOT NULL,
        questions_asked integer NOT NULL,
        questions_answered integer NOT NULL,
        answers_accepted integer NOT NULL
      );
      CREATE INDEX score_snapshot_rows_of ON read.score_snapshot_rows (snapshot_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE read.score_snapshot_rows, read.score_snapshots');
  }
}
