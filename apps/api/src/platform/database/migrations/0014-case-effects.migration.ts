import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a moderator's invalidation did to scores when it was confirmed: a record beside the log, as scores move on with others' acts. */
export class CaseEffects1700000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.case_effect (
        case_id text PRIMARY KEY,
        effect jsonb NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.case_effect');
  }
}
