import { type Client, Errors, type ImportResponse } from 'typesense';
import { pause } from '@nimo/projection-engine';
import { randomUUID } from 'node:crypto';
import type {
  KnownCollection,
  ShippedDocument,
  ShippedRow,
  ShippedRows,
  ShippingState,
} from './shipped-rows.js';
import { INDEXED_SYMBOLS, isOneOf, shapeOf } from './typesense-client.js';
import type { Queryable } from '@nimo/projections';

interface BulkImportOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Before lines that failed are sent again. */
  readonly retryMs: number;
}

const ATTEMPTS = 3;
/** The client gives an import all the time in the world. */
const IMPORT_MS = 60_000;
/** Deletions name their documents in the address, which has 4,000 letters at most. */
const IDS_AT_ONCE = 40;

/** Puts rows into a collection, or takes them out. A line that fails is sent again, and no other. */
export class BulkImport {
  constructor(private readonly options: BulkImportOptions) {}

  /** Lines that fail for good are reported and left to the reconciler: one document must not hold up the others. */
  async put(collection: string, rows: readonly ShippedRow[]): Promise<void> {
    let documents = rows.flatMap(({ document }) => document ?? []);
    for (let attempt = 1; documents.length > 0; attempt += 1) {
      const failed = await this.import(collection, documents);
      if (attempt === ATTEMPTS) for (const { document, error } of failed) this.report(document, error);
      if (attempt === ATTEMPTS || failed.length === 0) break;
      await pause(this.options.retryMs * attempt, this.options.signal);
      this.options.signal.throwIfAborted();
      documents = failed.map(({ document }) => document);
    }
    await this.remove(
      collection,
      rows.filter(({ document }) => document === undefined),
    );
  }

  async remove(collection: string, rows: readonly Pick<ShippedRow, 'id' | 'owns'>[]): Promise<void> {
    await this.removeBy(
      collection,
      'id',
      rows.map(({ id }) => id),
    );
    const owners = rows.filter(({ owns }) => owns === 'answers').map(({ id }) => id);
    await this.removeBy(collection, 'question_id', owners);
  }

  private async removeBy(collection: string, field: string, ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
      const filter_by = isOneOf(field, ids.slice(start, start + IDS_AT_ONCE));
      await this.options.client.collections(collection).documents().delete({ filter_by });
    }
  }

  private async import(collection: string, documents: readonly ShippedDocument[]) {
    const importing = this.options.client
      .collections<ShippedDocument>(collection)
      .documents()
      .import([...documents], { action: 'upsert', throwOnFail: false });
    const answers = await within(IMPORT_MS, this.options.signal, importing);
    if (answers.length !== documents.length)
      throw new Error(`Typesense answered ${answers.length} lines to ${documents.length} documents`);
    return documents.flatMap((document, place) => {
      const error = errorIn(answers[place]);
      return error === undefined ? [] : [{ document, error }];
    });
  }

  private report({ id, version }: ShippedDocument, error: string): void {
    this.options.onError(new Error(`Typesense refuses document ${id} of version ${version}: ${error}`));
  }
}

const errorIn = (answer: ImportResponse | undefined): string | undefined =>
  answer?.success === true ? undefined : (answer?.error ?? 'no answer');

async function within<Value>(
  milliseconds: number,
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  over.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(over.reason instanceof Error ? over.reason : new Error('aborted'));
    over.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) over.removeEventListener('abort', stop);
  }
}

interface CollectionFollowerOptions {
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
