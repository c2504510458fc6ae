import { LOG_VERIFICATION_SQL } from '@nimo/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the log was verified, and what did not fit. */
export class LogVerification1700000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOG_VERIFICATION_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.log_misfits; DROP TABLE state.log_verification');
  }
}
