import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which rules about groups somebody's account at a provider fulfilled; no group that no rule asks for. */
export class CarriedGroups1700000000081 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE state.carried_group (
        issuer        text NOT NULL,
        subject       text NOT NULL,
        invitation_id uuid NOT NULL REFERENCES state.invitation ON DELETE CASCADE,
        seen_at       timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (issuer, subject, invitation_id),
        -- So it is forgotten wherever the identity is.
        FOREIGN KEY (issuer, subject) REFERENCES state.identity ON DELETE CASCADE
      );
      CREATE INDEX carried_group_invitation ON state.carried_group (invitation_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE state.carried_group');
  }
}
