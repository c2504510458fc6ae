import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in 0063. */
const OF_STUDENTS = [
  'abandoned_sign_up',
  'claim_check',
  'contact_change',
  'credential',
  'factor_ceremony',
  'factor_reset',
  'factor_ticket',
  'identity',
  'last_look',
  'mailed_link',
  'passkey',
  'phone_grant',
  'recovery_code',
  'scoring_trial_rows',
  'security_log',
  'session',
  'sign_in_attempt',
  'totp_factor',
];

const forgetStudent = (tables: readonly string[], more: string): string => `
  CREATE OR REPLACE FUNCTION state.forget_student(student text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $forget$
  DECLARE place text; gone bigint; total bigint := 0;
  BEGIN
    FOREACH place IN ARRAY ARRAY['${tables.join("', '")}'] LOOP
      EXECUTE format('DELETE FROM state.%I WHERE student_id = $1', place) USING student;
      GET DIAGNOSTICS gone = ROW_COUNT;
      total := total + gone;
    END LOOP;
    ${more}
    RETURN total;
  END
  $forget$`;

/** Ways into a space that many may use. What opens them, and whose addresses they are for, stands here as hashes alone, and goes when they end. */
export class Invitations1700000000068 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.invitation (
        id          uuid PRIMARY KEY,
        space_id    text NOT NULL,
        kind        text NOT NULL,
        -- Null once its maker is erased, and for operators.
        made_by     text,
        -- Of a link or a code, which the api makes out of it with its own key.
        salt        bytea,
        secret_hash bytea UNIQUE,
        rule        text,
        uses        integer,
        used        integer NOT NULL DEFAULT 0,
        created_at  timestamptz NOT NULL DEFAULT now(),
        expires_at  timestamptz,
        revoked_at  timestamptz,
        CHECK (used <= uses)
      );
      CREATE INDEX invitation_space ON state.invitation (space_id, created_at DESC);
      CREATE INDEX invitation_rule ON state.invitation (kind) WHERE kind NOT IN ('LINK', 'CODE') AND revoked_at IS NULL;
      CREATE INDEX invitation_maker ON state.invitation (made_by);
      CREATE TABLE state.invitation_use (
        invitation_id uuid NOT NULL REFERENCES state.invitation ON DELETE CASCADE,
        student_id    text NOT NULL,
        used_at       timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (invitation_id, student_id)
      );
      CREATE INDEX invitation_use_student ON state.invitation_use (student_id);
      CREATE TABLE state.invited_contact (
        invitation_id uuid NOT NULL REFERENCES state.invitation ON DELETE CASCADE,
        hash          bytea NOT NULL,
        PRIMARY KEY (invitation_id, hash)
      );
      CREATE INDEX invited_contact_hash ON state.invited_contact (hash);

    `);
    await runner.query(
      // An invitation outlives its maker, without the name.
      forgetStudent(
        [...OF_STUDENTS, 'invitation_use'],
        `UPDATE state.invitation SET made_by = NULL WHERE made_by = student;
         GET DIAGNOSTICS gone = ROW_COUNT;
         total := total + gone;`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forgetStudent(OF_STUDENTS, ''));
    await runner.query('DROP TABLE state.invited_contact, state.invitation_use, state.invitation');
  }
}
