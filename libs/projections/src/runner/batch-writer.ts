import type { Pool } from 'pg';
import type { RecordedEvent } from '@nimo/event-store';
import type { ProjectedEvent, Projection, Row, RowChange } from '../projection.js';
import { LEASE_SECONDS } from './bookkeeping.js';
import { type Checkpoint, type CheckpointMoves, moveCheckpoint } from './checkpoint.js';
import { READ_TYPES } from './column-values.js';
import { sumIncrements, TableFold } from './fold-batch.js';
import type { Lease } from './leases.js';
import { TableStatements, type Querying } from './table-statements.js';
import { generationTable, tableShapes } from './table-shape.js';
import { inTransaction } from './transaction.js';

/**
 * synchronous_commit: the events are the durable part. What a crash of the server takes back it takes back together with the
 * checkpoint, and the same events are folded again.
 * idle_in_transaction_session_timeout: a process that freezes in here must not hold its rows against its successor.
 */
const BEGIN = `begin; set local synchronous_commit = off; set local idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`;

export interface BatchOptions {
  readonly rebuilding: boolean;
  /** Ids of events that a maintainer decided to leave out. */
  readonly skipped: ReadonlySet<string>;
}

/** Takes one generation of one projection over a batch of events: folded in memory, written with the checkpoint in one transaction. */
export class BatchWriter {
  readonly #pool: Pool;
  readonly #moves: CheckpointMoves;
  readonly #projection: Projection;
  readonly #lease: Lease;
  readonly #statements: ReadonlyMap<string, TableStatements>;
  readonly #placeholders: ReadonlyMap<string, string>;

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

  /** @returns the checkpoint after the batch */
  async apply(
    from: Checkpoint,
    recorded: readonly RecordedEvent[],
    options: BatchOptions,
  ): Promise<Checkpoint> {
    const to = {
      position: recorded.at(-1)?.position ?? from.position,
      ordinal: from.ordinal + recorded.length,
    };
    const events = recorded
      .map((event, index) => projectedEvent(event, from.ordinal + index + 1))
      .filter(({ id }) => !options.skipped.has(id));
    // Read before the transaction: nobody else writes these rows unless the checkpoint moves too, and then ours is refused.
    const changes = await this.#fold(events);
    const isQuiet =
      this.#projection.batchEnd === undefined && [...changes.values()].every(({ length }) => length === 0);
    if (isQuiet) await this.#moves.move({ lease: this.#lease, from, to });
    else {
      await inTransaction(
        this.#pool,
        async (client) => {
          await moveCheckpoint(client, { lease: this.#lease, from, to });
          await this.#write(client, changes);
          await this.#end(client, changes, { events, rebuilding: options.rebuilding });
        },
        BEGIN,
      );
    }
    return to;
  }

  async #fold(events: readonly ProjectedEvent[]): Promise<Map<string, readonly RowChange[]>> {
    const changes = new Map<string, readonly RowChange[]>();
    for (const table of this.#projection.tables) {
      const fold = new TableFold(table, events);
      const keys = fold.keys;
      const stored = keys.length === 0 ? [] : await this.#statementsOf(table.name).load(this.#pool, keys);
      changes.set(table.name, fold.run(stored));
    }
    return changes;
  }

  async #write(client: Querying, changes: ReadonlyMap<string, readonly RowChange[]>): Promise<void> {
    for (const [name, rows] of changes) await this.#statementsOf(name).write(client, rows);
    for (const counter of this.#projection.counters ?? []) {
      const increments = sumIncrements(counter, changes.get(counter.source) ?? []);
      if (increments.length > 0) await this.#statementsOf(counter.name).add(client, increments);
    }
  }

  async #end(
    client: Querying,
    changes: ReadonlyMap<string, readonly RowChange[]>,
    batch: { readonly events: readonly ProjectedEvent[]; readonly rebuilding: boolean },
  ): Promise<void> {
    const sql = async (text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const { rows } = await client.query<Row>({
        text: this.#resolve(text),
        values: [...values],
        types: READ_TYPES,
      });
      return rows;
    };
    await this.#projection.batchEnd?.run(changes, sql, batch);
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

function projectedEvent(
  { id, type, data, metadata, streamId }: RecordedEvent,
  ordinal: number,
): ProjectedEvent {
  // The store's codec checked and lifted the event; from here on its type says what its data is.
  return { id, type, data, metadata, streamId, ordinal } as unknown as ProjectedEvent;
}
