import type { Pool } from 'pg';
import type { Position } from '@nimo/event-store';
import { LEASE_SECONDS, PROJECTION_CHANNEL, RATE_SECONDS } from './bookkeeping.js';
import type { Lease } from './leases.js';
import { planned } from './planning.js';
import type { Querying } from './table-statements.js';

export interface Checkpoint {
  readonly position: Position | null;
  readonly ordinal: number;
}

export interface CheckpointMove {
  readonly lease: Lease;
  readonly from: Checkpoint;
  readonly to: Checkpoint;
}

/** Someone else leads this generation, or it was switched off, dropped or stopped. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

const EXPIRY = `clock_timestamp() + interval '${LEASE_SECONDS} s'`;

/** Seconds since the checkpoint moved last, or since the lease began. */
const SINCE = `greatest(extract(epoch from clock_timestamp() - greatest(g.updated_at, g.leased_at)), 0.0001)::float8`;

/**
 * The one place where a checkpoint moves: only from where it was, only by the holder of an unexpired lease, and announced
 * when the transaction commits. `clock_timestamp()`, since `now()` stands still in a transaction that was frozen. The commit does not
 * wait for the disk, also where the move stands alone: a commit that notifies holds up all others that do, appends among them, and
 * what a crash takes back is folded again.
 */
const MOVE = `
  with wanted as materialized (
    select w.*, set_config('synchronous_commit', 'off', true)
    from unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
      as w(name, generation, epoch, owner, old_position, new_position, new_ordinal)
  ), moved as (
    update read.projection_generations g
    set position = w.new_position, ordinal = w.new_ordinal, updated_at = clock_timestamp(), expires_at = ${EXPIRY},
      rate = g.rate + (1 - exp(-${SINCE} / ${RATE_SECONDS})) * ((w.new_ordinal - g.ordinal) / ${SINCE} - g.rate)
    from wanted w
    where g.name = w.name and g.generation = w.generation and g.position is not distinct from w.old_position
      and g.owner = w.owner and g.epoch = w.epoch and g.expires_at > clock_timestamp()
      and g.status <> 'former' and g.error is null
    returning g.name, g.generation, g.status, g.position
  )
  select name, generation, case when status = 'live' then pg_notify('${PROJECTION_CHANNEL}', name || ':' || position) end
  from moved`;

async function move(client: Querying, moves: readonly CheckpointMove[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string; generation: number }>(planned(MOVE, 'once'), [
    moves.map(({ lease }) => lease.name),
    moves.map(({ lease }) => lease.generation),
    moves.map(({ lease }) => lease.epoch),
    moves.map(({ lease }) => lease.owner),
    moves.map(({ from }) => from.position),
    moves.map(({ to }) => to.position),
    moves.map(({ to }) => to.ordinal),
  ]);
  return new Set(rows.map(identityOf));
}

function identityOf({ name, generation }: { readonly name: string; readonly generation: number }): string {
  return `${name}:${generation}`;
}

/** First statement of a batch's transaction: whoever may not write finds out before it wrote. */
export async function moveCheckpoint(client: Querying, wanted: CheckpointMove): Promise<void> {
  const moved = await move(client, [wanted]);
  if (moved.size === 0)
    throw new LeaseLostError(`${identityOf(wanted.lease)} is no longer led by this process`);
}

/** At the end of a transaction that took long: nobody else could renew the lease, whose row it holds. */
export async function prolongLease(client: Querying, { name, generation }: Lease): Promise<void> {
  await client.query(
    `update read.projection_generations set expires_at = ${EXPIRY} where name = $1 and generation = $2`,
    [name, generation],
  );
}

interface PendingMove extends CheckpointMove {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Most events concern few projections. The others' checkpoints move together: one statement at a time, for all who came meanwhile. */
export class CheckpointMoves {
  readonly #pool: Pool;
  #pending: PendingMove[] = [];
  #isRunning = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async move(wanted: CheckpointMove): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...wanted, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // One turn of the loop, for all who were woken by the same events.
    await new Promise(setImmediate);
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        const moved = await move(this.#pool, batch);
        for (const { lease, resolve, reject } of batch) {
          if (moved.has(identityOf(lease))) resolve();
          else reject(new LeaseLostError(`${identityOf(lease)} is no longer led by this process`));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
