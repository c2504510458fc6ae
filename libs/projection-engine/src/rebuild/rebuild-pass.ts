import { type EventStore, type PageWithin, type Position, readWithin } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Checkpoint } from '../bookkeeping/leases.js';
import { isOfTheEvent } from '../folding/handlers.js';
import type { BuildBudget, BuildPace } from './rebuild-throttle.js';
import { GenerationBuild } from './generation-build.js';
import type { GenerationTables } from '../storage/generation-tables.js';
import { LogPage } from '../worker/projected-batch.js';
import { BEGINNING } from '../worker/log-tail.js';

/** A generation that is far behind, as a pass takes it along. */
export interface Builder {
  readonly tables: GenerationTables;
  readonly checkpoint: Checkpoint;
  /** Nobody reads it before it is whole: see `BatchEnd`. */
  readonly isRebuilding: boolean;
  /** Ids of events that are left out. */
  readonly skipped: ReadonlySet<string>;
  /** After each commit. */
  arrive(to: Checkpoint): void;
}

export interface Carried {
  readonly signal: AbortSignal;
  /** How far; otherwise to the end of the log. */
  readonly until?: Position | undefined;
}

/**
 * - arrived: at the end of the log, or as far as it was to go
 * - ended: as its signal asked; what was not flushed is forgotten
 * - alone: something up to that position cannot be digested; nothing after its checkpoint is kept
 */
export type Landing =
  | { readonly kind: 'arrived' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'alone'; readonly upTo: Position };

export interface BuildPassOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly budget: BuildBudget;
  /** Where something else goes before: how large pages are, and when to rest. */
  readonly pace?: BuildPace | undefined;
  readonly pageSize: number;
}

/** Two pages are in memory: one is read while the other is folded. */
const PAGE_BYTES = 8 * 2 ** 20;
/** What is not flushed is lost with the process, and is not seen as progress: soon at first, for those that never live long. */
const FIRST_PAGE = 250;
const FIRST_FLUSH_MS = 200;
const FLUSH_MS = 2_000;

interface Passenger extends Carried {
  readonly builder: Builder;
  readonly build: GenerationBuild;
  readonly land: (landing: Landing) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Takes generations along the log together: each page is read and decoded once, and folded by one after the other. The reader is where the one is
 * that is furthest behind; who is further on than a page skips it. Who fails leaves, and the others go on.
 */
export class BuildPass {
  readonly #options: BuildPassOptions;
  readonly #passengers = new Set<Passenger>();
  #ahead: { readonly from: Position; readonly page: Promise<PageWithin> } | undefined;
  /** Flushes happen one after the other, beside the folds. */
  #flushes: Promise<void> = Promise.resolve();
  #isFlushing = false;
  #flushedAt = performance.now();
  #flushAfterMs = FIRST_FLUSH_MS;
  #mostEvents = FIRST_PAGE;
  #isRunning = false;
  /** Aborts when somebody comes, or wants to go. */
  #changed = new AbortController();

  constructor(options: BuildPassOptions) {
    this.#options = options;
  }

  /** How far the furthest behind has folded; undefined where nobody is aboard. */
  get reader(): Checkpoint | undefined {
    let last: Checkpoint | undefined;
    for (const { build } of this.#passengers)
      if (last === undefined || positionOf(build.folded) < positionOf(last)) last = build.folded;
    return last;
  }

  /** @throws what concerns it: a lost lease, a lost connection */
  async carry(builder: Builder, { signal, until }: Carried): Promise<Landing> {
    const { tables, checkpoint: from, isRebuilding: rebuilding } = builder;
    const build = new GenerationBuild(this.#options.pool, tables, { from, rebuilding });
    const wake = (): void => this.#changed.abort();
    signal.addEventListener('abort', wake, { once: true });
    return new Promise<Landing>((resolve, reject) => {
      const leave = (): void => {
        this.#passengers.delete(passenger);
        this.#options.budget.remove(build);
        signal.removeEventListener('abort', wake);
      };
      const passenger: Passenger = {
        ...{ builder, build, signal, until },
        land: (landing) => {
          leave();
          resolve(landing);
        },
        fail: (error) => {
          leave();
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passed on as it came
          reject(error);
        },
      };
      this.#passengers.add(passenger);
      this.#options.budget.add(build);
      this.#changed.abort();
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#flushedAt = performance.now();
    this.#flushAfterMs = FIRST_FLUSH_MS;
    this.#mostEvents = FIRST_PAGE;
    while (this.#passengers.size > 0) {
      try {
        await this.#round();
      } catch (error) {
        await this.#flushes;
        for (const passenger of this.#passengers) passenger.fail(error);
      }
    }
    this.#ahead = undefined;
    this.#isRunning = false;
  }

  async #round(): Promise<void> {
    const begunAt = performance.now();
    this.#changed = new AbortController();
    await this.#dismiss();
    const from = this.reader;
    if (from === undefined) return;
    const { events, isLast } = await this.#page(positionOf(from));
    const page = new LogPage(from, events);
    for (const passenger of this.#passengers) {
      if (!passenger.signal.aborted) await this.#fold(passenger, page);
    }
    // Not those that came meanwhile and are not there yet.
    for (const passenger of this.#passengers) {
      const { build, until } = passenger;
      const isAtTheEnd = isLast && build.hasPassed(page.end);
      if (isAtTheEnd || (until !== undefined && build.hasPassed(until))) await this.#arrive(passenger);
    }
    if (this.#passengers.size === 0) return;
    await this.#flushWhereDue();
    await this.#options.pace?.giveWay(performance.now() - begunAt, this.#changed.signal);
  }

  /** Reads the next one ahead, which is wasted only where somebody came aboard who is further behind. */
  async #page(from: Position): Promise<PageWithin> {
    const page = this.#ahead?.from === from ? await this.#ahead.page : await this.#read(from);
    const last = page.events.at(-1)?.position;
    this.#ahead = undefined;
    if (!page.isLast && last !== undefined) {
      this.#ahead = { from: last, page: this.#read(last) };
      // Awaited when it is folded; a failure before that must not count as unhandled.
      this.#ahead.page.catch(() => undefined);
    }
    return page;
  }

  #read(after: Position): Promise<PageWithin> {
    const { store, pace, pageSize } = this.#options;
    const limit = Math.min(pace?.pageSize ?? pageSize, this.#mostEvents);
    this.#mostEvents = 2 * limit;
    return readWithin(store, {
      ...(after !== BEGINNING && { after }),
      limit,
      mostBytes: PAGE_BYTES,
    });
  }

  async #fold(passenger: Passenger, page: LogPage): Promise<void> {
    const { build, builder, until } = passenger;
    const part = page.after(build.folded, { until, skipped: builder.skipped });
    if (part === undefined) return;
    try {
      await build.fold(part);
    } catch (error) {
      await this.#flushes;
      this.#fail(passenger, error, positionOf(part.to));
    }
  }

  /** Out of the way at once, whatever the others do, once its last rows are written. */
  async #arrive(passenger: Passenger): Promise<void> {
    await this.#flush([passenger]);
    if (this.#passengers.has(passenger)) passenger.land({ kind: 'arrived' });
  }

  #fail({ fail, land }: Passenger, error: unknown, upTo: Position): void {
    if (isOfTheEvent(error)) land({ kind: 'alone', upTo });
    else fail(error);
  }

  /** Not in the middle of a flush: whoever takes over is to find where it got to. */
  async #dismiss(): Promise<void> {
    if (![...this.#passengers].some(({ signal }) => signal.aborted)) return;
    await this.#flushes;
    for (const { signal, land } of this.#passengers) if (signal.aborted) land({ kind: 'ended' });
  }

  async #flushWhereDue(): Promise<void> {
    const { isFull, isWorthAFlush } = this.#options.budget;
    const isDue = isWorthAFlush || performance.now() - this.#flushedAt > this.#flushAfterMs;
    if (!isFull && (!isDue || this.#isFlushing)) return;
    await this.#flushes;
    void this.#flush([...this.#passengers]);
  }

  /** Never rejects: who fails leaves. */
  #flush(passengers: readonly Passenger[]): Promise<void> {
    this.#flushes = this.#flushes.then(async () => {
      this.#isFlushing = true;
      this.#flushedAt = performance.now();
      const forgets = this.#options.budget.forgets();
      for (const passenger of passengers)
        if (this.#passengers.has(passenger)) await this.#write(passenger, forgets);
      this.#flushAfterMs = Math.min(FLUSH_MS, 2 * this.#flushAfterMs);
      this.#isFlushing = false;
    });
    return this.#flushes;
  }

  async #write(passenger: Passenger, forgets: boolean): Promise<void> {
    const { build, builder } = passenger;
    const upTo = positionOf(build.folded);
    try {
      await build.flush(forgets);
      builder.arrive(build.stored);
    } catch (error) {
      this.#fail(passenger, error, upTo);
    }
  }
}

const positionOf = ({ position }: Checkpoint): Position => position ?? BEGINNING;

/** As far apart as two may be whatever is left for them. */
const NEAR = 20_000;

export interface BuildPassesOptions extends BuildPassOptions {
  /** How many events there are, as far as it is known. */
  readonly lengthOfLog: () => number;
}

export interface Travelling extends Carried {
  /** Nobody waits for it: what is built beside that which serves. */
  readonly isPatient: boolean;
}

/**
 * Who goes along the log with whom. Two go together where the one that is ahead waits no longer for the other than it has left to go;
 * and what serves never waits for what does not.
 */
export class BuildPasses {
  readonly #options: BuildPassesOptions;
  readonly #passes = { patient: new Set<BuildPass>(), urgent: new Set<BuildPass>() };

  constructor(options: BuildPassesOptions) {
    this.#options = options;
  }

  carry(builder: Builder, { isPatient, ...carried }: Travelling): Promise<Landing> {
    const passes = this.#passes[isPatient ? 'patient' : 'urgent'];
    for (const pass of passes) if (pass.reader === undefined) passes.delete(pass);
    const fitting = [...passes].find(
      ({ reader }) =>
        reader && goTogether(reader.ordinal, builder.checkpoint.ordinal, this.#options.lengthOfLog()),
    );
    const { pace, ...options } = this.#options;
    const pass = fitting ?? new BuildPass({ ...options, ...(isPatient && { pace }) });
    passes.add(pass);
    return pass.carry(builder, carried);
  }
}

/** @param one, other events that each has passed */
export function goTogether(one: number, other: number, lengthOfLog: number): boolean {
  const left = lengthOfLog - Math.max(one, other);
  return Math.abs(one - other) <= Math.max(left, NEAR);
}
