import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What somebody calls their authenticator app; null until they say. */
export class NamedApps1700000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.totp_factor ADD COLUMN name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE state.totp_factor DROP COLUMN name');
  }
}
