import { LOG_APPEND_SQL, LOG_SCHEMA_SQL } from '@nimo/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The append tells nobody by itself any more: whoever appended rings after the commit. */
export class LogDoorbell1700000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOG_APPEND_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(LOG_SCHEMA_SQL);
    await runner.query('DROP FUNCTION log.append_events');
  }
}
