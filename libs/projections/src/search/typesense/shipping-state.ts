import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** A collection of ours, and how far the rows are in it. */
export interface KnownCollection {
  readonly name: string;
  /** Of the fields, and the generation of the projection whose rows are in it. */
  readonly shape: string;
  readonly generation: number;
  readonly version: number;
  readonly isServing: boolean;
}

export interface ReadSidePlace {
  readonly generation: number;
  readonly ordinal: number;
}

const LEASE_SECONDS = 15;
const RENEWED_AFTER_MS = 5_000;

/** Checkpoints of the shipping, and the right to ship, which one process has at a time. */
export class ShippingState {
  private readonly owner = randomUUID();
  private leadingUntil = 0;

  constructor(
    private readonly pool: Pool,
    private readonly prefix: string,
  ) {}

  /** Takes or keeps the right to ship: undefined where another process has it, `taken` where it is new. */
  async lead(): Promise<'taken' | 'kept' | undefined> {
    if (performance.now() < this.leadingUntil) return 'kept';
    const { rows } = await this.pool.query<{ was_owner: string | null }>({
      name: 'shipping-lead',
      text: `insert into state.search_shipping as s (prefix, owner, expires_at)
             values ($1, $2, clock_timestamp() + interval '${LEASE_SECONDS} s')
             on conflict (prefix) do update
             set former_owner = s.owner, owner = excluded.owner, expires_at = excluded.expires_at
             where s.owner = excluded.owner or s.expires_at < clock_timestamp()
               -- Longer than any lease runs: given by a clock that has stepped back since.
               or s.expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} s'
             returning former_owner as was_owner`,
      values: [this.prefix, this.owner],
    });
    const row = rows[0];
    this.leadingUntil = row ? performance.now() + RENEWED_AFTER_MS : 0;
    return row && (row.was_owner === this.owner ? 'kept' : 'taken');
  }

  async release(): Promise<void> {
    this.leadingUntil = 0;
    await this.pool.query(
      'update state.search_shipping set expires_at = clock_timestamp() where prefix = $1 and owner = $2',
      [this.prefix, this.owner],
    );
  }

  async collectionsOf(alias: string): Promise<KnownCollection[]> {
    const { rows } = await this.pool.query<KnownCollection>({
      name: 'shipping-collections',
      text: `select name, shape, generation, version::float8, is_serving as "isServing"
             from state.search_collections where alias = $1`,
      values: [alias],
    });
    return rows;
  }

  async add(alias: string, { name, shape, generation }: KnownCollection): Promise<void> {
    await this.pool.query(
      'insert into state.search_collections (name, alias, shape, generation) values ($1, $2, $3, $4)',
      [name, alias, shape, generation],
    );
  }

  /** A process that lost the right in the meantime moves nothing. */
  async advance(name: string, version: number): Promise<void> {
    await this.pool.query({
      name: 'shipping-advance',
      text: `update state.search_collections set version = $2
             where name = $1 and exists (select from state.search_shipping where prefix = $3 and owner = $4)`,
      values: [name, version, this.prefix, this.owner],
    });
  }

  /** From now on this one is searched; the others are forgotten. */
  async serve(alias: string, name: string): Promise<void> {
    await this.pool.query(
      `with forgotten as (delete from state.search_collections where alias = $1 and name <> $2)
       update state.search_collections set is_serving = true where name = $2`,
      [alias, name],
    );
  }

  async forget(name: string): Promise<void> {
    await this.pool.query('delete from state.search_collections where name = $1', [name]);
  }

  /** Of the projection whose rows are shipped; changes whenever there may be something new. */
  async readSide(): Promise<ReadSidePlace | undefined> {
    const { rows } = await this.pool.query<ReadSidePlace>({
      name: 'shipping-read-side',
      text: `select generation, ordinal::float8 from read.projection_generations
             where name = 'search' and status = 'live'`,
    });
    return rows[0];
  }
}
