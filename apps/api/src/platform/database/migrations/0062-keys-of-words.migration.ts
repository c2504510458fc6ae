import type { MigrationInterface, QueryRunner } from 'typeorm';

/** More than one key a student: what there was sealed who somebody is. The key of a reservation goes with the student who holds it. */
export class KeysOfWords1700000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE state.student_key ADD COLUMN kind text NOT NULL DEFAULT 'identity';
      ALTER TABLE state.student_key ALTER COLUMN kind DROP DEFAULT;
      ALTER TABLE state.student_key DROP CONSTRAINT student_key_pkey;
      ALTER TABLE state.student_key RENAME COLUMN student_id TO id;
      ALTER TABLE state.student_key ADD PRIMARY KEY (id, kind);
      ALTER TABLE state.student_key ADD COLUMN held_by text;
      CREATE INDEX student_key_holder ON state.student_key (held_by) WHERE held_by IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM state.student_key WHERE kind <> 'identity';
      ALTER TABLE state.student_key DROP CONSTRAINT student_key_pkey;
      ALTER TABLE state.student_key DROP COLUMN kind, DROP COLUMN held_by;
      ALTER TABLE state.student_key RENAME COLUMN id TO student_id;
      ALTER TABLE state.student_key ADD PRIMARY KEY (student_id);
    `);
  }
}
