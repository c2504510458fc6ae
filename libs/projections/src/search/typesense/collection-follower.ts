import { randomUUID } from 'node:crypto';
import { type Client, Errors } from 'typesense';
import type { Queryable } from '../../queryable.js';
import type { BulkImport } from './bulk-import.js';
import { INDEXED_SYMBOLS, shapeOf } from './search-collections.js';
import type { ShippedRows } from './shipped-rows.js';
import type { KnownCollection, ShippingState } from './shipping-state.js';

export interface CollectionFollowerOptions {
  readonly client: Client;
  readonly db: Queryable;
  readonly state: ShippingState;
  readonly bulk: BulkImport;
  readonly prefix: string;
  readonly rowsAtOnce: number;
}

/**
 * Brings the rows of one kind into the collection behind its alias. Another shape or generation of the rows is filled into
 * a collection beside it, which takes its place when it has caught up; the former one is followed until then.
 */
export class CollectionFollower {
  readonly alias: string;
  private readonly shape: string;

  constructor(
    readonly rows: ShippedRows,
    private readonly options: CollectionFollowerOptions,
  ) {
    this.alias = rows.alias(options.prefix);
    this.shape = shapeOf(rows.fields);
  }

  async serving(): Promise<KnownCollection | undefined> {
    const known = await this.options.state.collectionsOf(this.alias);
    return known.find(({ isServing }) => isServing);
  }

  /** One step. True where there is more to do at once. */
  async step(): Promise<boolean> {
    const place = await this.options.state.readSide();
    if (place === undefined) return false;
    const { generation } = place;
    const known = await this.options.state.collectionsOf(this.alias);
    const fits = (one: KnownCollection) => one.shape === this.shape && one.generation === generation;
    if (!known.some(fits)) {
      await this.begin(generation);
      return true;
    }
    let isMore = false;
    // Documents of other fields are not accepted by a collection of another shape: it waits to be replaced.
    for (const collection of known.filter(({ shape }) => shape === this.shape)) {
      const isBehind = await this.bringOn(collection);
      isMore ||= isBehind;
      if (!collection.isServing && !isBehind && fits(collection)) await this.serve(collection.name);
    }
    return isMore;
  }

  /** A collection beside the one that serves, filled from the first row on. */
  async begin(generation: number): Promise<void> {
    const { state, client } = this.options;
    const name = `${this.alias}_${generation}_${randomUUID().slice(0, 8)}`;
    const fields = [...this.rows.fields];
    await client.collections().create({ name, fields, symbols_to_index: INDEXED_SYMBOLS });
    for (const { name: other, isServing } of await state.collectionsOf(this.alias))
      if (!isServing) await state.forget(other);
    await state.add(this.alias, { name, shape: this.shape, generation, version: 0, isServing: false });
  }

  /** What is not as it is written down, on a server that lost it or is another one, is made anew; leftovers are dropped. */
  async compareWithServer(): Promise<void> {
    const { client, state } = this.options;
    const there = (await client.collections().retrieve({ exclude_fields: 'fields' })).map(({ name }) => name);
    const { aliases } = await client.aliases().retrieve();
    const known = await state.collectionsOf(this.alias);
    for (const { name, isServing } of known) {
      const isAliased = aliases.some((alias) => alias.name === this.alias && alias.collection_name === name);
      if (!there.includes(name) || (isServing && !isAliased)) await state.forget(name);
    }
    const kept = new Set((await state.collectionsOf(this.alias)).map(({ name }) => name));
    const served = aliases.find(({ name }) => name === this.alias)?.collection_name;
    for (const name of there) {
      const isOurs = name.startsWith(`${this.alias}_`);
      if (isOurs && !kept.has(name) && name !== served) await this.drop(name);
    }
  }

  private async bringOn({ name, version }: KnownCollection): Promise<boolean> {
    const { db, bulk, state, rowsAtOnce } = this.options;
    const rows = await this.rows.newer(db, version, rowsAtOnce);
    const last = rows.at(-1);
    if (!last) return false;
    try {
      await bulk.put(name, rows);
    } catch (error) {
      // Somebody dropped it: without it being known, it is made anew.
      if (error instanceof Errors.ObjectNotFound) await state.forget(name);
      throw error;
    }
    await state.advance(name, last.version);
    return rows.length >= rowsAtOnce;
  }

  /** First the alias: whatever stops us in between, the collection that is searched is there and is whole. */
  private async serve(name: string): Promise<void> {
    const { client, state } = this.options;
    const former = (await state.collectionsOf(this.alias)).filter((other) => other.name !== name);
    await client.aliases().upsert(this.alias, { collection_name: name });
    await state.serve(this.alias, name);
    for (const other of former) await this.drop(other.name);
  }

  private async drop(name: string): Promise<void> {
    try {
      await this.options.client.collections(name).delete();
    } catch (error) {
      if (!(error instanceof Errors.ObjectNotFound)) throw error;
    }
  }
}
