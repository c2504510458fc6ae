import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions that their owner can tell apart, links in mails, and sign-in by OpenID Connect. */
export class AccountsState1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE state.session
        ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now();
      CREATE TABLE state.mailed_link (
        token_hash text PRIMARY KEY,
        purpose text NOT NULL,
        student_id text NOT NULL,
        sealed text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_by text
      );
      CREATE INDEX mailed_link_student ON state.mailed_link (student_id);
      CREATE TABLE state.identity (
        issuer text NOT NULL,
        subject text NOT NULL,
        student_id text NOT NULL,
        linked_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (issuer, subject)
      );
      CREATE INDEX identity_student ON state.identity (student_id);
      CREATE TABLE state.sign_in_attempt (
        secret_hash text PRIMARY KEY,
        state_hash text UNIQUE,
        provider text NOT NULL,
        sealed text NOT NULL,
        remember boolean NOT NULL,
        code_hash text UNIQUE,
        student_id text,
        expires_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE state.sign_in_attempt, state.identity, state.mailed_link;
      ALTER TABLE state.session DROP COLUMN id, DROP COLUMN last_used_at;
    `);
  }
}
