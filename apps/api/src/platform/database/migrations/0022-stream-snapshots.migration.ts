import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What long streams came to, so that a command does not read every body ever written. A cache: may be emptied at any time. */
export class StreamSnapshots1700000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.stream_snapshots (
        stream_id text PRIMARY KEY,
        shape     text NOT NULL,
        revision  bigint NOT NULL,
        event_id  uuid NOT NULL,
        state     jsonb NOT NULL,
        commands  text NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.stream_snapshots');
  }
}
