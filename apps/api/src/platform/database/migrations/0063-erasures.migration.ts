import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What `state` has of a student, but their pictures, which have files, and their keys and erasure, which are last. */
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

/**
 * How far each erasure is. What it deletes is deleted by functions of the owner: a worker, which may not look at secrets or at what the
 * api decides from, can make them go and do nothing else with them.
 */
export class Erasures1700000000063 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.erasure (
        student_id text PRIMARY KEY,
        due_at timestamptz NOT NULL,
        done text[] NOT NULL DEFAULT '{}',
        report jsonb NOT NULL DEFAULT '{}',
        finished_at timestamptz
      );
      CREATE INDEX erasure_due ON state.erasure (due_at) WHERE finished_at IS NULL;

      CREATE FUNCTION state.forget_student(student text) RETURNS bigint
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $forget$
      DECLARE place text; gone bigint; total bigint := 0;
      BEGIN
        FOREACH place IN ARRAY ARRAY['${OF_STUDENTS.join("', '")}'] LOOP
          EXECUTE format('DELETE FROM state.%I WHERE student_id = $1', place) USING student;
          GET DIAGNOSTICS gone = ROW_COUNT;
          total := total + gone;
        END LOOP;
        RETURN total;
      END
      $forget$;

      -- In the order of the writers, so that neither waits for the other for ever.
      CREATE FUNCTION state.forget_snapshots(student text) RETURNS bigint
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $forget$
        WITH found AS (
          SELECT stream_id FROM state.stream_snapshots
          WHERE state ->> 'authorId' = student OR right(stream_id, length(student) + 1) = '-' || student
          ORDER BY stream_id COLLATE "C" FOR UPDATE
        ), gone AS (
          DELETE FROM state.stream_snapshots s USING found WHERE s.stream_id = found.stream_id RETURNING s.stream_id
        )
        SELECT count(*) FROM gone
      $forget$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION state.forget_student(text);
      DROP FUNCTION state.forget_snapshots(text);
      DROP TABLE state.erasure;
    `);
  }
}
