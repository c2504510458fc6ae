import { kindOfError } from '@nimo/event-store';
import type { Pool } from 'pg';
import { LeaseLostError, LONG_MS, moveCheckpoints, prolongLeases } from '../bookkeeping/leases.js';
import { TableFold } from '../folding/fold-batch.js';
import { KEPT_PLANS, allAnswered, inOwnTransaction } from '../storage/transaction.js';
import type { Querying } from '../storage/table-statements.js';
import { TimeSlice } from '../scheduling.js';
import { BEGIN_BATCH, type Changes, type GenerationTables } from '../generations/generation-tables.js';
import type { ProjectedBatch } from '../rebuild/projected-batch.js';
import { FoldError, folding } from '../projection.js';

/** What one live generation is to be taken over. */
export interface LiveBatch extends ProjectedBatch {
  readonly tables: GenerationTables;
}

/** The lease is another's, or somebody else holds the generation's row for the moment: a switch, say. Nothing of it was written. */
export class NotMovedError extends LeaseLostError {}

/** What a statement says once another one of its transaction has failed. */
const IN_FAILED_TRANSACTION = '25P02';

/**
 * Takes live generations over their batches in one transaction: all checkpoints move in one statement, rows of all tables are read in
 * one round trip and written in another, by plans that are kept. A batch that fails is left out, and the others start again.
 * @returns what went wrong, by batch; all others were applied
 * @throws what concerns them all, as a lost connection
 */
export async function applyTogether(
  pool: Pool,
  batches: readonly LiveBatch[],
): Promise<ReadonlyMap<LiveBatch, unknown>> {
  const failed = new Map<LiveBatch, unknown>();
  for (;;) {
    const left = batches.filter((batch) => !failed.has(batch));
    if (left.length === 0) return failed;
    const blame = new Blame();
    try {
      for (const batch of await attempt(pool, left, blame))
        failed.set(batch, new NotMovedError(batch.tables.lease));
      return failed;
    } catch (error) {
      const { first } = blame;
      if (first === undefined || isOfAll(first.error)) throw error;
      failed.set(first.batch, first.error);
    }
  }
}

/** A failure of the connection or the server, whichever statement noticed it first. */
const isOfAll = (error: unknown): boolean => !(error instanceof FoldError) && kindOfError(error) === 'away';

/** Whose statement or fold was the first to fail. */
class Blame {
  first: { readonly batch: LiveBatch; readonly error: unknown } | undefined;

  async on<T>(batch: LiveBatch, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isEcho = error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION;
      if (!isEcho) this.first ??= { batch, error };
      throw error;
    }
  }
}

/**
 * Begins the work of each, one after the other, and yields in between: hundreds of events take long, and in the same process somebody waits
 * for the tick of one event.
 * @returns what is on its way
 */
async function begun<Item, Result>(
  slice: TimeSlice,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Promise<Result>[]> {
  const all: Promise<Result>[] = [];
  for (const item of items) {
    if (slice.isOver) await slice.yield();
    const one = work(item);
    // Awaited later; a failure before the last one has started must not count as unhandled.
    one.catch(() => undefined);
    all.push(one);
  }
  return all;
}

/** @returns those whose checkpoint could not be moved */
async function attempt(
  pool: Pool,
  batches: readonly LiveBatch[],
  blame: Blame,
): Promise<readonly LiveBatch[]> {
  const slice = new TimeSlice();
  const folds = new Map<LiveBatch, readonly TableFold[]>();
  for (const batch of batches) {
    if (slice.isOver) await slice.yield();
    await blame.on(batch, async () => {
      const { tables } = batch.tables.projection;
      const own = folding(() => tables.map((table) => new TableFold(table, batch.events)));
      if (own.some((fold) => fold.missing().length > 0)) folds.set(batch, own);
    });
  }
  const others = (moved: ReadonlySet<LiveBatch>): readonly LiveBatch[] =>
    batches.filter((batch) => !moved.has(batch));
  if (folds.size === 0) return others(await moveTogether(pool, batches));
  return inOwnTransaction(
    pool,
    async (client, commit) => {
      const folded = await begun(slice, folds, ([batch, own]) =>
        blame.on(batch, () => foldIn(client, batch, own, slice)),
      );
      const [moved, ...changed] = await allAnswered([moveTogether(client, batches), ...folded]);
      const written = changed.filter(
        ({ batch, changes }) => moved.has(batch) && [...changes.values()].some(({ length }) => length > 0),
      );
      await write(client, written, { moved, blame, slice, commit });
      return others(moved);
    },
    `${BEGIN_BATCH}; ${KEPT_PLANS}`,
  );
}

async function moveTogether(
  client: Querying,
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

async function foldIn(
  client: Querying,
  batch: LiveBatch,
  folds: readonly TableFold[],
  slice: TimeSlice,
): Promise<FoldedBatch> {
  const until = performance.now() + LONG_MS / 2;
  const changes = await allAnswered(
    folds.map(async (fold) => {
      const stored = await batch.tables.load(client, fold.name, fold.missing(), 'once');
      return [fold.name, await fold.run(stored, { until, slice })] as const;
    }),
  );
  return { batch, changes: new Map(changes) };
}

/** Without a set-based end, the commit is sent together with the rows. */
async function write(
  client: Querying,
  folded: readonly FoldedBatch[],
  given: {
    readonly moved: ReadonlySet<LiveBatch>;
    readonly blame: Blame;
    readonly slice: TimeSlice;
    readonly commit: () => Promise<void>;
  },
): Promise<void> {
  const { moved, blame, slice, commit } = given;
  const begunAt = performance.now();
  const written = await begun(slice, folded, ({ batch, changes }) =>
    blame.on(batch, async () => {
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
  if (performance.now() - begunAt > LONG_MS) await prolongLeases(client, leases);
  await commit();
}
