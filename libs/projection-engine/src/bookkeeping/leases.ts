import type { Position } from '@nimo/event-store';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { READ_TYPES } from '../storage/column-values.js';
import {
  EXPIRY,
  decaySql,
  IS_FREE,
  LEASE_SECONDS,
  PROJECTION_CHANNEL,
  type ProjectionError,
} from './bookkeeping.js';
import { planned } from '../storage/transaction.js';
import type { Queryable } from '../storage/table-statements.js';

/** Unique among workers; host and process id help maintainers find the process. */
export const newWorkerName = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

/** @param owner of a lease @returns the worker's name */
export const workerOf = (owner: string): string => owner.slice(0, Math.max(0, owner.lastIndexOf('/')));

/**
 * The exclusive right to write one generation. The epoch grows with every holder, so it fences off earlier ones. The owner is unique per
 * lease, because the number of a dropped generation may be used again.
 */
export interface Lease {
  readonly name: string;
  readonly generation: number;
  readonly owner: string;
  readonly epoch: number;
}

export const identityOf = ({ name, generation }: Pick<Lease, 'name' | 'generation'>): string =>
  `${name}:${generation}`;

/** Another process holds the lease, or the generation was replaced, dropped or stopped. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor(lease: Pick<Lease, 'name' | 'generation'>, reason = 'is no longer leased by this process') {
    super(`${identityOf(lease)} ${reason}`);
  }
}

/** The leases of one process, all renewed once a second. */
export class Leases {
  private readonly pool: Pool;
  private readonly worker: string;
  private readonly held = new Set<Lease>();
  private readonly onError: (error: unknown) => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, onError: (error: unknown) => void, worker = newWorkerName()) {
    this.pool = pool;
    this.worker = worker;
    this.onError = onError;
  }

  /** @returns undefined if another process holds the lease or has locked its row */
  async acquire(name: string, generation: number): Promise<Lease | undefined> {
    const owner = `${this.worker}/${randomUUID()}`;
    const { rows } = await this.pool.query<{ epoch: number }>({
      text: `
        with free as (
          select name, generation from read.projection_generations
          where name = $1 and generation = $2 and ${IS_FREE}
          for update skip locked
        )
        update read.projection_generations g
        set owner = $3, epoch = g.epoch + 1, rate = 0, leased_at = clock_timestamp(), expires_at = ${EXPIRY}
        from free where g.name = free.name and g.generation = free.generation
        returning g.epoch`,
      values: [name, generation, owner],
      types: READ_TYPES,
    });
    const row = rows[0];
    if (!row) return undefined;
    const lease: Lease = { name, generation, owner, epoch: row.epoch };
    this.held.add(lease);
    this.timer ??= setInterval(() => void this.renew().catch(this.onError), (LEASE_SECONDS * 1000) / 3);
    return lease;
  }

  async release(lease: Lease): Promise<void> {
    this.held.delete(lease);
    if (this.held.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    await this.pool.query(
      `update read.projection_generations set expires_at = clock_timestamp() - interval '1 ms'
       where name = $1 and generation = $2 and owner = $3 and epoch = $4`,
      [lease.name, lease.generation, lease.owner, lease.epoch],
    );
  }

  /** @returns the expired ones among the leases; rows locked by a batch are skipped, because it renews them on commit */
  async expired(leases: readonly Lease[]): Promise<ReadonlySet<Lease>> {
    const { rows } = await this.pool.query<{ owner: string }>(
      `select owner from read.projection_generations
       where owner = any($1::text[]) and expires_at <= clock_timestamp() for update skip locked`,
      [leases.map(({ owner }) => owner)],
    );
    const owners = new Set(rows.map(({ owner }) => owner));
    return new Set(leases.filter(({ owner }) => owners.has(owner)));
  }

  /** Skips expired leases, which must be acquired again, and rows locked by a batch, which renews them itself. */
  private async renew(): Promise<void> {
    const held = [...this.held];
    await this.pool.query(
      `with mine as (
         select g.name, g.generation from read.projection_generations g
         join unnest($1::text[], $2::int[], $3::text[]) as l(name, generation, owner)
           on g.name = l.name and g.generation = l.generation and g.owner = l.owner
         where g.expires_at > clock_timestamp()
         order by g.name, g.generation for update of g skip locked
       )
       update read.projection_generations g set expires_at = ${EXPIRY}
       from mine where g.name = mine.name and g.generation = mine.generation`,
      [
        held.map(({ name }) => name),
        held.map(({ generation }) => generation),
        held.map(({ owner }) => owner),
      ],
    );
  }
}

export interface Checkpoint {
  readonly position: Position | null;
  readonly ordinal: number;
}

export interface CheckpointMove {
  readonly lease: Lease;
  readonly from: Checkpoint;
  readonly to: Checkpoint;
}

/** SQL: seconds since the last move of the checkpoint or the start of the lease. */
const ELAPSED_SECONDS = `greatest(extract(epoch from clock_timestamp() - greatest(g.updated_at, g.leased_at)), 0.0001)::float8`;

/**
 * The only statement that moves checkpoints: only from the expected position, only with an unexpired lease, and announced on commit.
 * `clock_timestamp()`, because `now()` is fixed at the start of a transaction, which may have been frozen since. The commit does not wait
 * for the disk: notifying commits are serialized, and events undone by a crash are folded again.
 */
const moveSql = (locking: string): string => `
  with requested as materialized (
    select w.*, set_config('synchronous_commit', 'off', true)
    from unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
      as w(name, generation, epoch, owner, old_position, new_position, new_ordinal)
  ), held as materialized (
    select g.name, g.generation, w.new_position, w.new_ordinal
    from requested w join read.projection_generations g on g.name = w.name and g.generation = w.generation
    where g.position is not distinct from w.old_position
      and g.owner = w.owner and g.epoch = w.epoch and g.expires_at > clock_timestamp()
      and g.status <> 'former' and g.error is null
    for update of g${locking}
  ), moved as (
    update read.projection_generations g
    set position = w.new_position, ordinal = w.new_ordinal, updated_at = clock_timestamp(), expires_at = ${EXPIRY},
      rate = g.rate + (1 - ${decaySql(ELAPSED_SECONDS)}) * ((w.new_ordinal - g.ordinal) / ${ELAPSED_SECONDS} - g.rate)
    from held w
    where g.name = w.name and g.generation = w.generation
    returning g.name, g.generation, g.status, g.position
  ), notified as (
    select pg_notify('${PROJECTION_CHANNEL}', string_agg(name || ':' || position, ',')) from moved
    where status = 'live' having count(*) > 0
  )
  select name, generation, (select count(*) from notified) from moved`;

/**
 * - waiting: waits for rows locked by a switch or a renewal
 * - unless held: skips checkpoints whose row is locked
 */
const MOVES = { waiting: moveSql(''), 'unless held': moveSql(' skip locked') } as const;

/** @returns the leases whose checkpoints moved */
export async function moveCheckpoints(
  client: Queryable,
  moves: readonly CheckpointMove[],
  mode: keyof typeof MOVES,
): Promise<ReadonlySet<Lease>> {
  const { rows } = await client.query<{ name: string; generation: number }>(planned(MOVES[mode], 'once'), [
    moves.map(({ lease }) => lease.name),
    moves.map(({ lease }) => lease.generation),
    moves.map(({ lease }) => lease.epoch),
    moves.map(({ lease }) => lease.owner),
    moves.map(({ from }) => from.position),
    moves.map(({ to }) => to.position),
    moves.map(({ to }) => to.ordinal),
  ]);
  const moved = new Set(rows.map(identityOf));
  return new Set(moves.map(({ lease }) => lease).filter((lease) => moved.has(identityOf(lease))));
}

/** The first statement of a batch's transaction, so nothing is written without the lease. @throws LeaseLostError */
export async function moveCheckpoint(client: Queryable, move: CheckpointMove): Promise<void> {
  const moved = await moveCheckpoints(client, [move], 'waiting');
  if (moved.size === 0) throw new LeaseLostError(move.lease);
}

/** Longer transactions renew their leases before the commit. */
export const LONG_TRANSACTION_MS = (LEASE_SECONDS * 1000) / 3;

/** For the end of a long transaction, whose row locks have blocked the regular renewal. */
export async function renewLeases(client: Queryable, leases: readonly Lease[]): Promise<void> {
  await client.query(
    `update read.projection_generations g set expires_at = ${EXPIRY}
     from unnest($1::text[], $2::int[]) as l(name, generation) where g.name = l.name and g.generation = l.generation`,
    [leases.map(({ name }) => name), leases.map(({ generation }) => generation)],
  );
}

/** Stores why a generation stopped at its checkpoint. @throws LeaseLostError */
export async function stopGeneration(
  pool: Pool,
  lease: Lease,
  position: Position | null,
  error: ProjectionError,
): Promise<void> {
  const { name, generation, owner, epoch } = lease;
  const { rowCount } = await pool.query(
    `with stopped as (
       update read.projection_generations set error = $5, updated_at = clock_timestamp()
       where name = $1 and generation = $2 and owner = $3 and epoch = $4 and expires_at > clock_timestamp()
         and position is not distinct from $6
       returning name, status
     )
     select case when status = 'live' then pg_notify('${PROJECTION_CHANNEL}', name || ':') end from stopped`,
    [name, generation, owner, epoch, JSON.stringify(error), position],
  );
  // Without the lease another process may have changed or dropped the tables, so the event may not be the cause.
  if (rowCount === 0) throw new LeaseLostError(lease);
}
