import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a student has seen already is a fact about the student, not about the community: it is no event. */
export class LastLooks1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.last_look (
        student_id text NOT NULL,
        space_id text NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (student_id, space_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.last_look');
  }
}
