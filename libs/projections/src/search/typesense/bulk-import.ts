import type { Client, ImportResponse } from 'typesense';
import { pause } from '@nimo/projection-engine';
import type { ShippedDocument, ShippedRow } from './shipped-rows.js';
import { isOneOf } from './typesense-filter.js';

export interface BulkImportOptions {
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
