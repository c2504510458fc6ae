import type { Position, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Checkpoint } from '../bookkeeping/leases.js';
import { LongFoldError } from '../folding/fold-batch.js';
import { type Member, pause, SharedLoop } from '../scheduling.js';
import { applyTogether, type LiveBatch, NotMovedError } from './live-tick.js';
import type { LogHead } from './log-head.js';
import { isOfTheEvent } from '../projection.js';

/** A live generation, as the loop takes it along. */
export interface LiveGeneration {
  readonly position: Position;
  batchOf(events: readonly RecordedEvent[]): LiveBatch;
  /** After the commit. */
  advance(to: Checkpoint, events: readonly RecordedEvent[], startedAt: number): void;
}

/**
 * - aborted: by its signal, or the log head stopped
 * - behind: memory does not reach back to it
 * - failed: it has to apply its next events by itself; the others were not held up
 */
export type LiveOutcome = 'aborted' | 'behind' | 'failed';

export interface LiveLoopOptions {
  readonly pool: Pool;
  readonly logHead: LogHead;
  /** Gathers events for a moment before they are applied, as nobody waits for them. */
  readonly lingers: boolean;
}

/** The most events that one generation takes in a tick. */
export const LIVE_BATCH = 1_000;

/** Keeps live generations up to date together, one transaction per tick. */
export class LiveLoop extends SharedLoop<LiveGeneration, LiveOutcome> {
  private readonly options: LiveLoopOptions;
  private lastTickMs = 0;

  constructor(options: LiveLoopOptions) {
    super();
    this.options = options;
  }

  run(generation: LiveGeneration, signal: AbortSignal): Promise<LiveOutcome> {
    return this.join(generation, signal);
  }

  protected override async round(changed: AbortSignal): Promise<void> {
    const { logHead, lingers } = this.options;
    this.releaseAborted();
    const positions = Array.from(this.members, ({ task }) => task.position);
    const [furthestBehind] = positions.sort();
    if (furthestBehind === undefined) return;
    await logHead.beyond(furthestBehind, changed);
    if (changed.aborted) return;
    if (lingers) await pause(lingerMs(this.lastTickMs), changed);
    this.releaseAborted();
    const startedAt = performance.now();
    await this.tick();
    this.lastTickMs = performance.now() - startedAt;
  }

  private releaseAborted(): void {
    for (const { signal, leave } of this.members) {
      if (signal.aborted || this.options.logHead.isStopped) leave('aborted');
    }
  }

  private async tick(): Promise<void> {
    const startedAt = Date.now();
    const batches = new Map<
      LiveBatch,
      {
        readonly member: Member<LiveGeneration, LiveOutcome>;
        readonly events: readonly RecordedEvent[];
      }
    >();
    for (const member of this.members) {
      const events = this.options.logHead.read(member.task.position, LIVE_BATCH);
      if (events === undefined) member.leave('behind');
      else if (events.length > 0) batches.set(member.task.batchOf(events), { member, events });
    }
    const failed = await this.apply([...batches.keys()]);
    for (const [batch, { member, events }] of batches) {
      const error = failed.get(batch);
      if (error === undefined) member.task.advance(batch.to, events, startedAt);
      else if (mayGoAlone(error)) member.leave('failed');
      else member.fail(error);
    }
  }

  private async apply(batches: readonly LiveBatch[]): Promise<ReadonlyMap<LiveBatch, unknown>> {
    try {
      return await applyTogether(this.options.pool, batches);
    } catch (error) {
      return new Map(batches.map((batch) => [batch, error]));
    }
  }
}

/** By itself it finds the event to blame, takes the time that it needs, or waits for the holder of its row. */
const mayGoAlone = (error: unknown): boolean =>
  isOfTheEvent(error) || error instanceof LongFoldError || error instanceof NotMovedError;

/** Long enough for some events to share a transaction, and too short for anybody to notice. */
export const MIN_LINGER_MS = 25;
/** Nobody who did not ask for a change sees that it is a quarter of a second old. */
const MAX_LINGER_MS = 250;
/** Of the time that the last tick took: a busy loop rests three quarters of its time, and its ticks carry more. */
const LINGER_SHARE = 3;

/** How long events are gathered where nobody waits for them. */
export const lingerMs = (lastTickMs: number): number =>
  Math.min(MAX_LINGER_MS, Math.max(MIN_LINGER_MS, LINGER_SHARE * lastTickMs));
