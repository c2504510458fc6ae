import type { Position, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Checkpoint } from '../bookkeeping/leases.js';
import { LongFoldError } from '../folding/fold-batch.js';
import { type Member, pause, SharedLoop } from '../scheduling.js';
import { applyTogether, type LiveBatch, NotMovedError } from './live-tick.js';
import type { LogHead } from './log-head.js';
import { isEventError } from '../projection.js';

/** A live generation, as seen by the loop. */
export interface LiveGeneration {
  readonly position: Position;
  batchOf(events: readonly RecordedEvent[]): LiveBatch;
  /** Called after the commit. */
  advance(to: Checkpoint, events: readonly RecordedEvent[], startedAt: number): void;
}

/**
 * - aborted: its signal aborted or the log head stopped
 * - behind: its next events are no longer in memory
 * - failed: it must apply its next events separately; the others continue
 */
export type LiveOutcome = 'aborted' | 'behind' | 'failed';

export interface LiveLoopOptions {
  readonly pool: Pool;
  readonly logHead: LogHead;
  /** Gathers events before applying them, because no caller waits. */
  readonly lingers: boolean;
}

/** Maximum number of events per generation and tick. */
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
    await logHead.waitPast(furthestBehind, changed);
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
      else if (canRunAlone(error)) member.leave('failed');
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

/** Run alone, it can find the poison event, take longer, or wait for the lock on its row. */
const canRunAlone = (error: unknown): boolean =>
  isEventError(error) || error instanceof LongFoldError || error instanceof NotMovedError;

/** Long enough to batch some events, too short to notice. */
export const MIN_LINGER_MS = 25;
/** Unnoticeable for changes made by other users. */
const MAX_LINGER_MS = 250;
/** Delay relative to the last tick: a busy loop idles three quarters of the time and applies larger batches. */
const LINGER_RATIO = 3;

/** How long to gather events that no caller waits for. */
export const lingerMs = (lastTickMs: number): number =>
  Math.min(MAX_LINGER_MS, Math.max(MIN_LINGER_MS, LINGER_RATIO * lastTickMs));
