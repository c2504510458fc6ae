import { LOG_CHAIN_SQL } from '@nimo/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hash chain over the events. It has no way back, like the log: what was proven must not be dropped by a migration. */
export class LogChain1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOG_CHAIN_SQL);
  }

  down(): Promise<void> {
    throw new Error('The chain of the event log is never dropped by a migration.');
  }
}
