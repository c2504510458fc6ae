import type { Position } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Projection } from '../projection.js';
import { dropGeneration, type Generation, listGenerations, replaceViews } from './generations.js';
import { LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import { LeaseLostError, type Lease } from '../bookkeeping/leases.js';
import type { Querying } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** As many events as the live generation is kept waiting for. */
export const LAST_STEP = 500;

/**
 * Waiting for a view's lock makes all later readers wait, so give up soon and try again. A process that freezes in here must not
 * hold the live generation's row against its lease holder.
 */
const BEGIN_HELD = `begin; set local lock_timeout = '50ms'; set local idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`;

/** Undefined where there is nothing against a switch. */
export type SwitchRefusal = () => Promise<Error | undefined>;

export interface Switch {
  readonly pool: Pool;
  readonly projection: Projection;
  readonly lease: Lease;
  /** Takes the generation on to where the live one is, which waits meanwhile. */
  readonly lastStep: (position: Position) => Promise<void>;
  /** Whether the generation has all that the log has; asked where the live one is further on all the same. */
  readonly isWholeLog: () => Promise<boolean>;
  /** Why nothing may be switched now. */
  readonly refusal?: SwitchRefusal | undefined;
}

/** An error: why it is refused. */
type SwitchOutcome = 'switched' | 'behind' | 'held' | Error;

/**
 * Puts a generation that has caught up in the live one's place, views and status in one transaction. The live one stands still for the last few events:
 * otherwise, while much is written, it would always be ahead.
 * @returns 'behind' where the live one is far ahead: catch up further and try again; 'held' where a maintainer says when
 */
export async function switchGeneration(given: Switch): Promise<SwitchOutcome> {
  // Looked up before the locks.
  const refused = await given.refusal?.();
  if (refused) return refused;
  return whileHeld(given.pool, (client) => trySwitch(client, given));
}

/** In a transaction that may hold the live generation. Rolled back and begun again where a lock does not come soon. */
export async function whileHeld<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await inTransaction(pool, work, BEGIN_HELD);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      await delay(20 + Math.random() * 80);
    }
  }
}

async function trySwitch(
  client: Querying,
  { projection, lease, lastStep, isWholeLog }: Switch,
): Promise<'switched' | 'behind' | 'held'> {
  const { name, generation } = lease;
  await holdLive(client, name);
  const before = await candidates(client, lease);
  if (before.next.hold) return 'held';
  if (isAhead(before) && !(await isWholeLog())) {
    const { live, next } = before;
    if ((live?.ordinal ?? 0) - next.ordinal > LAST_STEP) return 'behind';
    await lastStep(live?.position ?? '');
  }
  await client.query(
    'select 1 from read.projection_generations where name = $1 order by generation for update',
    [name],
  );
  const now = await candidates(client, lease);
  if (isAhead(now) && !(await isWholeLog())) return 'behind';
  if (now.live) await retire(client, now.live);
  await makeLive(client, lease, now.live);
  await replaceViews(client, projection, now.live?.generation, generation);
  for (const { status, generation: old } of now.all) {
    if (status === 'former') await dropGeneration(client, name, old);
  }
  return 'switched';
}

/** Until the transaction ends: the live generation goes no further. */
export async function holdLive(client: Querying, name: string): Promise<void> {
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

async function candidates(client: Querying, lease: Lease): Promise<Candidates> {
  const { name, generation, owner } = lease;
  const all = await listGenerations(client, [name]);
  const next = all.find((candidate) => candidate.generation === generation);
  if (next?.status !== 'building' || next.owner !== owner)
    throw new LeaseLostError(lease, 'is not for this process to switch to');
  return { live: all.find(({ status }) => status === 'live'), next, all };
}

function isAhead({ live, next }: Candidates): boolean {
  return (live?.position ?? '') > (next.position ?? '');
}

async function makeLive(
  client: Querying,
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

/** Its leader is out of office at once, so that a way back starts from the stored checkpoint. */
async function retire(client: Querying, { name, generation }: Generation): Promise<void> {
  await client.query(
    `update read.projection_generations set status = 'former', owner = null, epoch = epoch + 1, expires_at = null
     where name = $1 and generation = $2`,
    [name, generation],
  );
}
