import type { Pool } from 'pg';
import type { LimitFunction } from 'p-limit';
import { type EventStore, type Position, readWithin, type RecordedEvent } from '@nimo/event-store';
import {
  type Checkpoint,
  type Lease,
  LeaseLostError,
  moveCheckpoint,
  prolongLeases,
  stopGeneration,
} from '../bookkeeping/leases.js';
import { createIndexes, findGeneration, type Generation } from '../generations/generations.js';
import { switchGeneration, type SwitchRefusal } from '../generations/switch-generation.js';
import { type Projection, causeOf, isOfTheEvent } from '../projection.js';
import { applyBatch } from '../rebuild/batch-writer.js';
import type { PassGeneration, RebuildPasses } from '../rebuild/rebuild-pass.js';
import { BackOff } from '../scheduling.js';
import { BEGIN_BATCH, GenerationTables } from '../generations/generation-tables.js';
import type { Querying } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';
import { LIVE_BATCH, type LiveGeneration, type LiveLoop } from './live-loop.js';
import type { LiveBatch } from './live-tick.js';
import { endsBefore, LogEndsBeforeError, type LogHead } from './log-head.js';
import { positionOf, projectedBatch } from '../rebuild/projected-batch.js';

export interface RunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly passes: RebuildPasses;
  /** Few generations at a time make their indexes, which take the memory and the disk of the database. */
  readonly indexing: LimitFunction;
  readonly onApplied?: ((batch: AppliedBatch) => void) | undefined;
  /** Why nothing may be switched now; reported once. */
  readonly refusal?: SwitchRefusal | undefined;
  readonly onRefusal: (refusal: Error, projection: string) => void;
}

/** What a live projection applied in one transaction. */
export interface AppliedBatch {
  readonly projection: string;
  readonly events: readonly RecordedEvent[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Limits of a page that one generation applies by itself. */
const PAGE_SIZE = 1_000;
const PAGE_BYTES = 8 * 2 ** 20;
/** Between rounds that made no progress. */
const FIRST_REST_MS = 20;
const MAX_REST_MS = 2_000;
/** Until a refused switch is tried again. */
const REFUSED_MS = 5_000;

/** The event that a projection failed on. */
export class PoisonEventError extends Error {
  override readonly name = 'PoisonEventError';
  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Moves one generation along the log, as long as this process holds the lease. */
export class GenerationRunner implements LiveGeneration, PassGeneration {
  private readonly options: RunnerOptions;
  private readonly projection: Projection;
  private readonly lease: Lease;
  readonly tables: GenerationTables;
  readonly skipped: ReadonlySet<string>;
  private lastCheckpoint: Checkpoint;
  private isLive: boolean;
  private refused: string | undefined;
  private isIndexed: boolean;

  /** @throws LogEndsBeforeError where the log was replaced by an older one */
  static async load(options: RunnerOptions, projection: Projection, lease: Lease): Promise<GenerationRunner> {
    const row = await findGeneration(options.pool, lease.name, lease.generation);
    if (!row) throw new LeaseLostError(lease, 'was dropped');
    const runner = new GenerationRunner(options, projection, lease, row);
    if (!(await endsBefore(options.store, row.position))) return runner;
    const ahead = new LogEndsBeforeError(lease.name, row.ordinal);
    // Stored for good: once the log has grown past the checkpoint, this cannot be detected any more.
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

  /** Until it has reached the end of the log once. The very first generation is live while it fills. */
  get isRebuilding(): boolean {
    return !this.isIndexed && !this.isLive;
  }

  batchOf(events: readonly RecordedEvent[]): LiveBatch {
    return { ...projectedBatch(this.lastCheckpoint, events, this.skipped), tables: this.tables };
  }

  /** @param events what it applied live, and since when */
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

  /** Rows up to a position, as `catchUpAndIndex` would leave them there. Nobody reads them, so they get no indexes. */
  async rebuildUpTo(position: Position, signal: AbortSignal): Promise<void> {
    await this.catchUp(signal, position);
    if (!this.isRebuilding || signal.aborted) return;
    await this.completeBatchEnd();
    await this.markIndexed(this.options.pool);
    this.isIndexed = true;
  }

  /** In a rebuild pass, to the end of the log or up to a position; alone over events that cannot be folded. */
  async catchUp(signal: AbortSignal, until?: Position): Promise<void> {
    const isThrottled = !this.isLive;
    while (!signal.aborted) {
      const outcome = await this.options.passes.run(this, { signal, until, isThrottled });
      if (outcome.kind !== 'failed') return;
      await this.catchUpAlone(signal, outcome.upTo);
    }
  }

  /**
   * Puts it in the live one's place as soon as it may and is not behind it.
   * @param held.released aborts when a generation that was held may switch
   */
  async switchWhenReady(
    held: { readonly logHead: LogHead; readonly released: AbortSignal },
    signal: AbortSignal,
  ): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!this.isLive && !signal.aborted) {
      const { position } = this.lastCheckpoint;
      const outcome = await switchGeneration({
        pool: this.options.pool,
        projection: this.projection,
        lease: this.lease,
        lastStep: (position) => this.catchUpAlone(signal, position),
        refusal: this.options.refusal,
        isWholeLog: () => this.isWholeLog(),
      });
      if (outcome === 'switched') this.isLive = true;
      else if (outcome === 'behind') await this.catchUp(signal);
      else if (outcome instanceof Error) await this.waitOutRefusal(outcome, held.logHead, signal);
      else await this.followAlone(held.logHead, AbortSignal.any([signal, held.released]));
      if (this.isLive || this.lastCheckpoint.position !== position) backOff.reset();
      else await backOff.rest(signal);
    }
  }

  /** Nothing comes after its checkpoint: a live one that is further on has read another log. */
  private async isWholeLog(): Promise<boolean> {
    const { position } = this.lastCheckpoint;
    const after = position === null ? {} : { after: position };
    return (await this.options.store.readAll({ ...after, limit: 1 })).length === 0;
  }

  /** It stays ready beside the live one, and tries again now and then. */
  private async waitOutRefusal(refusal: Error, logHead: LogHead, signal: AbortSignal): Promise<void> {
    if (this.refused !== refusal.message) this.options.onRefusal(refusal, this.lease.name);
    this.refused = refusal.message;
    await this.followAlone(logHead, AbortSignal.any([signal, AbortSignal.timeout(REFUSED_MS)]));
  }

  /** With the other live ones, and alone where it has to. Until the signal aborts or the log head stops. */
  async followLive(loop: LiveLoop, logHead: LogHead, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!signal.aborted && !logHead.isStopped) {
      if ((await loop.run(this, signal)) === 'aborted') return;
      await this.step(logHead, signal, backOff);
    }
  }

  private async followAlone(logHead: LogHead, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!signal.aborted && !logHead.isStopped) {
      await logHead.beyond(this.position, signal);
      await this.step(logHead, signal, backOff);
    }
  }

  /** Over what the log head has in memory, or, where that does not reach back, over what the store has. */
  private async step(logHead: LogHead, signal: AbortSignal, backOff: BackOff): Promise<void> {
    const { position } = this;
    const events = logHead.read(position, LIVE_BATCH);
    if (events?.length === 0) return;
    if (events === undefined) await this.catchUp(signal);
    else await this.applyOrSplit(events, this.isLive);
    if (this.position !== position) backOff.reset();
    // The log head begins after what the store has: a log that was replaced.
    else await backOff.rest(signal);
  }

  private async catchUpAlone(signal: AbortSignal, until: Position): Promise<void> {
    for (let isLast = false; !isLast && !signal.aborted;) {
      const { position } = this.lastCheckpoint;
      const page = await readWithin(this.options.store, {
        ...(position !== null && { after: position }),
        ...{ until, limit: PAGE_SIZE, mostBytes: PAGE_BYTES },
      });
      if (page.events.length > 0) await this.applyOrSplit(page.events, false);
      isLast = page.isLast;
    }
  }

  /** A batch that fails is halved until the poison event is found; those before it are applied. */
  private async applyOrSplit(events: readonly RecordedEvent[], isReported: boolean): Promise<void> {
    const startedAt = Date.now();
    try {
      const to = await applyBatch(this.options.pool, this.tables, this.batchOf(events), this.isRebuilding);
      this.advance(to, isReported ? events : undefined, startedAt);
    } catch (error) {
      if (error instanceof LeaseLostError || !isOfTheEvent(error)) throw error;
      const [first] = events;
      if (first !== undefined && events.length === 1) {
        await this.stop(first, causeOf(error));
        throw new PoisonEventError(first, causeOf(error));
      }
      const middle = Math.ceil(events.length / 2);
      await this.applyOrSplit(events.slice(0, middle), isReported);
      await this.applyOrSplit(events.slice(middle), isReported);
    }
  }

  /** After a crash before the indexes are made, the next holder does it again. */
  private async completeBatchEnd(): Promise<void> {
    if (!this.isRebuilding || this.projection.batchEnd?.whole === undefined) return;
    const [lease, here] = [this.lease, this.lastCheckpoint];
    await inTransaction(
      this.options.pool,
      async (client) => {
        await moveCheckpoint(client, { lease, from: here, to: here });
        await this.tables.whole(client);
        await prolongLeases(client, [lease]);
      },
      BEGIN_BATCH,
    );
  }

  /** All or none: after a crash the next holder finds tables without indexes. */
  private async index(): Promise<void> {
    await inTransaction(this.options.pool, async (client) => {
      await createIndexes(client, this.projection, this.lease.generation);
      await this.markIndexed(client);
    });
    this.isIndexed = true;
  }

  private async markIndexed(client: Querying): Promise<void> {
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
