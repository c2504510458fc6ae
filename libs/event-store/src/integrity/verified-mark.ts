import type { Pool } from 'pg';
import { isSignedBy, type PublicKey, type SigningKey, signStatement } from './signed-head.js';
import type { VerifiedPlace } from './verify-log.js';

const FORMAT = 'nimo.verified/1';

/** How far the log was verified, signed: whoever changes the log can write beside it, too, and must not say that it was looked at. */
export interface VerifiedMark {
  readonly format: typeof FORMAT;
  /** When the new events were last looked at, ISO 8601. */
  readonly at: string;
  /** What is new is looked at from here on. */
  readonly tail: VerifiedPlace;
  /** The round over the whole log that is under way. */
  readonly round: VerifiedPlace & { readonly startedAt: string };
  /** The last round that came to the end with nothing found. */
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
  /** Written by nobody who has the key. */
  | { readonly kind: 'forged' };

const LEASE_SECONDS = 60;
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} s'`;

/** @returns undefined where another process verifies */
export async function leadVerification(
  pool: Pool,
  owner: string,
  keys: readonly PublicKey[],
): Promise<MarkRead | undefined> {
  const { rows } = await pool.query<{ mark: unknown }>(
    `update state.log_verification set owner = $1, expires_at = ${LEASE}
     where owner = $1 or expires_at is null or expires_at < clock_timestamp()
       -- A lease that lasts longer than any is from before the server's clock was set back.
       or expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} s'
     returning mark`,
    [owner],
  );
  return rows[0] && markOf(rows[0].mark, keys);
}

export async function releaseVerification(pool: Pool, owner: string): Promise<void> {
  await pool.query('update state.log_verification set expires_at = null where owner = $1', [owner]);
}

/** However long a step took: what nobody else took since is still this process's. @returns whether it was */
export async function keepMark(
  pool: Pool,
  owner: string,
  said: Omit<VerifiedMark, 'format' | 'keyId'>,
  key: SigningKey,
): Promise<boolean> {
  const mark: VerifiedMark = { format: FORMAT, ...said, keyId: key.keyId };
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
  // The signature is over all of it: what is genuine was written by this code, and has its shape.
  if (mark?.format !== FORMAT || typeof signature !== 'string' || !key) return { kind: 'forged' };
  return isSignedBy(mark, signature, key) ? { kind: 'genuine', mark } : { kind: 'forged' };
}
