import { LOG_SCHEMA_SQL } from '@nimo/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The event log. Left out of the way back on purpose: no migration may drop the log. */
export class LogSchema1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOG_SCHEMA_SQL);
  }

  down(): Promise<void> {
    throw new Error('The event log is never dropped by a migration.');
  }
}
