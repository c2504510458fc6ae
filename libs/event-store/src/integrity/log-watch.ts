import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EventStore, Position } from '../port.js';
import { findLinks, readChainPlace } from './chain-table.js';
import { EMPTY_CHAIN } from './event-chain.js';
import { HeadWindow, type PublicKey, type SigningKey, type ExternalCheckpoint } from './signed-head.js';
import {
  clearMismatches,
  recordMismatch,
  readMismatches,
  type Mismatch,
  generalMismatch,
} from './mismatches.js';
import {
  headBeyondTip,
  staleCheckpoints,
  readCheckpointState,
  type CheckpointState,
  checkpointFaults,
  type CheckpointRead,
} from './checkpoint-faults.js';
import {
  saveMark,
  acquireVerificationLease,
  type MarkRead,
  releaseVerificationLease,
  type VerifiedMark,
} from './verified-mark.js';
import { type VerifiedPlace, verifyLog } from './verify-log.js';

export interface LogWatchOptions {
  readonly pool: Pool;
  /** Stored events, without a codec. */
  readonly log: EventStore;
  readonly externalCheckpoints: readonly ExternalCheckpoint[];
  readonly key: SigningKey;
  readonly formerKeys?: readonly PublicKey[];
  readonly clock: () => Date;
  /** Called for a new mismatch, or one that recurs after it was cleared. */
  readonly onMismatch: (mismatch: Mismatch) => void;
  readonly onError: (error: unknown) => void;
  /** Pauses while others need the database. */
  readonly giveWay?: (tookMs: number, signal: AbortSignal) => Promise<void>;
  /** Interval between steps, which verify new events and a part of the rest. Defaults to 10 s. */
  readonly everyMs?: number;
  /** Minimum time between rounds over the whole log. Defaults to 1 h. */
  readonly roundEveryMs?: number;
  /** How long a mismatch remains visible after it was resolved. Defaults to 1 h. */
  readonly retentionMs?: number;
  /** Maximum age of events that are not signed or heads missing from a checkpoint. Defaults to 5 min. */
  readonly graceMs?: number;
}

const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Half of the 24 hours in which the whole log must be verified; the rest is left to other work. */
const WHOLE_WITHIN_MS = 12 * HOUR_MS;
const GRACE_MS = 5 * 60_000;
/** Lets a small log finish in a few steps. */
const MIN_PER_STEP = 1000;
const PAGE_SIZE = 2000;
/** Maximum number of new events per step. */
const MAX_NEW = 20_000;

const START: VerifiedPlace = { ordinal: 0, head: EMPTY_CHAIN.head.toString('hex'), position: null };

type Progress = Omit<VerifiedMark, 'format' | 'keyId'>;

/**
 * Continuously verifies the log in one process at a time: new events within a minute, and the whole log within a day. Uses constant memory
 * and resumes after a restart.
 */
export class LogWatch {
  private readonly options: LogWatchOptions;
  private readonly keys: readonly PublicKey[];
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();
  private readonly windows: readonly HeadWindow[];
  /** Unresolved mismatches found by this process. Recorded again if someone deletes them. */
  private readonly found = new Map<string, Mismatch>();
  private progress: Progress | undefined;
  /** Time at which a checkpoint became unreachable. */
  private readonly unreachableSince = new Map<string, Date>();
  private lastOrdinals: ReadonlyMap<string, number> = new Map();
  private wasBeyondTip = false;
  private running: Promise<void> | undefined;

  constructor(options: LogWatchOptions) {
    this.options = options;
    this.keys = [options.key, ...(options.formerKeys ?? [])];
    this.windows = options.externalCheckpoints.map((checkpoint) => new HeadWindow(checkpoint));
  }

  start(): void {
    this.running = this.keepWatching();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await releaseVerificationLease(this.options.pool, this.owner).catch(this.options.onError);
  }

  private async keepWatching(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.step().catch((error: unknown) => {
        if (!signal.aborted) this.options.onError(error);
      });
      await delay(this.options.everyMs ?? EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether this process holds the lease */
  async step(): Promise<boolean> {
    const { pool, clock } = this.options;
    const read = await acquireVerificationLease(pool, this.owner, this.keys);
    if (read === undefined) {
      this.progress = undefined;
      return false;
    }
    const before = this.progress ?? (await this.resume(read));
    const state = await readCheckpointState({ ...this.options, keys: this.keys });
    this.lastOrdinals = new Map(
      state.checkpoints.map(({ checkpoint, last }) => [checkpoint.name, last?.ordinal ?? 0]),
    );
    const mismatches: Mismatch[] = state.mismatch ? [state.mismatch] : [];
    mismatches.push(...(await this.checkpointFaults(state)));
    const tail = await this.verifyNewEvents(before.tail, mismatches);
    const round = await this.verifyRound(before, mismatches);
    await this.report(mismatches);
    this.progress = { ...round, tail, at: clock().toISOString() };
    if (!(await saveMark(pool, this.owner, this.progress, this.options.key))) this.progress = undefined;
    return true;
  }

  private async resume(read: MarkRead): Promise<Progress> {
    if (read.kind === 'genuine') return read.mark;
    if (read.kind === 'forged')
      await this.report([
        generalMismatch('forged', 0, 'The verification mark is not signed with a known key: it was changed.'),
      ]);
    const { pool, clock } = this.options;
    const now = clock().toISOString();
    // Existing events are verified by the round that starts now.
    const { ordinal, position } = await readChainPlace(pool);
    const head = (await findLinks(pool, [ordinal])).get(ordinal)?.head.toString('hex');
    const tail = head === undefined ? START : { ordinal, head, position };
    return { at: now, tail, round: { ...START, startedAt: now }, whole: null };
  }

  private async checkpointFaults(state: CheckpointState): Promise<Mismatch[]> {
    const { pool, clock, graceMs: maxAgeMs = GRACE_MS } = this.options;
    const chained = await readChainPlace(pool);
    const beyond = headBeyondTip(state);
    // After a crash the chain is rewritten up to the signed head, so report only what persists.
    const wasAhead = this.wasBeyondTip;
    this.wasBeyondTip = beyond !== null;
    const unreachable = this.unreachableFor(state, maxAgeMs);
    return [
      ...staleCheckpoints({ ...state, unreachable }, { now: clock(), chained, graceMs: maxAgeMs }),
      ...(beyond && wasAhead ? [beyond] : []),
    ];
  }

  /** Ignores short network failures. */
  private unreachableFor(
    { unreachable, checkpoints }: CheckpointState,
    graceMs: number,
  ): CheckpointState['unreachable'] {
    const now = this.options.clock();
    for (const { checkpoint } of checkpoints) this.unreachableSince.delete(checkpoint.name);
    return unreachable.filter(({ name }) => {
      const since = this.unreachableSince.get(name) ?? now;
      this.unreachableSince.set(name, since);
      return now.getTime() - since.getTime() >= graceMs;
    });
  }

  private async verifyNewEvents(tail: VerifiedPlace, mismatches: Mismatch[]): Promise<VerifiedPlace> {
    const { ordinal: chained } = await readChainPlace(this.options.pool);
    // If the chain ends before what was verified, `verifyLog` checks whether the log has the events.
    const end = Math.min(Math.max(chained, tail.ordinal), tail.ordinal + MAX_NEW);
    let at = tail;
    do {
      const until = Math.min(at.ordinal + PAGE_SIZE, end);
      const reads = await Promise.all(
        this.options.externalCheckpoints.map(async (checkpoint) => this.newHeads(checkpoint, at.ordinal)),
      );
      const next = await this.verify(at, until, reads, mismatches);
      if (!next) return tail;
      at = next;
    } while (at.ordinal < end);
    return at;
  }

  /** Reads only the last heads if they suffice, which they usually do. */
  private async newHeads(checkpoint: ExternalCheckpoint, after: number): Promise<CheckpointRead> {
    try {
      const { heads } = await checkpoint.last();
      const isSufficient = (heads[0]?.ordinal ?? 0) <= after;
      return { checkpoint, heads: isSufficient ? heads : (await checkpoint.read(after, PAGE_SIZE)).heads };
    } catch {
      // Reported as unreachable.
      return { checkpoint, heads: [] };
    }
  }

  /** Verifies the next part of the round, and completes it at the end of the log. */
  private async verifyRound(
    before: Progress,
    mismatches: Mismatch[],
  ): Promise<Pick<Progress, 'round' | 'whole'>> {
    const { pool, clock, everyMs = EVERY_MS, roundEveryMs = HOUR_MS } = this.options;
    const { whole } = before;
    const now = clock();
    let { round } = before;
    const isDue =
      now.getTime() - Date.parse(round.startedAt) >= roundEveryMs || (await readMismatches(pool)).length > 0;
    const { ordinal: chained } = await readChainPlace(pool);
    if (whole !== null && round.ordinal === 0 && !isDue) return { round, whole };
    if (round.ordinal === 0) {
      round = { ...START, startedAt: now.toISOString() };
      for (const window of this.windows) window.reset();
    }
    const share = Math.max(MIN_PER_STEP, Math.ceil((chained * everyMs) / WHOLE_WITHIN_MS));
    const end = Math.min(chained, round.ordinal + share);
    const known = mismatches.length;
    while (round.ordinal < end) {
      const start = performance.now();
      const next = await this.verifyPart(round, Math.min(round.ordinal + PAGE_SIZE, end), mismatches);
      // Start again: the first mismatch is found each time until it is resolved.
      if (!next || mismatches.length > known)
        return { round: { ...START, startedAt: now.toISOString() }, whole };
      round = { ...next, startedAt: round.startedAt };
      await this.options.giveWay?.(performance.now() - start, this.stopping.signal);
    }
    if (round.ordinal < chained) return { round, whole };
    await this.finish(new Date(round.startedAt), mismatches);
    return {
      round: { ...START, startedAt: round.startedAt },
      whole: { ordinal: round.ordinal, at: now.toISOString() },
    };
  }

  private async verifyPart(
    from: VerifiedPlace,
    until: number,
    mismatches: Mismatch[],
  ): Promise<VerifiedPlace | undefined> {
    const reads: CheckpointRead[] = [];
    let reaches = until;
    for (const window of this.windows) {
      try {
        const part = await window.between(from.ordinal, reaches);
        reaches = part.until;
        reads.push({ checkpoint: window.checkpoint, heads: part.heads });
      } catch {
        // Reported as unreachable.
      }
    }
    const complete = reads.map(({ checkpoint, heads }) => ({
      checkpoint,
      heads: heads.filter(({ ordinal }) => ordinal <= reaches),
    }));
    mismatches.push(...checkpointFaults(complete, this.keys, this.lastOrdinals));
    return this.verify(from, reaches, complete, mismatches);
  }

  private async verify(
    start: VerifiedPlace,
    until: number,
    reads: readonly CheckpointRead[],
    mismatches: Mismatch[],
  ): Promise<VerifiedPlace | undefined> {
    const { pool, log } = this.options;
    const { signal } = this.stopping;
    const heads = reads.flatMap((read) => read.heads);
    const { mismatch, ordinal, head, position } = await verifyLog({
      pool,
      log,
      heads: heads.filter((each) => each.ordinal <= until),
      keys: this.keys,
      start,
      to: until,
      signal,
    });
    if (mismatch) mismatches.push(mismatch);
    return mismatch ? undefined : { ordinal, head, position: position satisfies Position | null };
  }

  /** After a round without mismatches, clears those that were resolved long enough ago. */
  private async finish(startedAt: Date, mismatches: readonly Mismatch[]): Promise<void> {
    if (mismatches.length > 0) return;
    this.found.clear();
    const { pool, retentionMs = HOUR_MS } = this.options;
    await clearMismatches(pool, new Date(startedAt.getTime() - retentionMs));
  }

  private async report(mismatches: readonly Mismatch[]): Promise<void> {
    for (const mismatch of mismatches) this.found.set(mismatch.detail, mismatch);
    for (const mismatch of this.found.values())
      if (await recordMismatch(this.options.pool, mismatch)) this.options.onMismatch(mismatch);
  }
}
