import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the search rows are in the collections of Typesense, and which process ships them. */
export class SearchShipping1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.search_shipping (
        prefix text PRIMARY KEY,
        owner text NOT NULL,
        former_owner text,
        expires_at timestamptz NOT NULL
      );
      CREATE TABLE state.search_collections (
        name text PRIMARY KEY,
        alias text NOT NULL,
        shape text NOT NULL,
        generation integer NOT NULL,
        version bigint NOT NULL DEFAULT 0,
        is_serving boolean NOT NULL DEFAULT false
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.search_collections, state.search_shipping');
  }
}
