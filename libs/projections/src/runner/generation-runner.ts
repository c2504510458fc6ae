import type { Pool } from 'pg';
import { type EventStore, type PageWithin, readWithin, type RecordedEvent } from '@nimo/event-store';
import { BackOff } from '../pause.js';
import type { Projection } from '../projection.js';
import { BatchPipeline } from './batch-pipeline.js';
import type { BuildPace } from './build-pace.js';
import { BatchWriter } from './batch-writer.js';
import { PROJECTION_CHANNEL, type ProjectionError } from './bookkeeping.js';
import { type Checkpoint, type CheckpointMoves, LeaseLostError } from './checkpoint.js';
import { causeOf, isOfTheEvent } from './fold-error.js';
import { createIndexes, findGeneration, type Generation } from './generations.js';
import type { Lease } from './leases.js';
import { BEGINNING, type SharedTail } from './shared-tail.js';
import { switchGeneration, type SwitchRefusal } from './switch-generation.js';
import { inTransaction } from './transaction.js';

export interface RunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  /** Not shared between a generation that is built and a live one: the switch lets the one move while the other stands still. */
  readonly moves: CheckpointMoves;
  /** Events a batch while catching up. */
  readonly pageSize?: number;
  readonly onApplied?: (batch: AppliedBatch) => void;
  /** Of what may wait: a build beside the live generation. */
  readonly pace?: BuildPace;
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

const PAGE_SIZE = 4000;
/** Three pages are in memory: one is read and one is written while one is folded. */
const PAGE_BYTES = 8 * 2 ** 20;
const LIVE_BATCH = 1000;
/** Of rounds that came no further. */
const FIRST_REST_MS = 20;
const LONGEST_REST_MS = 2_000;
/** A switch that was refused is tried again after it. */
const REFUSED_MS = 5_000;

const NO_MORE: PageWithin = { events: [], isLast: true };

/** The event that a projection could not digest. */
export class BadEventError extends Error {
  override readonly name = 'BadEventError';
  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Carries one generation along the log, as long as it holds the lease. */
export class GenerationRunner {
  readonly #options: RunnerOptions;
  readonly #projection: Projection;
  readonly #lease: Lease;
  readonly #writer: BatchWriter;
  readonly #skipped: ReadonlySet<string>;
  #checkpoint: Checkpoint;
  #isLive: boolean;
  #refused: string | undefined;
  #isIndexed: boolean;

  static async load(options: RunnerOptions, projection: Projection, lease: Lease): Promise<GenerationRunner> {
    const row = await findGeneration(options.pool, lease.name, lease.generation);
    if (!row) throw new LeaseLostError(`${lease.name}:${lease.generation} was dropped`);
    return new GenerationRunner(options, projection, lease, row);
  }

  private constructor(options: RunnerOptions, projection: Projection, lease: Lease, row: Generation) {
    this.#options = options;
    this.#projection = projection;
    this.#lease = lease;
    this.#writer = new BatchWriter(options.pool, options.moves, projection, lease);
    this.#skipped = new Set(row.skipped.map(({ eventId }) => eventId));
    this.#checkpoint = { position: row.position, ordinal: row.ordinal };
    this.#isLive = row.status === 'live';
    this.#isIndexed = row.indexed;
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /** To the end of the log, with indexes. */
  async build(signal: AbortSignal): Promise<void> {
    await this.catchUp(signal);
    if (this.#isIndexed || signal.aborted) return;
    await this.#index();
    await this.catchUp(signal);
  }

  /** In the live one's place, as soon as it may and is not behind it. */
  async takeOver(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, LONGEST_REST_MS);
    while (!this.#isLive && !signal.aborted) {
      const { position } = this.#checkpoint;
      const outcome = await switchGeneration({
        pool: this.#options.pool,
        projection: this.#projection,
        lease: this.#lease,
        lastStep: (position) => this.catchUp(signal, position),
        refusal: this.#options.refusal,
      });
      if (outcome === 'switched') this.#isLive = true;
      else if (outcome === 'behind') await this.catchUp(signal);
      else if (outcome instanceof Error) await this.#waitOutRefusal(outcome, waiting, signal);
      else await this.follow(waiting.tail, AbortSignal.any([signal, waiting.released]));
      if (this.#isLive || this.#checkpoint.position !== position) backOff.reset();
      else await backOff.rest(signal);
    }
  }

  /** It stays ready beside what serves, and looks again now and then. */
  async #waitOutRefusal(refusal: Error, { tail }: Waiting, signal: AbortSignal): Promise<void> {
    if (this.#refused !== refusal.message) this.#options.onRefusal?.(refusal, this.#lease.name);
    this.#refused = refusal.message;
    await this.follow(tail, AbortSignal.any([signal, AbortSignal.timeout(REFUSED_MS)]));
  }

  /** Until the signal aborts or the tail stops. */
  async follow(tail: SharedTail, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, LONGEST_REST_MS);
    while (!signal.aborted && !tail.isStopped) {
      const position = this.#checkpoint.position ?? BEGINNING;
      const events = tail.read(position, LIVE_BATCH);
      if (events?.length === 0) {
        await tail.beyond(position, signal);
        continue;
      }
      if (events === undefined) await this.catchUp(signal);
      else await this.#applyOrSplit(events, !this.#isLive);
      if ((this.#checkpoint.position ?? BEGINNING) !== position) backOff.reset();
      // Where the tail begins after what the store has: a log that was replaced.
      else await backOff.rest(signal);
    }
  }

  /** Large pages: one is read and one is written while one is folded. */
  async catchUp(signal: AbortSignal, until?: string): Promise<void> {
    const { pace, pageSize = PAGE_SIZE } = this.#options;
    let limit = pace?.pageSize ?? pageSize;
    const pipeline = new BatchPipeline(this.#writer, this.#checkpoint, {
      options: { rebuilding: true, skipped: this.#skipped },
      onCommit: (checkpoint) => this.#arrive(checkpoint),
      onFailure: (events) => this.#applyOrSplit(events, true),
    });
    let page = await this.#readPage(this.#checkpoint.position, limit, until);
    while (page.events.length > 0 && !signal.aborted) {
      const { events, isLast } = page;
      const start = performance.now();
      limit = pace?.pageSize ?? pageSize;
      const next = isLast ? undefined : this.#readPage(events.at(-1)?.position ?? null, limit, until);
      // Awaited below; a failure before that must not count as unhandled.
      next?.catch(() => undefined);
      await pipeline.push(events);
      if (!isLast) await pace?.giveWay(performance.now() - start, signal);
      page = (await next) ?? NO_MORE;
    }
    await pipeline.end();
  }

  async #readPage(after: string | null, limit: number, until: string | undefined): Promise<PageWithin> {
    return readWithin(this.#options.store, {
      ...(after === null ? {} : { after }),
      ...(until === undefined ? {} : { until }),
      limit,
      mostBytes: PAGE_BYTES,
    });
  }

  /** All or none: whoever takes over from a process that died in here finds a clean table. */
  async #index(): Promise<void> {
    const { name, generation } = this.#lease;
    await inTransaction(this.#options.pool, async (client) => {
      await createIndexes(client, this.#projection, generation);
      await client.query(
        'update read.projection_generations set indexed = true where name = $1 and generation = $2',
        [name, generation],
      );
    });
    this.#isIndexed = true;
  }

  #arrive(checkpoint: Checkpoint): void {
    this.#checkpoint = checkpoint;
  }

  /** A batch that fails is halved until the event is found that cannot be digested; those before it are applied. */
  async #applyOrSplit(events: readonly RecordedEvent[], rebuilding: boolean): Promise<Checkpoint> {
    const startedAt = Date.now();
    try {
      this.#arrive(
        await this.#writer.apply(this.#checkpoint, events, { rebuilding, skipped: this.#skipped }),
      );
      if (!rebuilding) this.#options.onApplied?.({ projection: this.#lease.name, events, startedAt });
    } catch (error) {
      if (error instanceof LeaseLostError || !isOfTheEvent(error)) throw error;
      const [first] = events;
      if (first !== undefined && events.length === 1) {
        await this.#stop(first, causeOf(error));
        throw new BadEventError(first, causeOf(error));
      }
      const middle = Math.ceil(events.length / 2);
      await this.#applyOrSplit(events.slice(0, middle), rebuilding);
      await this.#applyOrSplit(events.slice(middle), rebuilding);
    }
    return this.#checkpoint;
  }

  async #stop(event: RecordedEvent, cause: unknown): Promise<void> {
    const { name, generation, owner, epoch } = this.#lease;
    const error: ProjectionError = {
      eventId: event.id,
      eventType: event.type,
      ordinal: this.#checkpoint.ordinal + 1,
      position: event.position,
      message: cause instanceof Error ? cause.message : String(cause),
      at: new Date().toISOString(),
    };
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
