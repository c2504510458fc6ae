import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in 0068. */
const OF_STUDENTS = [
  'abandoned_sign_up',
  'claim_check',
  'contact_change',
  'credential',
  'factor_ceremony',
  'factor_reset',
  'factor_ticket',
  'identity',
  'invitation_use',
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

const WITHOUT_NAME = `
    UPDATE state.invitation SET made_by = NULL WHERE made_by = student;
    GET DIAGNOSTICS gone = ROW_COUNT;
    total := total + gone;`;

/** Links by which a guardian answers, without an account. The log says that somebody was asked and what the answer was. */
export class GuardianLinks1700000000082 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.guardian_link (
        id         uuid PRIMARY KEY,
        space_id   text NOT NULL,
        student_id text NOT NULL,
        token_hash text NOT NULL UNIQUE,
        -- The address, until there is an answer.
        sealed     text,
        asked_at   timestamptz NOT NULL DEFAULT now(),
        -- Null once there is an answer: the same link takes a consent back.
        expires_at timestamptz
      );
      CREATE INDEX guardian_link_student ON state.guardian_link (student_id, space_id);
    `);
    await runner.query(forgetStudent([...OF_STUDENTS, 'guardian_link'], WITHOUT_NAME));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forgetStudent(OF_STUDENTS, WITHOUT_NAME));
    await runner.query('DROP TABLE state.guardian_link');
  }
}
