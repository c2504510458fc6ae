import { kindOfError } from '@nimo/event-store';
import type { Pool } from 'pg';
import { LeaseLostError, LONG_TRANSACTION_MS, moveCheckpoints, renewLeases } from '../bookkeeping/leases.js';
import { TableFold } from '../folding/fold-batch.js';
import { CACHED_PLANS, allAnswered, inOwnTransaction } from '../storage/transaction.js';
import type { Queryable } from '../storage/table-statements.js';
import { TimeSlice } from '../scheduling.js';
import { BEGIN_BATCH, type Changes, type GenerationTables } from '../generations/generation-tables.js';
import type { ProjectedBatch } from '../rebuild/projected-batch.js';
import { FoldError, wrapFoldErrors } from '../projection.js';

/** Pending batch of one live generation. */
export interface LiveBatch extends ProjectedBatch {
  readonly tables: GenerationTables;
}

/** Another process holds the lease, or has locked the generation's row, for example for a switch. Nothing was written. */
export class NotMovedError extends LeaseLostError {}

/** Error code of statements after a failure in their transaction. */
const IN_FAILED_TRANSACTION = '25P02';

/**
 * Applies the batches of several live generations in one transaction: one statement moves all checkpoints, and the rows of all tables are
 * read in one round trip and written in another, with cached plans. After a failure the others are retried without the failed batch.
 * @returns errors by batch; all other batches were applied
 * @throws errors that concern all batches, such as a lost connection
 */
export async function applyTogether(
  pool: Pool,
  batches: readonly LiveBatch[],
): Promise<ReadonlyMap<LiveBatch, unknown>> {
  const failed = new Map<LiveBatch, unknown>();
  for (;;) {
    const left = batches.filter((batch) => !failed.has(batch));
    if (left.length === 0) return failed;
    const failure = new FirstFailure();
    try {
      for (const batch of await attempt(pool, left, failure))
        failed.set(batch, new NotMovedError(batch.tables.lease));
      return failed;
    } catch (error) {
      const { first } = failure;
      if (first === undefined || isSharedFailure(first.error)) throw error;
      failed.set(first.batch, first.error);
    }
  }
}

/** Whether the connection or the server failed, rather than a batch. */
const isSharedFailure = (error: unknown): boolean =>
  !(error instanceof FoldError) && kindOfError(error) === 'away';

/** The first batch whose statement or fold failed. */
class FirstFailure {
  first: { readonly batch: LiveBatch; readonly error: unknown } | undefined;

  async watch<T>(batch: LiveBatch, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isConsequence = error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION;
      if (!isConsequence) this.first ??= { batch, error };
      throw error;
    }
  }
}

/**
 * Starts the work on each item and yields in between, because hundreds of events take long and callers in the same process wait for small
 * ticks.
 * @returns the promises, not yet settled
 */
async function startEach<Item, Result>(
  slice: TimeSlice,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Promise<Result>[]> {
  const all: Promise<Result>[] = [];
  for (const item of items) {
    if (slice.isOver) await slice.yield();
    const one = work(item);
    // Awaited later; an earlier failure must not count as unhandled.
    one.catch(() => undefined);
    all.push(one);
  }
  return all;
}

/** @returns batches whose checkpoint could not be moved */
async function attempt(
  pool: Pool,
  batches: readonly LiveBatch[],
  failure: FirstFailure,
): Promise<readonly LiveBatch[]> {
  const slice = new TimeSlice();
  const folds = new Map<LiveBatch, readonly TableFold[]>();
  for (const batch of batches) {
    if (slice.isOver) await slice.yield();
    await failure.watch(batch, async () => {
      const { tables } = batch.tables.projection;
      const own = wrapFoldErrors(() => tables.map((table) => new TableFold(table, batch.events)));
      if (own.some((fold) => fold.missing().length > 0)) folds.set(batch, own);
    });
  }
  const others = (moved: ReadonlySet<LiveBatch>): readonly LiveBatch[] =>
    batches.filter((batch) => !moved.has(batch));
  if (folds.size === 0) return others(await moveTogether(pool, batches));
  return inOwnTransaction(
    pool,
    async (client, commit) => {
      const folded = await startEach(slice, folds, ([batch, own]) =>
        failure.watch(batch, () => foldBatch(client, batch, own, slice)),
      );
      const [moved, ...changed] = await allAnswered([moveTogether(client, batches), ...folded]);
      const written = changed.filter(
        ({ batch, changes }) => moved.has(batch) && [...changes.values()].some(({ length }) => length > 0),
      );
      await write(client, written, { moved, failure, slice, commit });
      return others(moved);
    },
    `${BEGIN_BATCH}; ${CACHED_PLANS}`,
  );
}

async function moveTogether(
  client: Queryable,
  batches: readonly LiveBatch[],
): Promise<ReadonlySet<LiveBatch>> {
  const moves = batches.map(({ tables: { lease }, from, to }) => ({ lease, from, to }));
  const moved = await moveCheckpoints(client, moves, 'unless held');
  return new Set(batches.filter(({ tables: { lease } }) => moved.has(lease)));
}

interface FoldedBatch {
  readonly batch: LiveBatch;
  readonly changes: Changes;
}

async function foldBatch(
  client: Queryable,
  batch: LiveBatch,
  folds: readonly TableFold[],
  slice: TimeSlice,
): Promise<FoldedBatch> {
  const until = performance.now() + LONG_TRANSACTION_MS / 2;
  const changes = await allAnswered(
    folds.map(async (fold) => {
      const stored = await batch.tables.load(client, fold.name, fold.missing(), 'once');
      return [fold.name, await fold.run(stored, { until, slice })] as const;
    }),
  );
  return { batch, changes: new Map(changes) };
}

/** Pipelines the commit with the rows if no projection has a batch end. */
async function write(
  client: Queryable,
  folded: readonly FoldedBatch[],
  options: {
    readonly moved: ReadonlySet<LiveBatch>;
    readonly failure: FirstFailure;
    readonly slice: TimeSlice;
    readonly commit: () => Promise<void>;
  },
): Promise<void> {
  const { moved, failure, slice, commit } = options;
  const startedAt = performance.now();
  const written = await startEach(slice, folded, ({ batch, changes }) =>
    failure.watch(batch, async () => {
      const { tables, events, from } = batch;
      await allAnswered([
        tables.write(client, changes, 'once'),
        tables.end(client, changes, { events, after: from.ordinal, rebuilding: false }, 'once'),
      ]);
    }),
  );
  if (folded.every(({ batch: { tables } }) => tables.projection.batchEnd === undefined)) {
    await allAnswered([...written, commit()]);
    return;
  }
  await allAnswered(written);
  const leases = Array.from(moved, ({ tables: { lease } }) => lease);
  if (performance.now() - startedAt > LONG_TRANSACTION_MS) await renewLeases(client, leases);
  await commit();
}
