import { PROJECTION_ASKED_DDL } from '@nimo/projection-engine';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who asked for a rebuild, so that the switch at its end is told on their behalf. */
export class RebuildAsked1700000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PROJECTION_ASKED_DDL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE read.projection_generations DROP COLUMN asked');
  }
}
