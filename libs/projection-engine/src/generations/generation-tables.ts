import type { PoolClient } from 'pg';
import { LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import type { Lease } from '../bookkeeping/leases.js';
import { sumIncrements } from '../folding/fold-batch.js';
import {
  type EndedBatch,
  type Key,
  type Projection,
  type Row,
  type RowChange,
  type Sql,
  FoldError,
  folding,
} from '../projection.js';
import { READ_TYPES } from '../storage/column-values.js';
import { allAnswered, planned, type Planning } from '../storage/transaction.js';
import { generationTable, tableShapes } from '../storage/table-shape.js';
import { type Querying, TableStatements } from '../storage/table-statements.js';

/** By table name, the rows that a batch changed. */
export type Changes = ReadonlyMap<string, readonly RowChange[]>;

/**
 * How every transaction of a batch begins.
 * synchronous_commit: the events are the durable part. What a crash of the server takes back it takes back together with the
 * checkpoint, and the same events are folded again.
 * idle_in_transaction_session_timeout: a process that freezes in here must not hold its rows against its successor.
 */
export const BEGIN_BATCH = `begin; set local synchronous_commit = off; set local idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`;

/** The tables of one generation, for the holder of its lease. Statements are sent when called, so that several go out together. */
export class GenerationTables {
  readonly projection: Projection;
  readonly lease: Lease;
  private readonly statements: ReadonlyMap<string, TableStatements>;
  private readonly placeholders: ReadonlyMap<string, string>;

  constructor(projection: Projection, lease: Lease) {
    this.projection = projection;
    this.lease = lease;
    const shapes = tableShapes(projection);
    this.statements = new Map(
      shapes.map((shape) => [shape.name, new TableStatements(shape, lease.generation)]),
    );
    this.placeholders = new Map(shapes.map(({ name }) => [name, generationTable(name, lease.generation)]));
  }

  async load(
    client: Querying,
    table: string,
    keys: readonly Key[],
    planning: Planning = 'each time',
  ): Promise<Row[]> {
    return keys.length === 0 ? [] : this.statementsOf(table).load(client, keys, planning);
  }

  async write(client: Querying, changes: Changes, planning: Planning = 'each time'): Promise<void> {
    const written = [...changes].map(([name, rows]) => this.statementsOf(name).write(client, rows, planning));
    await allAnswered([...written, this.count(client, changes, planning)]);
  }

  /** As `write`, for the many changes of a flush: table after table, new rows in the fastest way. */
  async writeMany(client: PoolClient, changes: Changes): Promise<void> {
    for (const [name, rows] of changes) await this.statementsOf(name).writeMany(client, rows);
    await this.count(client, changes, 'each time');
  }

  private async count(client: Querying, changes: Changes, planning: Planning): Promise<void> {
    const counted = (this.projection.counters ?? []).map((counter) => {
      const increments = folding(() => sumIncrements(counter, changes.get(counter.source) ?? []));
      return increments.length === 0
        ? Promise.resolve()
        : this.statementsOf(counter.name).add(client, increments, planning);
    });
    await allAnswered(counted);
  }

  /** @throws FoldError for what the projection's own code throws; errors of the database as they are */
  async end(
    client: Querying,
    changes: Changes,
    batch: EndedBatch,
    planning: Planning = 'each time',
  ): Promise<void> {
    await this.runSql(client, planning, async (sql) => this.projection.batchEnd?.run(changes, sql, batch));
  }

  /** What the ends of batches left out while it was built. @throws as `end` */
  async whole(client: Querying): Promise<void> {
    await this.runSql(client, 'each time', async (sql) => this.projection.batchEnd?.whole?.(sql));
  }

  private async runSql(
    client: Querying,
    planning: Planning,
    work: (sql: Sql) => Promise<void> | undefined,
  ): Promise<void> {
    const ofDatabase = new Set<unknown>();
    const sql: Sql = async (text, values = []) => {
      const statement = { ...planned(this.resolve(text), planning), values: [...values], types: READ_TYPES };
      const { rows } = await client.query<Row>(statement).catch((error: unknown) => {
        ofDatabase.add(error);
        throw error;
      });
      return rows;
    };
    try {
      await work(sql);
    } catch (error) {
      throw ofDatabase.has(error) ? error : new FoldError(error);
    }
  }

  private resolve(text: string): string {
    return text.replace(
      /\{(\w+)\}/g,
      (placeholder, name: string) => this.placeholders.get(name) ?? placeholder,
    );
  }

  private statementsOf(table: string): TableStatements {
    const statements = this.statements.get(table);
    if (!statements) throw new TypeError(`projection ${this.projection.name} has no table ${table}`);
    return statements;
  }
}
