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
  /** Base delay before failed documents are sent again. */
  readonly retryMs: number;
}

const ATTEMPTS = 3;
/** The client itself has no import timeout. */
const IMPORT_TIMEOUT_MS = 60_000;
/** Deletions list ids in the URL, which is limited to 4,000 characters. */
const DELETE_BATCH_SIZE = 40;

/** Writes rows to a collection or removes them. Retries only the failed documents. */
export class BulkImport {
  constructor(private readonly options: BulkImportOptions) {}

  /** Reports documents that fail all attempts and leaves them to the reconciler, so that one does not block the others. */
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
    for (let start = 0; start < ids.length; start += DELETE_BATCH_SIZE) {
      const filter_by = isOneOf(field, ids.slice(start, start + DELETE_BATCH_SIZE));
      await this.options.client.collections(collection).documents().delete({ filter_by });
    }
  }

  private async import(collection: string, documents: readonly ShippedDocument[]) {
    const importing = this.options.client
      .collections<ShippedDocument>(collection)
      .documents()
      .import([...documents], { action: 'upsert', throwOnFail: false });
    const answers = await withTimeout(IMPORT_TIMEOUT_MS, this.options.signal, importing);
    if (answers.length !== documents.length)
      throw new Error(`Typesense returned ${answers.length} results for ${documents.length} documents`);
    return documents.flatMap((document, index) => {
      const error = errorIn(answers[index]);
      return error === undefined ? [] : [{ document, error }];
    });
  }

  private report({ id, version }: ShippedDocument, error: string): void {
    this.options.onError(new Error(`Typesense rejected document ${id}, version ${version}: ${error}`));
  }
}

const errorIn = (answer: ImportResponse | undefined): string | undefined =>
  answer?.success === true ? undefined : (answer?.error ?? 'no answer');

async function withTimeout<Value>(
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
  readonly batchSize: number;
}

/**
 * Ships the rows of one kind to the collection behind its alias. A new shape or generation fills a second collection, which replaces the
 * first once it has caught up; until then both are updated.
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

  /** Ships one batch. @returns whether more is pending */
  async step(): Promise<boolean> {
    const position = await this.options.state.readSidePosition();
    if (position === undefined) return false;
    const { generation } = position;
    const known = await this.options.state.collectionsOf(this.alias);
    const fits = (one: KnownCollection) => one.shape === this.shape && one.generation === generation;
    if (!known.some(fits)) {
      await this.createCollection(generation);
      return true;
    }
    let isMore = false;
    // A collection of another shape rejects the documents and waits for its replacement.
    for (const collection of known.filter(({ shape }) => shape === this.shape)) {
      const isBehind = await this.catchUp(collection);
      isMore ||= isBehind;
      if (!collection.isServing && !isBehind && fits(collection)) await this.serve(collection.name);
    }
    return isMore;
  }

  /** Creates an empty collection next to the serving one. */
  async createCollection(generation: number): Promise<void> {
    const { state, client } = this.options;
    const name = `${this.alias}_${generation}_${randomUUID().slice(0, 8)}`;
    const fields = [...this.rows.fields];
    await client.collections().create({ name, fields, symbols_to_index: INDEXED_SYMBOLS });
    for (const { name: other, isServing } of await state.collectionsOf(this.alias))
      if (!isServing) await state.forget(other);
    await state.add(this.alias, { name, shape: this.shape, generation, version: 0, isServing: false });
  }

  /** Forgets collections that the server lost, so that they are recreated, and drops leftovers. */
  async compareWithServer(): Promise<void> {
    const { client, state } = this.options;
    const existing = (await client.collections().retrieve({ exclude_fields: 'fields' })).map(
      ({ name }) => name,
    );
    const { aliases } = await client.aliases().retrieve();
    const known = await state.collectionsOf(this.alias);
    for (const { name, isServing } of known) {
      const isAliased = aliases.some((alias) => alias.name === this.alias && alias.collection_name === name);
      if (!existing.includes(name) || (isServing && !isAliased)) await state.forget(name);
    }
    const kept = new Set((await state.collectionsOf(this.alias)).map(({ name }) => name));
    const served = aliases.find(({ name }) => name === this.alias)?.collection_name;
    for (const name of existing) {
      const isOurs = name.startsWith(`${this.alias}_`);
      if (isOurs && !kept.has(name) && name !== served) await this.drop(name);
    }
  }

  private async catchUp({ name, version }: KnownCollection): Promise<boolean> {
    const { db, bulk, state, batchSize } = this.options;
    const rows = await this.rows.newer(db, version, batchSize);
    const last = rows.at(-1);
    if (!last) return false;
    try {
      await bulk.put(name, rows);
    } catch (error) {
      // Dropped by someone else: forget it, so that it is recreated.
      if (error instanceof Errors.ObjectNotFound) await state.forget(name);
      throw error;
    }
    await state.advance(name, last.version);
    return rows.length >= batchSize;
  }

  /** Switches the alias first, so that searches always use a complete collection, even after a crash. */
  private async serve(name: string): Promise<void> {
    const { client, state } = this.options;
    const old = (await state.collectionsOf(this.alias)).filter((other) => other.name !== name);
    await client.aliases().upsert(this.alias, { collection_name: name });
    await state.serve(this.alias, name);
    for (const other of old) await this.drop(other.name);
  }

  private async drop(name: string): Promise<void> {
    try {
      await this.options.client.collections(name).delete();
    } catch (error) {
      if (!(error instanceof Errors.ObjectNotFound)) throw error;
    }
  }
}
