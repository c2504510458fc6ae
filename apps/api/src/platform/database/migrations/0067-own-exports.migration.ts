import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Copies of all of a person's data: asked for, made, and fetched for a day. */
export class OwnExports1700000000067 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.own_export (
        id         uuid PRIMARY KEY,
        -- Empty once it has ended: the row names nobody then.
        student_id text NOT NULL,
        language   text NOT NULL,
        status     text NOT NULL CHECK (status IN ('WAITING', 'WORKING', 'READY', 'FAILED')),
        -- What the worker has no right to read, under the master key.
        sealed     text NOT NULL,
        percent    integer NOT NULL DEFAULT 0,
        -- Who works on it; each has written, or may have, a file of its own.
        run        uuid,
        runs       uuid[] NOT NULL DEFAULT '{}',
        starts     integer NOT NULL DEFAULT 0,
        bytes      bigint,
        asked_at   timestamptz NOT NULL DEFAULT now(),
        touched_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        ended_at   timestamptz
      );
      CREATE UNIQUE INDEX own_export_student ON state.own_export (student_id) WHERE ended_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.own_export');
  }
}
