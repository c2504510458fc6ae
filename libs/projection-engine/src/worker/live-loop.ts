import type { Position, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Checkpoint } from '../bookkeeping/leases.js';
import { isOfTheEvent } from '../folding/handlers.js';
import { LongFoldError } from '../folding/fold-batch.js';
import { pause } from '../scheduling.js';
import { applyTogether, type LiveBatch, NotMovedError } from './live-tick.js';
import type { SharedTail } from './log-tail.js';

/** A live generation, as the loop takes it along. */
export interface Follower {
  readonly position: Position;
  batchOf(events: readonly RecordedEvent[]): LiveBatch;
  /** After the commit. */
  arrive(to: Checkpoint, events: readonly RecordedEvent[], startedAt: number): void;
}

/**
 * - ended: as its signal asked, or the tail stopped
 * - behind: the tail does not reach back to it
 * - alone: it has to take its next events by itself; the others were not held up
 */
export type Parting = 'ended' | 'behind' | 'alone';

export interface LiveLoopOptions {
  readonly pool: Pool;
  readonly tail: SharedTail;
  /** Whether events are gathered for a moment before they are applied, as nobody waits for them. */
  readonly lingers: boolean;
}

/** The most events that one generation takes in a tick. */
export const LIVE_BATCH = 1_000;

interface Passenger {
  readonly follower: Follower;
  readonly signal: AbortSignal;
  readonly part: (how: Parting) => void;
  readonly fail: (error: unknown) => void;
}

/** Takes live generations along the log together, one transaction a tick. */
export class LiveLoop {
  readonly #options: LiveLoopOptions;
  readonly #passengers = new Set<Passenger>();
  #isRunning = false;
  #lastTickMs = 0;
  #changed = new AbortController();

  constructor(options: LiveLoopOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#passengers.size === 0;
  }

  /**
   * Until it has to part, never in the middle of a tick.
   * @throws what concerns it: a lost lease, a lost connection
   */
  async carry(follower: Follower, signal: AbortSignal): Promise<Parting> {
    const change = (): void => this.#changed.abort();
    signal.addEventListener('abort', change, { once: true });
    try {
      return await new Promise<Parting>((resolve, reject) => {
        const passenger: Passenger = {
          follower,
          signal,
          part: (how) => {
            this.#passengers.delete(passenger);
            resolve(how);
          },
          fail: (error) => {
            this.#passengers.delete(passenger);
            // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passed on as it came
            reject(error);
          },
        };
        this.#passengers.add(passenger);
        this.#changed.abort();
        if (!this.#isRunning) void this.#run();
      });
    } finally {
      signal.removeEventListener('abort', change);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#passengers.size > 0) {
      try {
        await this.#round();
      } catch (error) {
        for (const passenger of this.#passengers) passenger.fail(error);
      }
    }
    this.#isRunning = false;
  }

  async #round(): Promise<void> {
    const { tail, lingers } = this.#options;
    this.#changed = new AbortController();
    const { signal } = this.#changed;
    this.#dismiss();
    const positions = Array.from(this.#passengers, ({ follower }) => follower.position);
    const [furthestBehind] = positions.sort();
    if (furthestBehind === undefined) return;
    await tail.beyond(furthestBehind, signal);
    // A passenger may have come or may want to go.
    if (signal.aborted) return;
    if (lingers) await pause(lingerMs(this.#lastTickMs), signal);
    this.#dismiss();
    const begunAt = performance.now();
    await this.#tick();
    this.#lastTickMs = performance.now() - begunAt;
  }

  #dismiss(): void {
    for (const { signal, part } of this.#passengers) {
      if (signal.aborted || this.#options.tail.isStopped) part('ended');
    }
  }

  async #tick(): Promise<void> {
    const startedAt = Date.now();
    const aboard = new Map<
      LiveBatch,
      { readonly passenger: Passenger; readonly events: readonly RecordedEvent[] }
    >();
    for (const passenger of this.#passengers) {
      const events = this.#options.tail.read(passenger.follower.position, LIVE_BATCH);
      if (events === undefined) passenger.part('behind');
      else if (events.length > 0) aboard.set(passenger.follower.batchOf(events), { passenger, events });
    }
    const failed = await this.#apply(aboard);
    for (const [batch, { passenger, events }] of aboard) {
      const error = failed.get(batch);
      if (error === undefined) passenger.follower.arrive(batch.to, events, startedAt);
      else if (mayGoAlone(error)) passenger.part('alone');
      else passenger.fail(error);
    }
  }

  async #apply(
    aboard: ReadonlyMap<LiveBatch, { readonly passenger: Passenger }>,
  ): Promise<ReadonlyMap<LiveBatch, unknown>> {
    try {
      return await applyTogether(this.#options.pool, [...aboard.keys()]);
    } catch (error) {
      return new Map(Array.from(aboard.keys(), (batch) => [batch, error]));
    }
  }
}

/** Alone it finds out which event is to blame, takes the time that it needs, or waits for whoever holds its row. */
const mayGoAlone = (error: unknown): boolean =>
  isOfTheEvent(error) || error instanceof LongFoldError || error instanceof NotMovedError;

/** Long enough for some events to share a transaction, and too short for anybody to notice. */
export const MIN_MS = 25;
/** Of what is shown to those who did not ask for it, nobody sees that it is a quarter of a second old. */
const MAX_MS = 250;
/** Of the time that the last tick took: so a loop that has much to do rests three quarters of its time, and its ticks carry more. */
const SHARE = 3;

/** How long the next events are gathered by those for whom nobody waits. @param lastTickMs how long the last ones took */
export const lingerMs = (lastTickMs: number): number =>
  Math.min(MAX_MS, Math.max(MIN_MS, SHARE * lastTickMs));
