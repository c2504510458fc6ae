import { type EventStore, type EventPage, type Position, readPage } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Checkpoint } from '../bookkeeping/leases.js';
import { type Member, SharedLoop } from '../scheduling.js';
import type { GenerationTables } from '../generations/generation-tables.js';
import { BEGINNING, LogPage, positionOf } from './projected-batch.js';
import { BatchWriter } from './batch-writer.js';
import type { RebuildBudget, RebuildThrottle } from './rebuild-throttle.js';
import { isEventError } from '../projection.js';

/** A generation far behind the log head, as seen by a pass. */
export interface PassGeneration {
  readonly tables: GenerationTables;
  readonly checkpoint: Checkpoint;
  /** Not read before the rebuild is finished; see `BatchEnd`. */
  readonly isRebuilding: boolean;
  /** Ids of skipped events. */
  readonly skipped: ReadonlySet<string>;
  /** Called after each commit. */
  advance(to: Checkpoint): void;
}

export interface PassOptions {
  readonly signal: AbortSignal;
  /** Where to stop; defaults to the end of the log. */
  readonly until?: Position | undefined;
}

/**
 * - caught up: reached the end of the log or `until`
 * - aborted: unflushed rows are lost
 * - failed: an event up to `upTo` cannot be folded; nothing after the checkpoint is kept
 */
export type PassOutcome =
  | { readonly kind: 'caught up' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly upTo: Position };

export interface RebuildPassOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly budget: RebuildBudget;
  /** Limits page size and rate during live work. */
  readonly throttle?: RebuildThrottle | undefined;
  readonly pageSize: number;
}

/** Two pages are in memory: one is read while the other is folded. */
const PAGE_BYTES = 8 * 2 ** 20;
/** Small at first, so that a process that keeps crashing still makes progress between flushes. */
const FIRST_PAGE = 250;
const FIRST_FLUSH_MS = 200;
const FLUSH_MS = 2_000;

interface PassTask {
  readonly generation: PassGeneration;
  readonly writer: BatchWriter;
  readonly until: Position | undefined;
}
type PassMember = Member<PassTask, PassOutcome>;

/**
 * Rebuilds several generations in one pass over the log: each page is read and decoded once, starting at the generation furthest behind,
 * and folded into every generation that is not ahead of it.
 */
export class RebuildPass extends SharedLoop<PassTask, PassOutcome> {
  private readonly options: RebuildPassOptions;
  private prefetched: { readonly from: Position; readonly page: Promise<EventPage> } | undefined;
  /** Flushes run sequentially, while the next pages are folded. */
  private flushes: Promise<void> = Promise.resolve();
  private isFlushing = false;
  private flushedAt = performance.now();
  private flushAfterMs = FIRST_FLUSH_MS;
  private maxEvents = FIRST_PAGE;

  constructor(options: RebuildPassOptions) {
    super();
    this.options = options;
  }

  /** Checkpoint of the generation furthest behind; undefined in an empty pass. */
  get furthestBehind(): Checkpoint | undefined {
    let last: Checkpoint | undefined;
    for (const { task } of this.members) {
      const { folded } = task.writer;
      if (last === undefined || positionOf(folded) < positionOf(last)) last = folded;
    }
    return last;
  }

  async run(generation: PassGeneration, { signal, until }: PassOptions): Promise<PassOutcome> {
    const { tables, checkpoint: from, isRebuilding: rebuilding } = generation;
    const { pool, budget } = this.options;
    const writer = new BatchWriter(pool, tables, { from, rebuilding });
    budget.add(writer);
    try {
      return await this.join({ generation, writer, until }, signal);
    } finally {
      budget.remove(writer);
    }
  }

  protected override async round(changed: AbortSignal): Promise<void> {
    try {
      await this.foldPage(changed);
    } catch (error) {
      await this.flushes;
      throw error;
    }
  }

  private async foldPage(changed: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    await this.releaseAborted();
    const from = this.furthestBehind;
    if (from === undefined) return;
    const { events, isLast } = await this.page(positionOf(from));
    const page = new LogPage(from, events);
    for (const member of this.members) {
      if (!member.signal.aborted) await this.fold(member, page);
    }
    // A generation that has just joined may still be behind this page.
    for (const member of this.members) {
      const { writer, until } = member.task;
      const isAtTheEnd = isLast && writer.hasPassed(page.end);
      if (isAtTheEnd || (until !== undefined && writer.hasPassed(until))) await this.finish(member);
    }
    if (this.isEmpty) return;
    await this.flushWhenDue();
    await this.options.throttle?.delay(performance.now() - startedAt, changed);
  }

  /** Prefetches the next page, which is wasted only if a generation further behind joins. */
  private async page(from: Position): Promise<EventPage> {
    const page = this.prefetched?.from === from ? await this.prefetched.page : await this.read(from);
    const last = page.events.at(-1)?.position;
    this.prefetched = undefined;
    if (!page.isLast && last !== undefined) {
      this.prefetched = { from: last, page: this.read(last) };
      // Awaited when it is folded; an earlier failure must not count as unhandled.
      this.prefetched.page.catch(() => undefined);
    }
    return page;
  }

  private read(after: Position): Promise<EventPage> {
    const { store, throttle, pageSize } = this.options;
    const limit = Math.min(throttle?.pageSize ?? pageSize, this.maxEvents);
    this.maxEvents = 2 * limit;
    return readPage(store, { ...(after !== BEGINNING && { after }), limit, maxBytes: PAGE_BYTES });
  }

  private async fold(member: PassMember, page: LogPage): Promise<void> {
    const { writer, generation, until } = member.task;
    const batch = page.after(writer.folded, { until, skipped: generation.skipped });
    if (batch === undefined) return;
    try {
      await writer.fold(batch);
    } catch (error) {
      await this.flushes;
      fail(member, error, positionOf(batch.to));
    }
  }

  private async finish(member: PassMember): Promise<void> {
    await this.flush([member]);
    if (this.members.has(member)) member.leave({ kind: 'caught up' });
  }

  /** Waits for a flush in progress, so that the next lease holder finds its checkpoint. */
  private async releaseAborted(): Promise<void> {
    if (![...this.members].some(({ signal }) => signal.aborted)) return;
    await this.flushes;
    for (const { signal, leave } of this.members) if (signal.aborted) leave({ kind: 'aborted' });
  }

  private async flushWhenDue(): Promise<void> {
    const { isFull, shouldFlush } = this.options.budget;
    const isDue = shouldFlush || performance.now() - this.flushedAt > this.flushAfterMs;
    if (!isFull && (!isDue || this.isFlushing)) return;
    await this.flushes;
    void this.flush([...this.members]);
  }

  /** Never rejects: a generation that fails leaves the pass. */
  private flush(members: readonly PassMember[]): Promise<void> {
    this.flushes = this.flushes.then(async () => {
      this.isFlushing = true;
      this.flushedAt = performance.now();
      const evict = this.options.budget.shouldEvict();
      for (const member of members) if (this.members.has(member)) await flushOne(member, evict);
      this.flushAfterMs = Math.min(FLUSH_MS, 2 * this.flushAfterMs);
      this.isFlushing = false;
    });
    return this.flushes;
  }
}

async function flushOne(member: PassMember, evict: boolean): Promise<void> {
  const { writer, generation } = member.task;
  const upTo = positionOf(writer.folded);
  try {
    await writer.flush(evict);
    generation.advance(writer.stored);
  } catch (error) {
    fail(member, error, upTo);
  }
}

function fail({ leave, fail: reject }: PassMember, error: unknown, upTo: Position): void {
  if (isEventError(error)) leave({ kind: 'failed', upTo });
  else reject(error);
}

/** Generations within this many events always share a pass, even near the end of the log. */
const MIN_SHARED_DISTANCE = 20_000;

export interface RebuildPassesOptions extends RebuildPassOptions {
  /** Number of events in the log, as far as known. */
  readonly logLength: () => number;
}

/** The passes of a process. Live generations that catch up are not throttled, so they have passes of their own. */
export class RebuildPasses {
  private readonly options: RebuildPassesOptions;
  private readonly passes = { throttled: new Set<RebuildPass>(), unthrottled: new Set<RebuildPass>() };

  constructor(options: RebuildPassesOptions) {
    this.options = options;
  }

  async run(
    generation: PassGeneration,
    { isThrottled, ...options }: PassOptions & { readonly isThrottled: boolean },
  ): Promise<PassOutcome> {
    const passes = this.passes[isThrottled ? 'throttled' : 'unthrottled'];
    const pass = this.findPass(passes, generation) ?? this.newPass(isThrottled);
    passes.add(pass);
    try {
      return await pass.run(generation, options);
    } finally {
      if (pass.isEmpty) passes.delete(pass);
    }
  }

  private findPass(
    passes: ReadonlySet<RebuildPass>,
    { checkpoint }: PassGeneration,
  ): RebuildPass | undefined {
    return [...passes].find(({ furthestBehind: last }) =>
      last ? canSharePass(last.ordinal, checkpoint.ordinal, this.options.logLength()) : false,
    );
  }

  private newPass(isThrottled: boolean): RebuildPass {
    const { throttle, ...options } = this.options;
    return new RebuildPass({ ...options, ...(isThrottled && { throttle }) });
  }
}

/**
 * Whether two generations should share a pass: their distance must not exceed what the one ahead has left.
 * @param one, other ordinals of their checkpoints
 */
export function canSharePass(one: number, other: number, logLength: number): boolean {
  const left = logLength - Math.max(one, other);
  return Math.abs(one - other) <= Math.max(left, MIN_SHARED_DISTANCE);
}
