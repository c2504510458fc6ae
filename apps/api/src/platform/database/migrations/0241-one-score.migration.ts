import { SCORE_SNAPSHOTS_DDL } from '@nimo/projections';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TAKEN_ANEW = `
  DROP TABLE IF EXISTS read.score_snapshots, read.score_snapshot_rows;
  ${SCORE_SNAPSHOTS_DDL}`;

/** Casting a vote counts for everybody at once, so a snapshot no longer says up to where casts are in it. A cache: it is taken anew. */
export class OneScore1700000000241 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TAKEN_ANEW);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${TAKEN_ANEW}
      ALTER TABLE read.score_snapshots ADD COLUMN dawn_ordinal bigint, ADD COLUMN dawn_at timestamptz;
    `);
  }
}
