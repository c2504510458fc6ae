import type { Pool } from 'pg';
import { isSignedBy, type PublicKey, type SigningKey, signStatement } from './signed-head.js';
import type { VerifiedPlace } from './verify-log.js';

const FORMAT = 'nimo.verified/1';

/** Verification progress. Signed, since anyone who can change the log could otherwise claim that it was verified. */
export interface VerifiedMark {
  readonly format: typeof FORMAT;
  /** When new events were last verified, ISO 8601. */
  readonly at: string;
  /** New events are verified from here. */
  readonly tail: VerifiedPlace;
  /** The current round over the whole log. */
  readonly round: VerifiedPlace & { readonly startedAt: string };
  /** The last complete round without mismatches. */
  readonly whole: { readonly ordinal: number; readonly at: string } | null;
  readonly keyId: string;
}

interface StoredMark {
  readonly mark: VerifiedMark;
  readonly signature: string;
}

export type MarkRead =
  | { readonly kind: 'none' }
  | { readonly kind: 'genuine'; readonly mark: VerifiedMark }
  /** Not signed with a known key. */
  | { readonly kind: 'forged' };

const LEASE_SECONDS = 60;
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} s'`;

/** @returns undefined if another process holds the lease */
export async function acquireVerificationLease(
  pool: Pool,
  owner: string,
  keys: readonly PublicKey[],
): Promise<MarkRead | undefined> {
  const { rows } = await pool.query<{ mark: unknown }>(
    `update state.log_verification set owner = $1, expires_at = ${LEASE}
     where owner = $1 or expires_at is null or expires_at < clock_timestamp()
       -- Longer than any lease: the clock has been set back since.
       or expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} s'
     returning mark`,
    [owner],
  );
  return rows[0] && markOf(rows[0].mark, keys);
}

export async function releaseVerificationLease(pool: Pool, owner: string): Promise<void> {
  await pool.query('update state.log_verification set expires_at = null where owner = $1', [owner]);
}

/**
 * Works even if the lease has expired, as long as no other process has acquired it.
 * @returns whether the lease was still held
 */
export async function saveMark(
  pool: Pool,
  owner: string,
  progress: Omit<VerifiedMark, 'format' | 'keyId'>,
  key: SigningKey,
): Promise<boolean> {
  const mark: VerifiedMark = { format: FORMAT, ...progress, keyId: key.keyId };
  const stored: StoredMark = { mark, signature: signStatement(mark, key) };
  const { rowCount } = await pool.query(
    `update state.log_verification set mark = $2, expires_at = ${LEASE} where owner = $1`,
    [owner, JSON.stringify(stored)],
  );
  return rowCount === 1;
}

export async function readMark(pool: Pool, keys: readonly PublicKey[]): Promise<MarkRead> {
  const { rows } = await pool.query<{ mark: unknown }>('select mark from state.log_verification');
  return markOf(rows[0]?.mark, keys);
}

function markOf(value: unknown, keys: readonly PublicKey[]): MarkRead {
  if (value === null || value === undefined) return { kind: 'none' };
  const { mark, signature } = value as Partial<StoredMark>;
  const key = keys.find(({ keyId }) => keyId === mark?.keyId);
  // The signature covers everything, so a genuine mark was written by this code and has its shape.
  if (mark?.format !== FORMAT || typeof signature !== 'string' || !key) return { kind: 'forged' };
  return isSignedBy(mark, signature, key) ? { kind: 'genuine', mark } : { kind: 'forged' };
}
