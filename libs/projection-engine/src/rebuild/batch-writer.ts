import { type Position, weightOfEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { type Checkpoint, LONG_TRANSACTION_MS, moveCheckpoint, renewLeases } from '../bookkeeping/leases.js';
import { TableFold } from '../folding/fold-batch.js';
import { eventTypesOf } from '../folding/handlers.js';
import { RowBuffer } from '../folding/row-buffer.js';
import { type ProjectedEvent, type RowChange, type Table, wrapFoldErrors } from '../projection.js';
import { BEGIN_BATCH, type GenerationTables } from '../generations/generation-tables.js';
import { inTransaction } from '../storage/transaction.js';
import type { ProjectedBatch } from './projected-batch.js';

export interface BatchWriterOptions {
  readonly from: Checkpoint;
  /** See `BatchEnd`. */
  readonly rebuilding: boolean;
}

/**
 * Writes one generation. Rows stay in memory until they are flushed in one transaction with the checkpoint. After a crash folding resumes
 * at the last flush.
 */
export class BatchWriter {
  private readonly pool: Pool;
  private readonly tables: GenerationTables;
  private readonly buffers: ReadonlyMap<string, RowBuffer>;
  /** Event types to keep for the batch end, which runs at each flush. */
  private readonly batchEndTypes: ReadonlySet<string>;
  private readonly rebuilding: boolean;
  private events: ProjectedEvent[] = [];
  private eventBytes = 0;
  private foldedTo: Checkpoint;
  private storedTo: Checkpoint;

  constructor(pool: Pool, tables: GenerationTables, { from, rebuilding }: BatchWriterOptions) {
    const { projection } = tables;
    this.pool = pool;
    this.tables = tables;
    this.rebuilding = rebuilding;
    this.foldedTo = this.storedTo = from;
    this.buffers = new Map(
      projection.tables.map(({ name }) => [name, new RowBuffer(from.position === null)]),
    );
    const { batchEnd } = projection;
    this.batchEndTypes = new Set(batchEnd && (batchEnd.eventTypes ?? eventTypesOf(projection)));
  }

  /** The position up to which events are folded. */
  get folded(): Checkpoint {
    return this.foldedTo;
  }

  /** The position up to which rows are in the database. */
  get stored(): Checkpoint {
    return this.storedTo;
  }

  get bytes(): number {
    let bytes = this.eventBytes;
    for (const buffer of this.buffers.values()) bytes += buffer.bytes;
    return bytes;
  }

  hasPassed(position: Position): boolean {
    return (this.foldedTo.position ?? '') >= position;
  }

  /**
   * Reads rows outside a transaction: another writer would move the checkpoint, and then the flush fails.
   * @throws the error of a fold; nothing of the batch is kept then
   */
  async fold({ events, to }: Pick<ProjectedBatch, 'events' | 'to'>): Promise<void> {
    const folds: TableFold[] = [];
    for (const table of this.tables.projection.tables) folds.push(await this.foldTable(table, events));
    // Without yielding, so that a concurrent flush sees all tables after the same event.
    for (const fold of folds) this.bufferOf(fold.name).put(fold.touched);
    this.keepEvents(events);
    this.foldedTo = to;
  }

  /**
   * Must not run concurrently. After an error the writer cannot be used any more.
   * @param evict drops the rows of earlier flushes from memory
   */
  async flush(evict = true): Promise<void> {
    const to = this.foldedTo;
    if (to.position === this.storedTo.position) return;
    const events = this.events;
    const changes = new Map<string, readonly RowChange[]>();
    for (const [name, buffer] of this.buffers) changes.set(name, buffer.take());
    this.events = [];
    this.eventBytes = 0;
    await this.write(changes, events, to);
    for (const buffer of this.buffers.values()) buffer.settle(evict);
    this.storedTo = to;
  }

  private async foldTable(table: Table, events: readonly ProjectedEvent[]): Promise<TableFold> {
    const fold = wrapFoldErrors(() => new TableFold(table, events));
    const missing = fold.missing(this.bufferOf(fold.name));
    await fold.run(await this.tables.load(this.pool, fold.name, missing));
    return fold;
  }

  private bufferOf(table: string): RowBuffer {
    const buffer = this.buffers.get(table);
    if (!buffer) throw new TypeError(`unknown table ${table}`);
    return buffer;
  }

  private keepEvents(events: readonly ProjectedEvent[]): void {
    if (this.batchEndTypes.size === 0) return;
    for (const event of events) {
      if (!this.batchEndTypes.has(event.type)) continue;
      this.events.push(event);
      this.eventBytes += weightOfEvent(event);
    }
  }

  private async write(
    changes: ReadonlyMap<string, readonly RowChange[]>,
    events: readonly ProjectedEvent[],
    to: Checkpoint,
  ): Promise<void> {
    const { lease } = this.tables;
    const move = { lease, from: this.storedTo, to };
    if ([...changes.values()].every(({ length }) => length === 0)) return moveCheckpoint(this.pool, move);
    await inTransaction(
      this.pool,
      async (client) => {
        const startedAt = performance.now();
        await moveCheckpoint(client, move);
        await this.tables.writeMany(client, changes);
        await this.tables.end(client, changes, {
          ...{ events, after: move.from.ordinal, rebuilding: this.rebuilding },
        });
        if (performance.now() - startedAt > LONG_TRANSACTION_MS) await renewLeases(client, [lease]);
      },
      BEGIN_BATCH,
    );
  }
}

/** Writes a single batch. @returns the checkpoint after it */
export async function applyBatch(
  pool: Pool,
  tables: GenerationTables,
  batch: ProjectedBatch,
  rebuilding = false,
): Promise<Checkpoint> {
  const writer = new BatchWriter(pool, tables, { from: batch.from, rebuilding });
  await writer.fold(batch);
  await writer.flush();
  return writer.stored;
}
