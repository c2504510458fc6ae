import type { Client } from 'typesense';
import type { Queryable } from '@nimo/projections';
import type { BulkImport } from './collection-follower.js';
import type { ShippedDocument, ShippedRows } from './shipped-rows.js';

export interface ReconcilerOptions {
  readonly client: Client;
  readonly db: Queryable;
  readonly bulk: BulkImport;
  readonly batchSize: number;
}

/**
 * Compares shipped documents with the rows, one version range at a time, in a cycle. Repairs late writes, rejected documents and restored
 * servers, at the cost of exporting ids and versions.
 */
export class Reconciler {
  private after = 0;

  constructor(
    private readonly rows: ShippedRows,
    private readonly options: ReconcilerOptions,
  ) {}

  /** Compares the next range up to `shippedVersion`. @returns the number of repaired documents */
  async next(collection: string, shippedVersion: number): Promise<number> {
    const { db, batchSize } = this.options;
    const from = this.after;
    const newer = await this.rows.newer(db, from, batchSize);
    const isLast = newer.length < batchSize || (newer.at(-1)?.version ?? 0) >= shippedVersion;
    const to = isLast ? shippedVersion : (newer.at(-1)?.version ?? shippedVersion);
    const shipped = await this.versionsIn(collection, from, isLast ? undefined : to);
    const wrong = new Set<string>();
    for (const { id, version, document } of newer) {
      if (document !== undefined && version <= to && shipped.get(id) !== version) wrong.add(id);
    }
    const right = new Map(
      newer.flatMap(({ document }) => (document ? [[document.id, document.version]] : [])),
    );
    for (const [id, version] of shipped) if (right.get(id) !== version) wrong.add(id);
    await this.repair(collection, [...wrong]);
    this.after = isLast ? 0 : to;
    return wrong.size;
  }

  private async versionsIn(
    collection: string,
    after: number,
    to: number | undefined,
  ): Promise<Map<string, number>> {
    const filter_by = `version:>${after}${to === undefined ? '' : ` && version:<=${to}`}`;
    const lines = await this.options.client
      .collections(collection)
      .documents()
      .export({ filter_by, include_fields: 'id,version' });
    const documents = lines.split('\n').filter((line) => line !== '');
    return new Map(
      documents.map((line) => {
        const { id, version } = JSON.parse(line) as ShippedDocument;
        return [id, version];
      }),
    );
  }

  /** Writes the current rows and removes documents without a row. */
  private async repair(collection: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { db, bulk } = this.options;
    const rows = await this.rows.withIds(db, ids);
    const known = new Set(rows.map(({ id }) => id));
    await bulk.put(collection, rows);
    await bulk.remove(
      collection,
      ids.filter((id) => !known.has(id)).map((id) => ({ id, owns: 'nothing' as const })),
    );
  }
}
