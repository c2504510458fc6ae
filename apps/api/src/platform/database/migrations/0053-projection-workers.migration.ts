import { PROJECTION_WORKERS_DDL } from '@nimo/projection-engine';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which workers there are, so that they share the work. */
export class ProjectionWorkers1700000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PROJECTION_WORKERS_DDL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE read.projection_workers');
  }
}
