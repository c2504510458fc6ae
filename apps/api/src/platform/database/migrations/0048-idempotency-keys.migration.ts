import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each key of a client was used for, so that it is not taken for something else. Swept after a week. */
export class IdempotencyKeys1700000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.idempotency_keys (
        key               bytea PRIMARY KEY,
        request           bytea NOT NULL,
        done_with_nothing uuid[] NOT NULL DEFAULT '{}',
        used_at           timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX idempotency_keys_used ON state.idempotency_keys (used_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.idempotency_keys');
  }
}
