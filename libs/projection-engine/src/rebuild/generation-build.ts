import { type Position, weightOfEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { type Checkpoint, LONG_MS, moveCheckpoint, prolongLeases } from '../bookkeeping/leases.js';
import { folding, eventTypesOf } from '../folding/handlers.js';
import { TableFold } from '../folding/fold-batch.js';
import { RowBuffer } from '../folding/row-buffer.js';
import type { ProjectedEvent, RowChange, Table } from '../projection.js';
import { inTransaction } from '../storage/transaction.js';
import { BEGIN_BATCH, type GenerationTables } from '../storage/generation-tables.js';

/** Events in a row, as folds see them. */
export interface FoldedPage {
  readonly events: readonly ProjectedEvent[];
  readonly to: Checkpoint;
}

/**
 * One generation while it is built: rows stay in memory until they are flushed, each once, in one transaction with the checkpoint. What dies in
 * between is folded again from the last flush on.
 */
export class GenerationBuild {
  readonly #pool: Pool;
  readonly #tables: GenerationTables;
  readonly #buffers: ReadonlyMap<string, RowBuffer>;
  /** Of the end of a batch, which happens at a flush. */
  readonly #typesOfEnd: ReadonlySet<string>;
  readonly #rebuilding: boolean;
  #events: ProjectedEvent[] = [];
  #eventBytes = 0;
  #folded: Checkpoint;
  #stored: Checkpoint;

  /** @param given.rebuilding see `BatchEnd` */
  constructor(
    pool: Pool,
    tables: GenerationTables,
    { from, rebuilding }: { readonly from: Checkpoint; readonly rebuilding: boolean },
  ) {
    const { projection } = tables;
    this.#pool = pool;
    this.#tables = tables;
    this.#rebuilding = rebuilding;
    this.#folded = this.#stored = from;
    this.#buffers = new Map(
      projection.tables.map(({ name }) => [name, new RowBuffer(from.position === null)]),
    );
    const { batchEnd } = projection;
    this.#typesOfEnd = new Set(batchEnd && (batchEnd.looksAt ?? eventTypesOf(projection)));
  }

  /** Up to where it has folded. */
  get folded(): Checkpoint {
    return this.#folded;
  }

  /** Up to where it is in the database. */
  get stored(): Checkpoint {
    return this.#stored;
  }

  get bytes(): number {
    let bytes = this.#eventBytes;
    for (const buffer of this.#buffers.values()) bytes += buffer.bytes;
    return bytes;
  }

  hasPassed(position: Position): boolean {
    return (this.#folded.position ?? '') >= position;
  }

  /** @throws what a fold throws; nothing of the page is kept then */
  async fold({ events, to }: FoldedPage): Promise<void> {
    const folds: TableFold[] = [];
    for (const table of this.#tables.projection.tables) folds.push(await this.#foldTable(table, events));
    // At once: who takes what there is finds all tables as they are after one event.
    for (const fold of folds) this.#bufferOf(fold.name).put(fold.touched);
    this.#keepEvents(events);
    this.#folded = to;
  }

  /**
   * Not before the last one has ended.
   * @param forgets what was written before: it is looked up again where it is needed
   * @throws what went wrong, and then this build is of no more use
   */
  async flush(forgets = true): Promise<void> {
    const to = this.#folded;
    if (to.position === this.#stored.position) return;
    const events = this.#events;
    const changes = new Map<string, readonly RowChange[]>();
    for (const [name, buffer] of this.#buffers) changes.set(name, buffer.take());
    this.#events = [];
    this.#eventBytes = 0;
    await this.#write(changes, events, to);
    for (const buffer of this.#buffers.values()) buffer.settle(forgets);
    this.#stored = to;
  }

  async #foldTable(table: Table, events: readonly ProjectedEvent[]): Promise<TableFold> {
    const fold = folding(() => new TableFold(table, events));
    const missing = fold.missing(this.#bufferOf(fold.name));
    await fold.run(await this.#tables.load(this.#pool, fold.name, missing));
    return fold;
  }

  #bufferOf(table: string): RowBuffer {
    const buffer = this.#buffers.get(table);
    if (!buffer) throw new TypeError(`there is no table ${table}`);
    return buffer;
  }

  #keepEvents(events: readonly ProjectedEvent[]): void {
    if (this.#typesOfEnd.size === 0) return;
    for (const event of events) {
      if (!this.#typesOfEnd.has(event.type)) continue;
      this.#events.push(event);
      this.#eventBytes += weightOfEvent(event);
    }
  }

  async #write(
    changes: ReadonlyMap<string, readonly RowChange[]>,
    events: readonly ProjectedEvent[],
    to: Checkpoint,
  ): Promise<void> {
    const { lease } = this.#tables;
    const move = { lease, from: this.#stored, to };
    if ([...changes.values()].every(({ length }) => length === 0)) return moveCheckpoint(this.#pool, move);
    await inTransaction(
      this.#pool,
      async (client) => {
        const begunAt = performance.now();
        await moveCheckpoint(client, move);
        await this.#tables.writeMany(client, changes);
        await this.#tables.end(client, changes, {
          ...{ events, after: move.from.ordinal, rebuilding: this.#rebuilding },
        });
        if (performance.now() - begunAt > LONG_MS) await prolongLeases(client, [lease]);
      },
      BEGIN_BATCH,
    );
  }
}
