import { PROJECTION_ACTS_DDL } from '@nimo/projection-engine';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What maintainers asked of a projection, beside how far its generations are. */
export class ProjectionActs1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PROJECTION_ACTS_DDL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE read.projection_acts;
      ALTER TABLE read.projection_generations
        DROP COLUMN hold, DROP COLUMN switched_at, DROP COLUMN leased_at, DROP COLUMN rate, DROP COLUMN verification;
    `);
  }
}
