import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A code belongs to whoever asked for it, and knows how many tries it bears. Codes under way are asked for again. */
export class CodesOfWhoeverAsked1700000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      TRUNCATE state.otp;
      ALTER TABLE state.otp
        ADD COLUMN holder_hash bytea NOT NULL,
        ADD COLUMN tries integer NOT NULL,
        DROP CONSTRAINT otp_pkey,
        ADD PRIMARY KEY (phone_hash, purpose, holder_hash);
      CREATE INDEX otp_expiry ON state.otp (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      TRUNCATE state.otp;
      DROP INDEX state.otp_expiry;
      ALTER TABLE state.otp
        DROP CONSTRAINT otp_pkey,
        DROP COLUMN holder_hash,
        DROP COLUMN tries,
        ADD PRIMARY KEY (phone_hash, purpose);
    `);
  }
}
