import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may come in, and what is never in the log: secrets, keys, uploads and throttles. */
export class IdentityState1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.student_key (
        student_id text PRIMARY KEY,
        wrapped_key bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        erased_at timestamptz
      );
      CREATE TABLE state.credential (
        student_id text PRIMARY KEY,
        password_hash text NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE state.session (
        token_hash text PRIMARY KEY,
        student_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        address text NOT NULL,
        user_agent text NOT NULL
      );
      CREATE INDEX session_student ON state.session (student_id);
      CREATE INDEX session_expiry ON state.session (expires_at);
      CREATE TABLE state.otp (
        phone_hash bytea NOT NULL,
        purpose text NOT NULL,
        code_hash bytea NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (phone_hash, purpose)
      );
      CREATE TABLE state.phone_grant (
        grant_hash text PRIMARY KEY,
        student_id text NOT NULL,
        expires_at timestamptz NOT NULL,
        used_by text
      );
      CREATE INDEX phone_grant_student ON state.phone_grant (student_id);
      CREATE TABLE state.upload (
        key text PRIMARY KEY,
        student_id text NOT NULL,
        status text NOT NULL CHECK (status IN ('waiting', 'received', 'ready', 'refused')),
        rule text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX upload_student ON state.upload (student_id);
      CREATE TABLE state.outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        recipient text NOT NULL,
        subject text,
        text text NOT NULL,
        sent_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE state.claim_check (
        subject text PRIMARY KEY,
        kind text NOT NULL,
        claim text,
        student_id text NOT NULL,
        due_at timestamptz NOT NULL
      );
      CREATE INDEX claim_check_due ON state.claim_check (due_at);
      CREATE TABLE state.login_attempt (
        key bytea PRIMARY KEY,
        attempts integer NOT NULL,
        last_at timestamptz NOT NULL,
        retry_at timestamptz NOT NULL
      );
      -- Unlogged: a vote must not pay for a second durable write, and after a crash of the server everybody starts anew.
      CREATE UNLOGGED TABLE state.throttle (
        key text PRIMARY KEY,
        window_ends timestamptz NOT NULL,
        used integer NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE state.throttle, state.login_attempt, state.claim_check, state.outbox, state.upload, state.phone_grant, state.otp,
        state.session, state.credential, state.student_key
    `);
  }
}
