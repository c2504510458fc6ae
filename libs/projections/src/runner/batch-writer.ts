import type { Pool } from 'pg';
import type { RecordedEvent } from '@nimo/event-store';
import type { ProjectedEvent, Projection, Row, RowChange, Table } from '../projection.js';
import { LEASE_SECONDS } from './bookkeeping.js';
import { type Checkpoint, type CheckpointMoves, moveCheckpoint, prolongLease } from './checkpoint.js';
import { READ_TYPES } from './column-values.js';
import { FoldError, folding } from './fold-error.js';
import { LongFoldError, sumIncrements, TableFold } from './fold-batch.js';
import type { Lease } from './leases.js';
import { KEPT_PLANS, type Planning, planned } from './planning.js';
import { RowCache } from './row-cache.js';
import { TableStatements, type Querying } from './table-statements.js';
import { generationTable, tableShapes } from './table-shape.js';
import { allAnswered, inOwnTransaction, inTransaction } from './transaction.js';

/**
 * synchronous_commit: the events are the durable part. What a crash of the server takes back it takes back together with the
 * checkpoint, and the same events are folded again.
 * idle_in_transaction_session_timeout: a process that freezes in here must not hold its rows against its successor.
 */
const BEGIN = `begin; set local synchronous_commit = off; set local idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`;

/** An end that took this long has used up much of the lease. */
const LONG_MS = (LEASE_SECONDS * 1000) / 3;

type Changes = ReadonlyMap<string, readonly RowChange[]>;

export interface BatchOptions {
  readonly rebuilding: boolean;
  /** Ids of events that a maintainer decided to leave out. */
  readonly skipped: ReadonlySet<string>;
}

/** A batch that is folded and not written yet. */
export interface PreparedBatch {
  readonly from: Checkpoint;
  readonly to: Checkpoint;
  readonly events: readonly ProjectedEvent[];
  readonly changes: Changes;
  readonly rebuilding: boolean;
}

/** Takes one generation of one projection over a batch of events: folded in memory, written with the checkpoint in one transaction. */
export class BatchWriter {
  readonly #pool: Pool;
  readonly #moves: CheckpointMoves;
  readonly #projection: Projection;
  readonly #lease: Lease;
  readonly #statements: ReadonlyMap<string, TableStatements>;
  readonly #placeholders: ReadonlyMap<string, string>;
  #caches: ReadonlyMap<string, RowCache> | undefined;

  constructor(pool: Pool, moves: CheckpointMoves, projection: Projection, lease: Lease) {
    this.#pool = pool;
    this.#moves = moves;
    this.#projection = projection;
    this.#lease = lease;
    const shapes = tableShapes(projection);
    this.#statements = new Map(
      shapes.map((shape) => [shape.name, new TableStatements(shape, lease.generation)]),
    );
    this.#placeholders = new Map(shapes.map(({ name }) => [name, generationTable(name, lease.generation)]));
  }

  /** For many batches in a row. Ends by itself when one fails. */
  startCaching(from: Checkpoint): void {
    this.#caches = new Map(
      this.#projection.tables.map(({ name }) => [name, new RowCache(from.position === null)]),
    );
  }

  stopCaching(): void {
    this.#caches = undefined;
  }

  /** @returns the checkpoint after the batch */
  async apply(
    from: Checkpoint,
    recorded: readonly RecordedEvent[],
    options: BatchOptions,
  ): Promise<Checkpoint> {
    if (!options.rebuilding && this.#caches === undefined) {
      try {
        return await this.#applyLive(from, recorded, options);
      } catch (error) {
        // The server ends whoever idles in a transaction, so this one is folded before it begins.
        if (!(error instanceof LongFoldError)) throw error;
      }
    }
    const batch = await this.prepare(from, recorded, options);
    await this.commit(batch);
    return batch.to;
  }

  /** Few events, and somebody waits for them: rows are read in the transaction that writes them, by plans that are kept. */
  async #applyLive(
    from: Checkpoint,
    recorded: readonly RecordedEvent[],
    { skipped }: BatchOptions,
  ): Promise<Checkpoint> {
    const { to, events } = projectedBatch(from, recorded, skipped);
    const folds = folding(() => this.#projection.tables.map((table) => new TableFold(table, events)));
    if (folds.every((fold) => fold.missing().length === 0)) {
      await this.#moves.move({ lease: this.#lease, from, to });
      return to;
    }
    await inOwnTransaction(
      this.#pool,
      async (client, commit) => {
        const move = moveCheckpoint(client, { lease: this.#lease, from, to });
        const [, changes] = await allAnswered<unknown>([move, this.#foldIn(client, folds)]);
        await this.#writeAndCommit(client, changes as Changes, events, commit);
      },
      `${BEGIN}; ${KEPT_PLANS}`,
    );
    return to;
  }

  async #foldIn(client: Querying, folds: readonly TableFold[]): Promise<Changes> {
    const until = performance.now() + LONG_MS / 2;
    const changes = await allAnswered(
      folds.map(async (fold) => {
        const keys = fold.missing();
        const stored =
          keys.length === 0 ? [] : await this.#statementsOf(fold.name).load(client, keys, 'once');
        return [fold.name, await fold.run(stored, { until })] as const;
      }),
    );
    return new Map(changes);
  }

  /** Without a set-based end, the commit is sent together with the rows. */
  async #writeAndCommit(
    client: Querying,
    changes: Changes,
    events: readonly ProjectedEvent[],
    commit: () => Promise<void>,
  ): Promise<void> {
    const written = this.#write(client, changes, 'once');
    if (this.#projection.batchEnd === undefined) {
      await allAnswered([written, commit()]);
      return;
    }
    await allAnswered([written, this.#end(client, changes, { events, rebuilding: false }, 'once')]);
    await commit();
  }

  /**
   * Folds in memory. With caching, the batch before may still be on its way to the database: what it touched is in the cache.
   * Rows are read before the transaction, since nobody else writes them unless the checkpoint moves too, and then ours is refused.
   */
  async prepare(
    from: Checkpoint,
    recorded: readonly RecordedEvent[],
    { rebuilding, skipped }: BatchOptions,
  ): Promise<PreparedBatch> {
    const { to, events } = projectedBatch(from, recorded, skipped);
    const caches = this.#caches;
    const fold = async (table: Table): Promise<readonly [string, readonly RowChange[]]> => [
      table.name,
      await this.#fold(
        folding(() => new TableFold(table, events)),
        caches?.get(table.name),
      ),
    ];
    try {
      const changes = await Promise.all(this.#projection.tables.map(fold));
      return { from, to, events, changes: new Map(changes), rebuilding };
    } catch (error) {
      this.stopCaching();
      throw error;
    }
  }

  async commit({ from, to, events, changes, rebuilding }: PreparedBatch): Promise<void> {
    const isQuiet = [...changes.values()].every(({ length }) => length === 0);
    try {
      if (isQuiet) {
        await this.#moves.move({ lease: this.#lease, from, to });
        return;
      }
      await inTransaction(
        this.#pool,
        async (client) => {
          await moveCheckpoint(client, { lease: this.#lease, from, to });
          await this.#write(client, changes);
          await this.#end(client, changes, { events, rebuilding });
        },
        BEGIN,
      );
    } catch (error) {
      // What is in memory is not what is stored.
      this.stopCaching();
      throw error;
    }
  }

  async #fold(fold: TableFold, cache: RowCache | undefined): Promise<readonly RowChange[]> {
    const missing = fold.missing(cache);
    const stored = missing.length === 0 ? [] : await this.#statementsOf(fold.name).load(this.#pool, missing);
    return fold.run(stored, { cache });
  }

  async #write(client: Querying, changes: Changes, planning: Planning = 'anew'): Promise<void> {
    const written = [...changes].map(([name, rows]) =>
      this.#statementsOf(name).write(client, rows, planning),
    );
    const counted = (this.#projection.counters ?? []).map((counter) => {
      const increments = folding(() => sumIncrements(counter, changes.get(counter.source) ?? []));
      return increments.length === 0
        ? Promise.resolve()
        : this.#statementsOf(counter.name).add(client, increments, planning);
    });
    await allAnswered([...written, ...counted]);
  }

  async #end(
    client: Querying,
    changes: Changes,
    batch: { readonly events: readonly ProjectedEvent[]; readonly rebuilding: boolean },
    planning: Planning = 'anew',
  ): Promise<void> {
    const ofDatabase = new Set<unknown>();
    const sql = async (text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const statement = { ...planned(this.#resolve(text), planning), values: [...values], types: READ_TYPES };
      const { rows } = await client.query<Row>(statement).catch((error: unknown) => {
        ofDatabase.add(error);
        throw error;
      });
      return rows;
    };
    const start = performance.now();
    try {
      await this.#projection.batchEnd?.run(changes, sql, batch);
    } catch (error) {
      throw ofDatabase.has(error) ? error : new FoldError(error);
    }
    if (performance.now() - start > LONG_MS) await prolongLease(client, this.#lease);
  }

  #resolve(text: string): string {
    return text.replace(
      /\{(\w+)\}/g,
      (placeholder, name: string) => this.#placeholders.get(name) ?? placeholder,
    );
  }

  #statementsOf(table: string): TableStatements {
    const statements = this.#statements.get(table);
    if (!statements) throw new TypeError(`projection ${this.#projection.name} has no table ${table}`);
    return statements;
  }
}

function projectedBatch(
  from: Checkpoint,
  recorded: readonly RecordedEvent[],
  skipped: ReadonlySet<string>,
): { readonly to: Checkpoint; readonly events: readonly ProjectedEvent[] } {
  const to = {
    position: recorded.at(-1)?.position ?? from.position,
    ordinal: from.ordinal + recorded.length,
  };
  const events = recorded
    .map((event, index) => projectedEvent(event, from.ordinal + index + 1))
    .filter(({ id }) => !skipped.has(id));
  return { to, events };
}

function projectedEvent(
  { id, type, data, metadata, streamId, undecodable }: RecordedEvent,
  ordinal: number,
): ProjectedEvent {
  // The store's codec checked and lifted the event; from here on its type says what its data is.
  const event = { id, type, data, metadata, streamId, ordinal } as unknown as ProjectedEvent;
  return undecodable === undefined ? event : { ...event, undecodable };
}
