import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registrations by e-mail that nobody confirmed yet, so that a log-in can say so to whoever knows their password. */
export class PendingRegistrations1700000000087 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.pending_registration (
        -- Of what the name and the password give together; a row for the address and one for the user name.
        key_hash        text PRIMARY KEY,
        registration_id uuid NOT NULL,
        sealed          text NOT NULL,
        expires_at      timestamptz NOT NULL
      );
      CREATE INDEX pending_registration_id ON state.pending_registration (registration_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.pending_registration');
  }
}
