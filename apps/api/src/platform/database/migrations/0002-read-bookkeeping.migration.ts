import { PROJECTION_BOOKKEEPING_DDL } from '@nimo/projection-engine';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which generation of a projection is live and how far it is; the tables themselves are made by the projections. */
export class ReadBookkeeping1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent');
    await runner.query(PROJECTION_BOOKKEEPING_DDL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA read CASCADE');
  }
}
