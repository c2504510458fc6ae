import type { Pool } from 'pg';
import type { LimitFunction } from 'p-limit';
import { type EventStore, type Position, readPage, type RecordedEvent } from '@nimo/event-store';
import {
  type Checkpoint,
  type Lease,
  LeaseLostError,
  moveCheckpoint,
  renewLeases,
  stopGeneration,
} from '../bookkeeping/leases.js';
import { createIndexes, findGeneration, type Generation } from '../generations/generations.js';
import { switchGeneration, type SwitchRefusal } from '../generations/switch-generation.js';
import { type Projection, unwrapFoldError, isEventError } from '../projection.js';
import { applyBatch } from '../rebuild/batch-writer.js';
import type { PassGeneration, RebuildPasses } from '../rebuild/rebuild-pass.js';
import { BackOff } from '../scheduling.js';
import { BEGIN_BATCH, GenerationTables } from '../generations/generation-tables.js';
import type { Queryable } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';
import { LIVE_BATCH, type LiveGeneration, type LiveLoop } from './live-loop.js';
import type { LiveBatch } from './live-tick.js';
import { endsBefore, AheadOfLogError, type LogHead } from './log-head.js';
import { positionOf, projectedBatch } from '../rebuild/projected-batch.js';

export interface RunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly passes: RebuildPasses;
  /** Limits concurrent index builds, which use much memory and I/O of the database. */
  readonly indexing: LimitFunction;
  readonly onApplied?: ((batch: AppliedBatch) => void) | undefined;
  readonly refusal?: SwitchRefusal | undefined;
  /** Called once per reason. */
  readonly onRefusal: (refusal: Error, projection: string) => void;
}

/** Events applied by a live projection in one transaction. */
export interface AppliedBatch {
  readonly projection: string;
  readonly events: readonly RecordedEvent[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Limits of a page for a generation that catches up alone. */
const PAGE_SIZE = 1_000;
const PAGE_BYTES = 8 * 2 ** 20;
/** Backoff between rounds without progress. */
const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 2_000;
const REFUSAL_RETRY_MS = 5_000;

/** A projection failed on this event. */
export class PoisonEventError extends Error {
  override readonly name = 'PoisonEventError';
  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Advances one generation while this process holds its lease. */
export class GenerationRunner implements LiveGeneration, PassGeneration {
  private readonly options: RunnerOptions;
  private readonly projection: Projection;
  private readonly lease: Lease;
  readonly tables: GenerationTables;
  readonly skipped: ReadonlySet<string>;
  private lastCheckpoint: Checkpoint;
  private isLive: boolean;
  private reportedRefusal: string | undefined;
  private isIndexed: boolean;

  /** @throws AheadOfLogError if the log was replaced by an older copy */
  static async load(options: RunnerOptions, projection: Projection, lease: Lease): Promise<GenerationRunner> {
    const row = await findGeneration(options.pool, lease.name, lease.generation);
    if (!row) throw new LeaseLostError(lease, 'was dropped');
    const runner = new GenerationRunner(options, projection, lease, row);
    if (!(await endsBefore(options.store, row.position))) return runner;
    const ahead = new AheadOfLogError(lease.name, row.ordinal);
    // Stored permanently, because it cannot be detected once the log has grown past the checkpoint.
    await stopGeneration(options.pool, lease, row.position, {
      ...{ eventId: '', eventType: '', ordinal: row.ordinal, position: row.position ?? '' },
      ...{ message: ahead.message, at: new Date().toISOString(), isAheadOfLog: true },
    });
    throw ahead;
  }

  private constructor(options: RunnerOptions, projection: Projection, lease: Lease, row: Generation) {
    this.options = options;
    this.projection = projection;
    this.lease = lease;
    this.tables = new GenerationTables(projection, lease);
    this.skipped = new Set(row.skipped.map(({ eventId }) => eventId));
    this.lastCheckpoint = { position: row.position, ordinal: row.ordinal };
    this.isLive = row.status === 'live';
    this.isIndexed = row.indexed;
  }

  get checkpoint(): Checkpoint {
    return this.lastCheckpoint;
  }

  get position(): Position {
    return positionOf(this.lastCheckpoint);
  }

  /** True until it first reaches the end of the log. False for the very first generation, which is live while it fills. */
  get isRebuilding(): boolean {
    return !this.isIndexed && !this.isLive;
  }

  batchOf(events: readonly RecordedEvent[]): LiveBatch {
    return { ...projectedBatch(this.lastCheckpoint, events, this.skipped), tables: this.tables };
  }

  /** @param events events applied live, to report */
  advance(to: Checkpoint, events?: readonly RecordedEvent[], startedAt = Date.now()): void {
    this.lastCheckpoint = to;
    if (events) this.options.onApplied?.({ projection: this.lease.name, events, startedAt });
  }

  async catchUpAndIndex(signal: AbortSignal): Promise<void> {
    await this.catchUp(signal);
    if (this.isIndexed || signal.aborted) return;
    await this.options.indexing(async () => {
      if (signal.aborted) return;
      await this.completeBatchEnd();
      await this.index();
    });
    await this.catchUp(signal);
  }

  /** Produces the rows of `catchUpAndIndex` as of a position, without indexes, because they are not queried. */
  async rebuildUpTo(position: Position, signal: AbortSignal): Promise<void> {
    await this.catchUp(signal, position);
    if (!this.isRebuilding || signal.aborted) return;
    await this.completeBatchEnd();
    await this.markIndexed(this.options.pool);
    this.isIndexed = true;
  }

  /** Catches up to a position or the end of the log, in a rebuild pass where possible and alone over events that fail. */
  async catchUp(signal: AbortSignal, until?: Position): Promise<void> {
    const isThrottled = !this.isLive;
    while (!signal.aborted) {
      const outcome = await this.options.passes.run(this, { signal, until, isThrottled });
      if (outcome.kind !== 'failed') return;
      await this.catchUpAlone(signal, outcome.upTo);
    }
  }

  /**
   * Switches to this generation once it is allowed to and has caught up.
   * @param options.switchAllowed aborts when a held generation may switch
   */
  async switchWhenReady(
    { logHead, switchAllowed }: { readonly logHead: LogHead; readonly switchAllowed: AbortSignal },
    signal: AbortSignal,
  ): Promise<void> {
    const backOff = new BackOff(FIRST_DELAY_MS, MAX_DELAY_MS);
    while (!this.isLive && !signal.aborted) {
      const { position } = this.lastCheckpoint;
      const outcome = await switchGeneration({
        pool: this.options.pool,
        projection: this.projection,
        lease: this.lease,
        finalCatchUp: (position) => this.catchUpAlone(signal, position),
        refusal: this.options.refusal,
        isAtLogEnd: () => this.isAtLogEnd(),
      });
      if (outcome === 'switched') this.isLive = true;
      else if (outcome === 'behind') await this.catchUp(signal);
      else if (outcome instanceof Error) await this.waitOutRefusal(outcome, logHead, signal);
      else await this.followAlone(logHead, AbortSignal.any([signal, switchAllowed]));
      if (this.isLive || this.lastCheckpoint.position !== position) backOff.reset();
      else await backOff.wait(signal);
    }
  }

  /** Whether no events follow its checkpoint. A live generation that is still ahead has read another log. */
  private async isAtLogEnd(): Promise<boolean> {
    const { position } = this.lastCheckpoint;
    const after = position === null ? {} : { after: position };
    return (await this.options.store.readAll({ ...after, limit: 1 })).length === 0;
  }

  /** Keeps following the log until the next attempt. */
  private async waitOutRefusal(refusal: Error, logHead: LogHead, signal: AbortSignal): Promise<void> {
    if (this.reportedRefusal !== refusal.message) this.options.onRefusal(refusal, this.lease.name);
    this.reportedRefusal = refusal.message;
    await this.followAlone(logHead, AbortSignal.any([signal, AbortSignal.timeout(REFUSAL_RETRY_MS)]));
  }

  /** Follows the log with the other live generations, alone after a failure, until the signal aborts or the log head stops. */
  async followLive(loop: LiveLoop, logHead: LogHead, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_DELAY_MS, MAX_DELAY_MS);
    while (!signal.aborted && !logHead.isStopped) {
      if ((await loop.run(this, signal)) === 'aborted') return;
      await this.step(logHead, signal, backOff);
    }
  }

  private async followAlone(logHead: LogHead, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_DELAY_MS, MAX_DELAY_MS);
    while (!signal.aborted && !logHead.isStopped) {
      await logHead.waitPast(this.position, signal);
      await this.step(logHead, signal, backOff);
    }
  }

  /** Applies the next events from the log head or, if it no longer has them, from the store. */
  private async step(logHead: LogHead, signal: AbortSignal, backOff: BackOff): Promise<void> {
    const { position } = this;
    const events = logHead.read(position, LIVE_BATCH);
    if (events?.length === 0) return;
    if (events === undefined) await this.catchUp(signal);
    else await this.applyOrSplit(events, this.isLive);
    if (this.position !== position) backOff.reset();
    // The store has no events before the log head: the log was replaced.
    else await backOff.wait(signal);
  }

  private async catchUpAlone(signal: AbortSignal, until: Position): Promise<void> {
    for (let isLast = false; !isLast && !signal.aborted;) {
      const { position } = this.lastCheckpoint;
      const page = await readPage(this.options.store, {
        ...(position !== null && { after: position }),
        ...{ until, limit: PAGE_SIZE, maxBytes: PAGE_BYTES },
      });
      if (page.events.length > 0) await this.applyOrSplit(page.events, false);
      isLast = page.isLast;
    }
  }

  /** Halves a failing batch until the poison event is found, and applies the events before it. @throws PoisonEventError */
  private async applyOrSplit(events: readonly RecordedEvent[], isReported: boolean): Promise<void> {
    const startedAt = Date.now();
    try {
      const to = await applyBatch(this.options.pool, this.tables, this.batchOf(events), this.isRebuilding);
      this.advance(to, isReported ? events : undefined, startedAt);
    } catch (error) {
      if (error instanceof LeaseLostError || !isEventError(error)) throw error;
      const [first] = events;
      if (first !== undefined && events.length === 1) {
        await this.stop(first, unwrapFoldError(error));
        throw new PoisonEventError(first, unwrapFoldError(error));
      }
      const middle = Math.ceil(events.length / 2);
      await this.applyOrSplit(events.slice(0, middle), isReported);
      await this.applyOrSplit(events.slice(middle), isReported);
    }
  }

  /** Repeated by the next holder after a crash before the indexes are built. */
  private async completeBatchEnd(): Promise<void> {
    if (!this.isRebuilding || this.projection.batchEnd?.finishRebuild === undefined) return;
    const [lease, here] = [this.lease, this.lastCheckpoint];
    await inTransaction(
      this.options.pool,
      async (client) => {
        await moveCheckpoint(client, { lease, from: here, to: here });
        await this.tables.finishRebuild(client);
        await renewLeases(client, [lease]);
      },
      BEGIN_BATCH,
    );
  }

  /** Builds all indexes or none, so that after a crash the next holder finds tables without indexes. */
  private async index(): Promise<void> {
    await inTransaction(this.options.pool, async (client) => {
      await createIndexes(client, this.projection, this.lease.generation);
      await this.markIndexed(client);
    });
    this.isIndexed = true;
  }

  private async markIndexed(client: Queryable): Promise<void> {
    const { name, generation } = this.lease;
    await client.query(
      'update read.projection_generations set indexed = true where name = $1 and generation = $2',
      [name, generation],
    );
  }

  private async stop(event: RecordedEvent, cause: unknown): Promise<void> {
    await stopGeneration(this.options.pool, this.lease, this.lastCheckpoint.position, {
      eventId: event.id,
      eventType: event.type,
      ordinal: this.lastCheckpoint.ordinal + 1,
      position: event.position,
      message: cause instanceof Error ? cause.message : String(cause),
      at: new Date().toISOString(),
    });
  }
}
