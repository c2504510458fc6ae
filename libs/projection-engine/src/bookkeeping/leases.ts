import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { READ_TYPES } from '../storage/column-values.js';
import { IS_FREE, LEASE_SECONDS } from './bookkeeping.js';

/** How a process is called among those that work. A maintainer finds it by the first two parts. */
export const newWorkerName = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

/** @param owner of a lease @returns whose it is */
export const workerOf = (owner: string): string => owner.slice(0, Math.max(0, owner.lastIndexOf('/')));

/**
 * The right to write one generation. The epoch grows with every holder, so a former one can be told from its successor; the
 * owner is another for every lease, since a generation's number may come again after it was dropped.
 */
export interface Lease {
  readonly name: string;
  readonly generation: number;
  readonly owner: string;
  readonly epoch: number;
}

/** The leases of one process, renewed together once a second. */
export class Leases {
  readonly #pool: Pool;
  readonly #worker: string;
  readonly #held = new Set<Lease>();
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, onError: (error: unknown) => void, worker = newWorkerName()) {
    this.#pool = pool;
    this.#worker = worker;
    this.#onError = onError;
  }

  /** Undefined where another holds it, or is busy with that row. */
  async acquire(name: string, generation: number): Promise<Lease | undefined> {
    const owner = `${this.#worker}/${randomUUID()}`;
    const { rows } = await this.#pool.query<{ epoch: number }>({
      text: `
        with free as (
          select name, generation from read.projection_generations
          where name = $1 and generation = $2 and ${IS_FREE}
          for update skip locked
        )
        update read.projection_generations g
        set owner = $3, epoch = g.epoch + 1, rate = 0, leased_at = clock_timestamp(), expires_at = clock_timestamp() + interval '${LEASE_SECONDS} s'
        from free where g.name = free.name and g.generation = free.generation
        returning g.epoch`,
      values: [name, generation, owner],
      types: READ_TYPES,
    });
    const row = rows[0];
    if (!row) return undefined;
    const lease: Lease = { name, generation, owner, epoch: row.epoch };
    this.#held.add(lease);
    this.#timer ??= setInterval(() => void this.#renew().catch(this.#onError), (LEASE_SECONDS * 1000) / 3);
    return lease;
  }

  async release(lease: Lease): Promise<void> {
    this.#held.delete(lease);
    if (this.#held.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await this.#pool.query(
      `update read.projection_generations set expires_at = clock_timestamp() - interval '1 ms'
       where name = $1 and generation = $2 and owner = $3 and epoch = $4`,
      [lease.name, lease.generation, lease.owner, lease.epoch],
    );
  }

  /** Which of these ran out. A row in a batch's hands looks so until that commits. */
  async lapsed(leases: readonly Lease[]): Promise<ReadonlySet<Lease>> {
    const { rows } = await this.#pool.query<{ owner: string }>(
      `select owner from read.projection_generations
       where owner = any($1::text[]) and expires_at <= clock_timestamp() for update skip locked`,
      [leases.map(({ owner }) => owner)],
    );
    const owners = new Set(rows.map(({ owner }) => owner));
    return new Set(leases.filter(({ owner }) => owners.has(owner)));
  }

  /** An expired lease is not revived: whoever was silent for so long applies anew. A row in a batch's hands renews itself. */
  async #renew(): Promise<void> {
    const held = [...this.#held];
    await this.#pool.query(
      `with mine as (
         select g.name, g.generation from read.projection_generations g
         join unnest($1::text[], $2::int[], $3::text[]) as l(name, generation, owner)
           on g.name = l.name and g.generation = l.generation and g.owner = l.owner
         where g.expires_at > clock_timestamp()
         order by g.name, g.generation for update of g skip locked
       )
       update read.projection_generations g set expires_at = clock_timestamp() + interval '${LEASE_SECONDS} s'
       from mine where g.name = mine.name and g.generation = mine.generation`,
      [
        held.map(({ name }) => name),
        held.map(({ generation }) => generation),
        held.map(({ owner }) => owner),
      ],
    );
  }
}
