import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@nimo/projection-engine';
import { Pool } from 'pg';
import { requireName } from '@nimo/domain';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';

/** A pool or a single connection. */
export type Statements = Pick<Pool, 'query'>;

/** Second factors across all kinds. Recovery codes alone do not count as one. */
@Injectable()
export class SecondFactors {
  constructor(private readonly pool: Pool) {}

  async isSetUp(studentId: string): Promise<boolean> {
    return (await this.count(studentId)) > 0;
  }

  /** @returns one value per id, in the same order */
  async areSetUp(studentIds: readonly string[]): Promise<boolean[]> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      `select student_id from state.totp_factor where student_id = any($1::text[])
       union select student_id from state.passkey where student_id = any($1::text[])`,
      [studentIds],
    );
    const holders = new Set(rows.map((row) => row.student_id));
    return studentIds.map((id) => holders.has(id));
  }

  /**
   * Serializes changes to one student's factors, so that a decision based on their number still holds at commit.
   * @param work runs in a transaction that commits when it resolves
   */
  withLock<Result>(studentId: string, work: (db: Statements) => Promise<Result>): Promise<Result> {
    return inTransaction(this.pool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`factors:${studentId}`]);
      return work(client);
    });
  }

  async count(studentId: string, db: Statements = this.pool): Promise<number> {
    const { rows } = await db.query<{ count: number }>(
      `select ((select count(*) from state.totp_factor where student_id = $1)
             + (select count(*) from state.passkey where student_id = $1))::int as count`,
      [studentId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Removes all factors, recovery codes, ceremonies and tickets. */
  async removeAll(studentId: string, db: Statements = this.pool): Promise<void> {
    await db.query(
      `with totp as (delete from state.totp_factor where student_id = $1),
            passkeys as (delete from state.passkey where student_id = $1),
            codes as (delete from state.recovery_code where student_id = $1),
            ceremonies as (delete from state.factor_ceremony where student_id = $1)
       delete from state.factor_ticket where student_id = $1`,
      [studentId],
    );
  }
}

const CEREMONY_TTL = '10 minutes';

export type CeremonyKind = 'set-up-totp' | 'set-up-passkey' | 'use-passkey';

/** Owner of a ceremony: a session, or a sign-in identified by the hash of its ticket. */
export interface FactorHolder {
  readonly hash: string;
  readonly studentId: string;
}

interface CeremonyRow {
  readonly sealed: string;
}

/** Pending secrets and challenges in `state.factor_ceremony`. One per holder and kind: starting another replaces it. */
@Injectable()
export class FactorCeremonies {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  async begin(kind: CeremonyKind, holder: FactorHolder, secret: string): Promise<void> {
    await this.pool.query(
      `with old as (delete from state.factor_ceremony where expires_at < now() and holder_hash <> $1)
       insert into state.factor_ceremony (holder_hash, kind, student_id, sealed, expires_at)
       values ($1, $2, $3, $4, now() + interval '${CEREMONY_TTL}')
       on conflict (holder_hash, kind) do update set
         student_id = excluded.student_id, sealed = excluded.sealed, expires_at = excluded.expires_at`,
      [
        holder.hash,
        kind,
        holder.studentId,
        sealText(this.settings.masterKey, secret, sealContext(kind, holder)),
      ],
    );
  }

  /** Reads without consuming, so that a mistyped code can be corrected. */
  async peek(kind: CeremonyKind, holder: FactorHolder): Promise<string | undefined> {
    const { rows } = await this.pool.query<CeremonyRow>(
      `select sealed from state.factor_ceremony
       where holder_hash = $1 and kind = $2 and student_id = $3 and expires_at > now()`,
      [holder.hash, kind, holder.studentId],
    );
    return this.unseal(kind, holder, rows[0]);
  }

  /** Consumes it. Of two concurrent calls only one succeeds. */
  async consume(kind: CeremonyKind, holder: FactorHolder): Promise<string | undefined> {
    const { rows } = await this.pool.query<CeremonyRow>(
      `delete from state.factor_ceremony
       where holder_hash = $1 and kind = $2 and student_id = $3 and expires_at > now() returning sealed`,
      [holder.hash, kind, holder.studentId],
    );
    return this.unseal(kind, holder, rows[0]);
  }

  private unseal(kind: CeremonyKind, holder: FactorHolder, row: CeremonyRow | undefined): string | undefined {
    return row && openText(decryptionKeys(this.settings), row.sealed, sealContext(kind, holder));
  }
}

const sealContext = (kind: CeremonyKind, { hash, studentId }: FactorHolder): string =>
  `second-factor:${kind}:${studentId}:${hash}`;

const MAX_NAME_LENGTH = 60;

/** @throws DomainError PASSKEY_NAME_INVALID */
export const requireFactorName = (name: string): string =>
  requireName(name, MAX_NAME_LENGTH, 'PASSKEY_NAME_INVALID', 'PASSKEY_NAME_INVALID');
