import type { Pool } from 'pg';
import type { RecordedEvent } from '@nimo/event-store';
import { type Checkpoint, LONG_MS, moveCheckpoint, prolongLeases } from '../bookkeeping/leases.js';
import { folding } from '../folding/handlers.js';
import { TableFold } from '../folding/fold-batch.js';
import type { RowChange, Table } from '../projection.js';
import { inTransaction } from '../storage/transaction.js';
import { BEGIN_BATCH, type Changes, type GenerationTables } from '../storage/generation-tables.js';
import { projectedBatch, type ProjectedBatch } from './projected-batch.js';

export interface BatchOptions {
  /** See `BatchEnd`. */
  readonly rebuilding: boolean;
  /** Ids of events that a maintainer decided to leave out. */
  readonly skipped: ReadonlySet<string>;
}

/** A batch that is folded and not written yet. */
interface PreparedBatch extends ProjectedBatch {
  readonly changes: Changes;
  readonly rebuilding: boolean;
}

/**
 * Takes one generation over a batch by itself: folded in memory before the transaction begins, and written with the checkpoint in it. For
 * what goes alone, be it to find the event that is to blame; see `BuildPass` for the way along the whole log.
 */
export class BatchWriter {
  readonly #pool: Pool;
  readonly #tables: GenerationTables;

  constructor(pool: Pool, tables: GenerationTables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  /** @returns the checkpoint after the batch */
  async apply(
    from: Checkpoint,
    recorded: readonly RecordedEvent[],
    options: BatchOptions,
  ): Promise<Checkpoint> {
    const batch = await this.#prepare(from, recorded, options);
    await this.#commit(batch);
    return batch.to;
  }

  /** Rows are read before the transaction, since nobody else writes them unless the checkpoint moves too, and then ours is refused. */
  async #prepare(
    from: Checkpoint,
    recorded: readonly RecordedEvent[],
    { rebuilding, skipped }: BatchOptions,
  ): Promise<PreparedBatch> {
    const batch = projectedBatch(from, recorded, skipped);
    const changes = await Promise.all(
      this.#tables.projection.tables.map((table) => this.#fold(table, batch)),
    );
    return { ...batch, changes: new Map(changes), rebuilding };
  }

  async #fold(table: Table, { events }: ProjectedBatch): Promise<readonly [string, readonly RowChange[]]> {
    const fold = folding(() => new TableFold(table, events));
    return [table.name, await fold.run(await this.#tables.load(this.#pool, table.name, fold.missing()))];
  }

  async #commit({ from, to, events, changes, rebuilding }: PreparedBatch): Promise<void> {
    const { lease } = this.#tables;
    if ([...changes.values()].every(({ length }) => length === 0))
      return moveCheckpoint(this.#pool, { lease, from, to });
    await inTransaction(
      this.#pool,
      async (client) => {
        await moveCheckpoint(client, { lease, from, to });
        await this.#tables.write(client, changes);
        const begunAt = performance.now();
        await this.#tables.end(client, changes, { events, after: from.ordinal, rebuilding });
        if (performance.now() - begunAt > LONG_MS) await prolongLeases(client, [lease]);
      },
      BEGIN_BATCH,
    );
  }
}
