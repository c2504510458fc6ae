import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A phone or an address that is about to change, and sign-ups that nobody finished. */
export class ContactChanges1700000000066 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.contact_change (
        student_id    text NOT NULL,
        kind          text NOT NULL,
        id            uuid NOT NULL UNIQUE,
        -- The new value, under the master key.
        sealed        text NOT NULL,
        -- Null where the account has no confirmed contact to be asked by.
        own_code_hash bytea,
        new_code_hash bytea NOT NULL,
        attempts      integer NOT NULL DEFAULT 0,
        tries         integer NOT NULL,
        done_at       timestamptz,
        expires_at    timestamptz NOT NULL,
        -- Whoever begins anew ends what was begun before.
        PRIMARY KEY (student_id, kind)
      );
      CREATE INDEX contact_change_expiry ON state.contact_change (expires_at);
      CREATE TABLE state.abandoned_sign_up (
        student_id text PRIMARY KEY,
        noted_at   timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.abandoned_sign_up, state.contact_change');
  }
}
