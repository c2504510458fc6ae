import type { Position } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Projection } from '../projection.js';
import { dropGeneration, type Generation, listGenerations, replaceViews } from './generations.js';
import { LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import { LeaseLostError, type Lease } from '../bookkeeping/leases.js';
import type { Queryable } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** Maximum number of events that the live generation is paused for during a switch. */
export const MAX_FINAL_EVENTS = 500;

/**
 * Readers queue behind a pending lock on a view, so give up soon and try again. A frozen process must not keep the live generation's row
 * locked against its lease holder.
 */
const BEGIN_SHORT_LOCKS = `begin; set local lock_timeout = '50ms'; set local idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`;

/** @returns why no switch is allowed now; undefined if it is */
export type SwitchRefusal = () => Promise<Error | undefined>;

export interface SwitchOptions {
  readonly pool: Pool;
  readonly projection: Projection;
  readonly lease: Lease;
  /** Advances the generation to the position of the paused live one. */
  readonly finalCatchUp: (position: Position) => Promise<void>;
  /** Whether the generation has reached the end of the log. Called if the live one is ahead. */
  readonly isAtLogEnd: () => Promise<boolean>;
  readonly refusal?: SwitchRefusal | undefined;
}

/** An error is the reason for a refusal. */
type SwitchOutcome = 'switched' | 'behind' | 'held' | Error;

/**
 * Makes a generation that has caught up live: views and status change in one transaction. The live generation is paused for the last few
 * events, because it would stay ahead under constant writes.
 * @returns 'behind' if the live generation is far ahead: catch up and try again; 'held' if a maintainer decides when to switch
 */
export async function switchGeneration(options: SwitchOptions): Promise<SwitchOutcome> {
  // Before taking locks.
  const refused = await options.refusal?.();
  if (refused) return refused;
  return withShortLocks(options.pool, (client) => trySwitch(client, options));
}

/** Runs a transaction that may lock the live generation. Retries it if a lock is not granted soon. */
export async function withShortLocks<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await inTransaction(pool, work, BEGIN_SHORT_LOCKS);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      await delay(20 + Math.random() * 80);
    }
  }
}

async function trySwitch(
  client: Queryable,
  { projection, lease, finalCatchUp, isAtLogEnd }: SwitchOptions,
): Promise<'switched' | 'behind' | 'held'> {
  const { name, generation } = lease;
  await lockLive(client, name);
  const before = await candidates(client, lease);
  if (before.next.hold) return 'held';
  if (isAhead(before) && !(await isAtLogEnd())) {
    const { live, next } = before;
    if ((live?.ordinal ?? 0) - next.ordinal > MAX_FINAL_EVENTS) return 'behind';
    await finalCatchUp(live?.position ?? '');
  }
  await client.query(
    'select 1 from read.projection_generations where name = $1 order by generation for update',
    [name],
  );
  const now = await candidates(client, lease);
  if (isAhead(now) && !(await isAtLogEnd())) return 'behind';
  if (now.live) await retire(client, now.live);
  await makeLive(client, lease, now.live);
  await replaceViews(client, projection, now.live?.generation, generation);
  for (const { status, generation: old } of now.all) {
    if (status === 'former') await dropGeneration(client, name, old);
  }
  return 'switched';
}

/** Pauses the live generation until the end of the transaction. */
export async function lockLive(client: Queryable, name: string): Promise<void> {
  await client.query(
    `select 1 from read.projection_generations where name = $1 and status = 'live' for update`,
    [name],
  );
}

interface Candidates {
  readonly live: Generation | undefined;
  readonly next: Generation;
  readonly all: readonly Generation[];
}

async function candidates(client: Queryable, lease: Lease): Promise<Candidates> {
  const { name, generation, owner } = lease;
  const all = await listGenerations(client, [name]);
  const next = all.find((candidate) => candidate.generation === generation);
  if (next?.status !== 'building' || next.owner !== owner)
    throw new LeaseLostError(lease, 'can no longer be switched to by this process');
  return { live: all.find(({ status }) => status === 'live'), next, all };
}

function isAhead({ live, next }: Candidates): boolean {
  return (live?.position ?? '') > (next.position ?? '');
}

async function makeLive(
  client: Queryable,
  { name, generation }: Lease,
  former: Generation | undefined,
): Promise<void> {
  await client.query(
    `update read.projection_generations
     set status = 'live', switched_at = clock_timestamp(), asked = asked || jsonb_build_object('fromGeneration', $3::int)
     where name = $1 and generation = $2`,
    [name, generation, former?.generation ?? null],
  );
}

/** Revokes the lease as well, so that switching back starts from the stored checkpoint. */
async function retire(client: Queryable, { name, generation }: Generation): Promise<void> {
  await client.query(
    `update read.projection_generations set status = 'former', owner = null, epoch = epoch + 1, expires_at = null
     where name = $1 and generation = $2`,
    [name, generation],
  );
}
