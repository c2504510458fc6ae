import type { Pool } from 'pg';
import { type EventStore, type Position, readWithin, type RecordedEvent } from '@nimo/event-store';
import { BackOff } from '../scheduling.js';
import type { Projection } from '../projection.js';
import type { Builder, BuildPasses } from '../rebuild/rebuild-pass.js';
import { BatchWriter } from './batch-writer.js';
import { PROJECTION_CHANNEL, type ProjectionError } from '../bookkeeping/bookkeeping.js';
import {
  type Checkpoint,
  LeaseLostError,
  moveCheckpoint,
  prolongLeases,
  type Lease,
} from '../bookkeeping/leases.js';
import { endsBefore, LogEndsBeforeError, BEGINNING, type SharedTail } from './log-tail.js';
import { causeOf, isOfTheEvent } from '../folding/handlers.js';
import { createIndexes, findGeneration, type Generation } from '../generations/generations.js';
import { BEGIN_BATCH, GenerationTables } from '../storage/generation-tables.js';
import { type Follower, LIVE_BATCH, type LiveLoop } from './live-loop.js';
import type { LiveBatch } from './live-tick.js';
import { projectedBatch } from './projected-batch.js';
import { switchGeneration, type SwitchRefusal } from '../generations/switch-generation.js';
import type { Querying } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';
import type { Turnstile } from './turnstile.js';

export interface RunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  /** Along the log with others that are behind. */
  readonly passes: BuildPasses;
  /** Few at a time make their indexes, which take the memory and the disk of the database. */
  readonly indexing: Turnstile;
  readonly onApplied?: (batch: AppliedBatch) => void;
  /** Why nothing may be switched now; told once. */
  readonly refusal?: SwitchRefusal;
  readonly onRefusal?: (refusal: Error, projection: string) => void;
}

/** What a live projection applied in one transaction. */
export interface AppliedBatch {
  readonly projection: string;
  readonly events: readonly RecordedEvent[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What a generation that is built and held waits by. */
export interface Waiting {
  readonly tail: SharedTail;
  /** Aborts when it may take the live one's place. */
  readonly released: AbortSignal;
}

/** Of one that goes alone. */
const PAGE_SIZE = 1_000;
const PAGE_BYTES = 8 * 2 ** 20;
/** Of rounds that came no further. */
const FIRST_REST_MS = 20;
const MAX_REST_MS = 2_000;
/** A switch that was refused is tried again after it. */
const REFUSED_MS = 5_000;

/** The event that a projection could not digest. */
export class PoisonEventError extends Error {
  override readonly name = 'PoisonEventError';
  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Carries one generation along the log, as long as it holds the lease. */
export class GenerationRunner implements Follower, Builder {
  readonly #options: RunnerOptions;
  readonly #projection: Projection;
  readonly #lease: Lease;
  readonly tables: GenerationTables;
  readonly skipped: ReadonlySet<string>;
  readonly #writer: BatchWriter;
  #checkpoint: Checkpoint;
  #isLive: boolean;
  #refused: string | undefined;
  #isIndexed: boolean;

  /** @throws LogEndsBeforeError where the log was replaced by an older one */
  static async load(options: RunnerOptions, projection: Projection, lease: Lease): Promise<GenerationRunner> {
    const row = await findGeneration(options.pool, lease.name, lease.generation);
    if (!row) throw new LeaseLostError(`${lease.name}:${lease.generation} was dropped`);
    const runner = new GenerationRunner(options, projection, lease, row);
    if (!(await endsBefore(options.store, row.position))) return runner;
    const ahead = new LogEndsBeforeError(lease.name, row.ordinal);
    // For good: once more was appended than it has read, nobody could tell any more.
    await runner.#keepError({
      ...{ eventId: '', eventType: '', ordinal: row.ordinal, position: row.position ?? '' },
      ...{ message: ahead.message, at: new Date().toISOString(), isAheadOfLog: true },
    });
    throw ahead;
  }

  private constructor(options: RunnerOptions, projection: Projection, lease: Lease, row: Generation) {
    this.#options = options;
    this.#projection = projection;
    this.#lease = lease;
    this.tables = new GenerationTables(projection, lease);
    this.#writer = new BatchWriter(options.pool, this.tables);
    this.skipped = new Set(row.skipped.map(({ eventId }) => eventId));
    this.#checkpoint = { position: row.position, ordinal: row.ordinal };
    this.#isLive = row.status === 'live';
    this.#isIndexed = row.indexed;
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /** Until it has reached the end of the log once. The first one of all serves on the way there. */
  get isRebuilding(): boolean {
    return !this.#isIndexed && !this.#isLive;
  }

  /** To the end of the log, with indexes. */
  async build(signal: AbortSignal): Promise<void> {
    await this.catchUp(signal);
    if (this.#isIndexed || signal.aborted) return;
    await this.#options.indexing.pass(async () => {
      if (signal.aborted) return;
      await this.#makeWhole();
      await this.#index();
    });
    await this.catchUp(signal);
  }

  /** Up to a place, as `build` would leave its rows there. Nobody reads it, so it gets no indexes. */
  async copyUpTo(position: Position, signal: AbortSignal): Promise<void> {
    await this.catchUp(signal, position);
    if (!this.isRebuilding || signal.aborted) return;
    await this.#makeWhole();
    await this.#keepAsIndexed(this.#options.pool);
    this.#isIndexed = true;
  }

  /** In the live one's place, as soon as it may and is not behind it. */
  async takeOver(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!this.#isLive && !signal.aborted) {
      const { position } = this.#checkpoint;
      const outcome = await switchGeneration({
        pool: this.#options.pool,
        projection: this.#projection,
        lease: this.#lease,
        lastStep: (position) => this.#goAlone(signal, position),
        refusal: this.#options.refusal,
        isWholeLog: () => this.#isWholeLog(),
      });
      if (outcome === 'switched') this.#isLive = true;
      else if (outcome === 'behind') await this.catchUp(signal);
      else if (outcome instanceof Error) await this.#waitOutRefusal(outcome, waiting, signal);
      else await this.follow(waiting.tail, AbortSignal.any([signal, waiting.released]));
      if (this.#isLive || this.#checkpoint.position !== position) backOff.reset();
      else await backOff.rest(signal);
    }
  }

  /** Nothing comes after what it has: a live one that is further on has read another log. */
  async #isWholeLog(): Promise<boolean> {
    const { position } = this.#checkpoint;
    const after = position === null ? {} : { after: position };
    return (await this.#options.store.readAll({ ...after, limit: 1 })).length === 0;
  }

  /** It stays ready beside what serves, and looks again now and then. */
  async #waitOutRefusal(refusal: Error, { tail }: Waiting, signal: AbortSignal): Promise<void> {
    if (this.#refused !== refusal.message) this.#options.onRefusal?.(refusal, this.#lease.name);
    this.#refused = refusal.message;
    await this.follow(tail, AbortSignal.any([signal, AbortSignal.timeout(REFUSED_MS)]));
  }

  /** Where it serves: with the others, and by itself where it has to. Until the signal aborts or the tail stops. */
  async serve(loop: LiveLoop, tail: SharedTail, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!signal.aborted && !tail.isStopped) {
      if ((await loop.carry(this, signal)) === 'ended') return;
      await this.#step(tail, signal, backOff);
    }
  }

  /** By itself, until the signal aborts or the tail stops. */
  async follow(tail: SharedTail, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!signal.aborted && !tail.isStopped) {
      await tail.beyond(this.position, signal);
      await this.#step(tail, signal, backOff);
    }
  }

  /** Over what the tail has, or, where that does not reach back, over what the store has. */
  async #step(tail: SharedTail, signal: AbortSignal, backOff: BackOff): Promise<void> {
    const { position } = this;
    const events = tail.read(position, LIVE_BATCH);
    if (events?.length === 0) return;
    if (events === undefined) await this.catchUp(signal);
    else await this.#applyOrSplit(events);
    if (this.position !== position) backOff.reset();
    // Where the tail begins after what the store has: a log that was replaced.
    else await backOff.rest(signal);
  }

  get position(): Position {
    return this.#checkpoint.position ?? BEGINNING;
  }

  batchOf(events: readonly RecordedEvent[]): LiveBatch {
    return { ...projectedBatch(this.#checkpoint, events, this.skipped), tables: this.tables };
  }

  /** @param live what it applied where it serves, and since when */
  arrive(to: Checkpoint, events?: readonly RecordedEvent[], startedAt = Date.now()): void {
    this.#checkpoint = to;
    if (events) this.#options.onApplied?.({ projection: this.#lease.name, events, startedAt });
  }

  /** To the end of the log or up to a place, with others that are on the way; alone over what cannot be digested. */
  async catchUp(signal: AbortSignal, until?: Position): Promise<void> {
    const isPatient = !this.#isLive;
    while (!signal.aborted) {
      const landing = await this.#options.passes.carry(this, { signal, until, isPatient });
      if (landing.kind !== 'alone') return;
      await this.#goAlone(signal, landing.upTo);
    }
  }

  async #goAlone(signal: AbortSignal, until: Position): Promise<void> {
    for (let isLast = false; !isLast && !signal.aborted;) {
      const { position } = this.#checkpoint;
      const page = await readWithin(this.#options.store, {
        ...(position !== null && { after: position }),
        ...{ until, limit: PAGE_SIZE, mostBytes: PAGE_BYTES },
      });
      if (page.events.length > 0) await this.#applyOrSplit(page.events, { tells: false });
      isLast = page.isLast;
    }
  }

  /** Who dies before the indexes are made leaves it to the next to do it again. */
  async #makeWhole(): Promise<void> {
    if (!this.isRebuilding || this.#projection.batchEnd?.whole === undefined) return;
    const [lease, here] = [this.#lease, this.#checkpoint];
    await inTransaction(
      this.#options.pool,
      async (client) => {
        await moveCheckpoint(client, { lease, from: here, to: here });
        await this.tables.whole(client);
        await prolongLeases(client, [lease]);
      },
      BEGIN_BATCH,
    );
  }

  /** All or none: whoever takes over from a process that died in here finds a clean table. */
  async #index(): Promise<void> {
    await inTransaction(this.#options.pool, async (client) => {
      await createIndexes(client, this.#projection, this.#lease.generation);
      await this.#keepAsIndexed(client);
    });
    this.#isIndexed = true;
  }

  async #keepAsIndexed(client: Querying): Promise<void> {
    const { name, generation } = this.#lease;
    await client.query(
      'update read.projection_generations set indexed = true where name = $1 and generation = $2',
      [name, generation],
    );
  }

  /** A batch that fails is halved until the event is found that cannot be digested; those before it are applied. */
  async #applyOrSplit(
    events: readonly RecordedEvent[],
    told: { readonly tells: boolean } = { tells: this.#isLive },
  ): Promise<Checkpoint> {
    const startedAt = Date.now();
    try {
      const options = { rebuilding: this.isRebuilding, skipped: this.skipped };
      this.#checkpoint = await this.#writer.apply(this.#checkpoint, events, options);
      if (told.tells) this.#options.onApplied?.({ projection: this.#lease.name, events, startedAt });
    } catch (error) {
      if (error instanceof LeaseLostError || !isOfTheEvent(error)) throw error;
      const [first] = events;
      if (first !== undefined && events.length === 1) {
        await this.#stop(first, causeOf(error));
        throw new PoisonEventError(first, causeOf(error));
      }
      const middle = Math.ceil(events.length / 2);
      await this.#applyOrSplit(events.slice(0, middle), told);
      await this.#applyOrSplit(events.slice(middle), told);
    }
    return this.#checkpoint;
  }

  async #stop(event: RecordedEvent, cause: unknown): Promise<void> {
    await this.#keepError({
      eventId: event.id,
      eventType: event.type,
      ordinal: this.#checkpoint.ordinal + 1,
      position: event.position,
      message: cause instanceof Error ? cause.message : String(cause),
      at: new Date().toISOString(),
    });
  }

  async #keepError(error: ProjectionError): Promise<void> {
    const { name, generation, owner, epoch } = this.#lease;
    const { rowCount } = await this.#options.pool.query(
      `with stopped as (
         update read.projection_generations set error = $5, updated_at = clock_timestamp()
         where name = $1 and generation = $2 and owner = $3 and epoch = $4 and expires_at > clock_timestamp()
           and position is not distinct from $6
         returning name, status
       )
       select case when status = 'live' then pg_notify('${PROJECTION_CHANNEL}', name || ':') end from stopped`,
      [name, generation, owner, epoch, JSON.stringify(error), this.#checkpoint.position],
    );
    // Without the lease the tables were another's to change or to drop, and no event is to blame.
    if (rowCount === 0) throw new LeaseLostError(`${name}:${generation} is no longer led by this process`);
  }
}
