import { SCORE_SNAPSHOTS_DDL } from '@nimo/projections';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const MADE_AGAIN = `
  DROP TABLE IF EXISTS read.score_snapshots, read.score_snapshot_rows;
  ${SCORE_SNAPSHOTS_DDL}`;

/** Votes cast count for everybody at once, so snapshots need no bound of their own for them. They are a cache and are taken again. */
export class OneScore1700000000241 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MADE_AGAIN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${MADE_AGAIN}
      ALTER TABLE read.score_snapshots ADD COLUMN dawn_ordinal bigint, ADD COLUMN dawn_at timestamptz;
    `);
  }
}
