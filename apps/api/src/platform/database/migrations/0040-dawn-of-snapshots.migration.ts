import { SCORE_SNAPSHOTS_DDL } from '@nimo/projections';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Snapshots of scores are of what others saw, and casting a vote counts for others from the next day on: up to where casts are in a
 * snapshot is kept beside it. Those from before know nothing of it; they are a cache and are taken anew.
 * The tables may be gone, with the rest of what is read. There is one score for all since 0241.
 */
export class DawnOfSnapshots1700000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE IF EXISTS read.score_snapshots, read.score_snapshot_rows;
      ${SCORE_SNAPSHOTS_DDL}
      ALTER TABLE read.score_snapshots ADD COLUMN dawn_ordinal bigint, ADD COLUMN dawn_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      TRUNCATE read.score_snapshots, read.score_snapshot_rows;
      ALTER TABLE read.score_snapshots DROP COLUMN dawn_ordinal, DROP COLUMN dawn_at;
    `);
  }
}
