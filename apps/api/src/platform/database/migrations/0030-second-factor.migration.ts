import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The second factor: what is known of it, what is on its way, and which sessions have given it. */
export class SecondFactor1700000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE state.session ADD COLUMN factor_at timestamptz;
      CREATE TABLE state.totp_factor (
        student_id text PRIMARY KEY,
        sealed text NOT NULL,
        -- The period of the last code that was taken: neither it nor an earlier one is taken again.
        last_period bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE state.passkey (
        credential_id text PRIMARY KEY,
        id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        student_id text NOT NULL,
        name text NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz
      );
      CREATE INDEX passkey_student ON state.passkey (student_id);
      CREATE TABLE state.recovery_code (
        student_id text NOT NULL,
        code_hash bytea NOT NULL,
        PRIMARY KEY (student_id, code_hash)
      );
      -- A session or a sign-in that is half done holds one ceremony of a kind at a time.
      CREATE TABLE state.factor_ceremony (
        holder_hash text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('set-up-totp', 'set-up-passkey', 'use-passkey')),
        student_id text NOT NULL,
        sealed text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (holder_hash, kind)
      );
      CREATE TABLE state.factor_ticket (
        ticket_hash text PRIMARY KEY,
        student_id text NOT NULL,
        remember boolean NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE TABLE state.factor_reset (
        student_id text PRIMARY KEY,
        reason text NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE state.factor_reset, state.factor_ticket, state.factor_ceremony, state.recovery_code, state.passkey, state.totp_factor;
      ALTER TABLE state.session DROP COLUMN factor_at;
    `);
  }
}
