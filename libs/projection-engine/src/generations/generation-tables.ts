import type { PoolClient } from 'pg';
import { LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import type { Lease } from '../bookkeeping/leases.js';
import { sumIncrements } from '../folding/fold-batch.js';
import {
  type BatchInfo,
  type Key,
  type Projection,
  type Row,
  type RowChange,
  type Sql,
  FoldError,
  wrapFoldErrors,
} from '../projection.js';
import { READ_TYPES } from '../storage/column-values.js';
import { allAnswered, planned, type Planning } from '../storage/transaction.js';
import { generationTable, tableShapes } from '../storage/table-shape.js';
import { type Queryable, TableStatements } from '../storage/table-statements.js';

/** Rows changed by a batch, by table name. */
export type Changes = ReadonlyMap<string, readonly RowChange[]>;

/**
 * Begins the transaction of a batch.
 * synchronous_commit: a crash of the server undoes rows and checkpoint together, and the same events are folded again.
 * idle_in_transaction_session_timeout: a frozen process must not keep its rows locked against the next lease holder.
 */
export const BEGIN_BATCH = `begin; set local synchronous_commit = off; set local idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`;

/** Reads and writes the tables of one generation for the lease holder. Methods send their statements immediately, so calls can be pipelined. */
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
    client: Queryable,
    table: string,
    keys: readonly Key[],
    planning: Planning = 'each time',
  ): Promise<Row[]> {
    return keys.length === 0 ? [] : this.statementsOf(table).load(client, keys, planning);
  }

  async write(client: Queryable, changes: Changes, planning: Planning = 'each time'): Promise<void> {
    const written = [...changes].map(([name, rows]) => this.statementsOf(name).write(client, rows, planning));
    await allAnswered([...written, this.count(client, changes, planning)]);
  }

  /** Like `write`, for the many changes of a flush: one table after another, with `COPY` for new rows. */
  async writeMany(client: PoolClient, changes: Changes): Promise<void> {
    for (const [name, rows] of changes) await this.statementsOf(name).writeMany(client, rows);
    await this.count(client, changes, 'each time');
  }

  private async count(client: Queryable, changes: Changes, planning: Planning): Promise<void> {
    const counted = (this.projection.counters ?? []).map((counter) => {
      const increments = wrapFoldErrors(() => sumIncrements(counter, changes.get(counter.source) ?? []));
      return increments.length === 0
        ? Promise.resolve()
        : this.statementsOf(counter.name).add(client, increments, planning);
    });
    await allAnswered(counted);
  }

  /** Runs the batch end. @throws FoldError for errors of the projection's own code; database errors are passed on */
  async end(
    client: Queryable,
    changes: Changes,
    batch: BatchInfo,
    planning: Planning = 'each time',
  ): Promise<void> {
    await this.runSql(client, planning, async (sql) => this.projection.batchEnd?.run(changes, sql, batch));
  }

  /** Computes the rows that batch ends left out during the rebuild. @throws like `end` */
  async finishRebuild(client: Queryable): Promise<void> {
    await this.runSql(client, 'each time', async (sql) => this.projection.batchEnd?.finishRebuild?.(sql));
  }

  private async runSql(
    client: Queryable,
    planning: Planning,
    work: (sql: Sql) => Promise<void> | undefined,
  ): Promise<void> {
    const databaseErrors = new Set<unknown>();
    const sql: Sql = async (text, values = []) => {
      const statement = { ...planned(this.resolve(text), planning), values: [...values], types: READ_TYPES };
      const { rows } = await client.query<Row>(statement).catch((error: unknown) => {
        databaseErrors.add(error);
        throw error;
      });
      return rows;
    };
    try {
      await work(sql);
    } catch (error) {
      throw databaseErrors.has(error) ? error : new FoldError(error);
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
