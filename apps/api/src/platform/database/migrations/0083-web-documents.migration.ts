import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the web app of each version asks for: an api answers pages of another version as well. Of no student. */
export class WebDocuments1700000000083 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.web_document (
        id      text PRIMARY KEY,
        text    text NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.web_document');
  }
}
