import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EventStore, Position } from '../port.js';
import { findLinks, readChainPlace } from './chain-table.js';
import { EMPTY_CHAIN } from './event-chain.js';
import { HeadWindow, type PublicKey, type SigningKey, type HeadWitness } from './signed-head.js';
import { clearMisfits, keepMisfit, knownMisfits, type Misfit, misfitOfWitness } from './misfits.js';
import {
  beyondTip,
  staleWitnesses,
  standingHeads,
  type StandingHeads,
  witnessFaults,
  type WitnessRead,
} from './witness-faults.js';
import {
  keepMark,
  leadVerification,
  type MarkRead,
  releaseVerification,
  type VerifiedMark,
} from './verified-mark.js';
import { type VerifiedPlace, verifyLog } from './verify-log.js';

export interface LogWatchOptions {
  readonly pool: Pool;
  /** Events as they are stored. */
  readonly log: EventStore;
  readonly witnesses: readonly HeadWitness[];
  readonly key: SigningKey;
  readonly formerKeys?: readonly PublicKey[];
  readonly clock: () => Date;
  /** Something new does not fit, or again what was taken for repaired. */
  readonly onMisfit: (misfit: Misfit) => void;
  readonly onError: (error: unknown) => void;
  /** Rests as long as others need the database. */
  readonly giveWay?: (tookMs: number, signal: AbortSignal) => Promise<void>;
  /** How often new events are looked at, and a part of the others. */
  readonly everyMs?: number;
  /** After which time the next round begins. */
  readonly roundEveryMs?: number;
  /** How long at least what was found stays to be seen, though all fits again. */
  readonly keepMs?: number;
  /** How old may be what is not signed, or not with a witness. */
  readonly patienceMs?: number;
}

const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** With as much time again for what others do meanwhile. */
const WHOLE_WITHIN_MS = 12 * HOUR_MS;
const PATIENCE_MS = 5 * 60_000;
/** A small log is read in a few steps. */
const MIN_PER_STEP = 1000;
const PAGE = 2000;
/** New events of one step; the others are looked at in the next. */
const MAX_NEW = 20_000;

const START: VerifiedPlace = { ordinal: 0, head: EMPTY_CHAIN.head.toString('hex'), position: null };

type Progress = Omit<VerifiedMark, 'format' | 'keyId'>;

/**
 * Verifies the log for ever, in one process at a time: what is new within a minute, and all of it within a day, in parts that are the
 * larger the longer the log is. Keeps no more than a part of log and heads, and goes on after a restart where it was.
 */
export class LogWatch {
  private readonly options: LogWatchOptions;
  private readonly keys: readonly PublicKey[];
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();
  private readonly windows: readonly HeadWindow[];
  /** What this process found and was not repaired: it is written again where somebody takes it away. */
  private readonly found = new Map<string, Misfit>();
  private progress: Progress | undefined;
  /** Since when a witness cannot be read. */
  private readonly away = new Map<string, Date>();
  private lasts: ReadonlyMap<string, number> = new Map();
  private isAhead = false;
  private running: Promise<void> | undefined;

  constructor(options: LogWatchOptions) {
    this.options = options;
    this.keys = [options.key, ...(options.formerKeys ?? [])];
    this.windows = options.witnesses.map((witness) => new HeadWindow(witness));
  }

  start(): void {
    this.running = this.keepWatching();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await releaseVerification(this.options.pool, this.owner).catch(this.options.onError);
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

  /** @returns whether this process verifies */
  async step(): Promise<boolean> {
    const { pool, clock } = this.options;
    const read = await leadVerification(pool, this.owner, this.keys);
    if (read === undefined) {
      this.progress = undefined;
      return false;
    }
    const before = this.progress ?? (await this.resume(read));
    const standing = await standingHeads({ ...this.options, keys: this.keys });
    this.lasts = new Map(standing.standings.map(({ witness, last }) => [witness.name, last?.ordinal ?? 0]));
    const misfits: Misfit[] = standing.misfit ? [standing.misfit] : [];
    misfits.push(...(await this.faultsOf(standing)));
    const tail = await this.newEvents(before.tail, misfits);
    const round = await this.round(before, misfits);
    await this.tell(misfits);
    this.progress = { ...round, tail, at: clock().toISOString() };
    if (!(await keepMark(pool, this.owner, this.progress, this.options.key))) this.progress = undefined;
    return true;
  }

  private async resume(read: MarkRead): Promise<Progress> {
    if (read.kind === 'genuine') return read.mark;
    if (read.kind === 'forged')
      await this.tell([
        misfitOfWitness(
          'forged',
          0,
          'What says how far the log was verified is not signed by a known key: it was changed.',
        ),
      ]);
    const { pool, clock } = this.options;
    const now = clock().toISOString();
    // What is there is looked at by the round, which begins now.
    const { ordinal, position } = await readChainPlace(pool);
    const head = (await findLinks(pool, [ordinal])).get(ordinal)?.head.toString('hex');
    const tail = head === undefined ? START : { ordinal, head, position };
    return { at: now, tail, round: { ...START, startedAt: now }, whole: null };
  }

  private async faultsOf(standing: StandingHeads): Promise<Misfit[]> {
    const { pool, clock, patienceMs = PATIENCE_MS } = this.options;
    const chained = await readChainPlace(pool);
    const beyond = beyondTip(standing);
    // After a crash the chain is written again up to what was signed: only what stays so is told.
    const wasAhead = this.isAhead;
    this.isAhead = beyond !== null;
    const unreachable = this.goneFor(standing, patienceMs);
    return [
      ...staleWitnesses({ ...standing, unreachable }, { now: clock(), chained, patienceMs }),
      ...(beyond && wasAhead ? [beyond] : []),
    ];
  }

  /** A network may fail for a moment. */
  private goneFor(
    { unreachable, standings }: StandingHeads,
    patienceMs: number,
  ): StandingHeads['unreachable'] {
    const now = this.options.clock();
    for (const { witness } of standings) this.away.delete(witness.name);
    return unreachable.filter(({ name }) => {
      const since = this.away.get(name) ?? now;
      this.away.set(name, since);
      return now.getTime() - since.getTime() >= patienceMs;
    });
  }

  private async newEvents(tail: VerifiedPlace, misfits: Misfit[]): Promise<VerifiedPlace> {
    const { ordinal: chained } = await readChainPlace(this.options.pool);
    // Where the chain has less than was verified, `verifyLog` looks whether the log has it.
    const end = Math.min(Math.max(chained, tail.ordinal), tail.ordinal + MAX_NEW);
    let at = tail;
    do {
      const until = Math.min(at.ordinal + PAGE, end);
      const reads = await Promise.all(
        this.options.witnesses.map(async (witness) => this.newHeads(witness, at.ordinal)),
      );
      const next = await this.verify(at, until, reads, misfits);
      if (!next) return tail;
      at = next;
    } while (at.ordinal < end);
    return at;
  }

  /** From the end of a witness where that is enough, which it is but after a pause. */
  private async newHeads(witness: HeadWitness, after: number): Promise<WitnessRead> {
    try {
      const { heads } = await witness.last();
      const isEnough = (heads[0]?.ordinal ?? 0) <= after;
      return { witness, heads: isEnough ? heads : (await witness.read(after, PAGE)).heads };
    } catch {
      // Told as not to be read.
      return { witness, heads: [] };
    }
  }

  /** A part of the log, or the rest of a round and its end. */
  private async round(before: Progress, misfits: Misfit[]): Promise<Pick<Progress, 'round' | 'whole'>> {
    const { pool, clock, everyMs = EVERY_MS, roundEveryMs = HOUR_MS } = this.options;
    const { whole } = before;
    const now = clock();
    let { round } = before;
    const isDue =
      now.getTime() - Date.parse(round.startedAt) >= roundEveryMs || (await knownMisfits(pool)).length > 0;
    const { ordinal: chained } = await readChainPlace(pool);
    if (whole !== null && round.ordinal === 0 && !isDue) return { round, whole };
    if (round.ordinal === 0) {
      round = { ...START, startedAt: now.toISOString() };
      for (const window of this.windows) window.reset();
    }
    const share = Math.max(MIN_PER_STEP, Math.ceil((chained * everyMs) / WHOLE_WITHIN_MS));
    const end = Math.min(chained, round.ordinal + share);
    const known = misfits.length;
    while (round.ordinal < end) {
      const start = performance.now();
      const next = await this.part(round, Math.min(round.ordinal + PAGE, end), misfits);
      // From the beginning again: the first that does not fit is found each time, until it is repaired.
      if (!next || misfits.length > known)
        return { round: { ...START, startedAt: now.toISOString() }, whole };
      round = { ...next, startedAt: round.startedAt };
      await this.options.giveWay?.(performance.now() - start, this.stopping.signal);
    }
    if (round.ordinal < chained) return { round, whole };
    await this.finish(new Date(round.startedAt), misfits);
    return {
      round: { ...START, startedAt: round.startedAt },
      whole: { ordinal: round.ordinal, at: now.toISOString() },
    };
  }

  private async part(
    from: VerifiedPlace,
    until: number,
    misfits: Misfit[],
  ): Promise<VerifiedPlace | undefined> {
    const reads: WitnessRead[] = [];
    let reaches = until;
    for (const window of this.windows) {
      try {
        const part = await window.between(from.ordinal, reaches);
        reaches = part.until;
        reads.push({ witness: window.witness, heads: part.heads });
      } catch {
        // Told as not to be read.
      }
    }
    const within = reads.map(({ witness, heads }) => ({
      witness,
      heads: heads.filter(({ ordinal }) => ordinal <= reaches),
    }));
    misfits.push(...witnessFaults(within, this.keys, this.lasts));
    return this.verify(from, reaches, within, misfits);
  }

  private async verify(
    start: VerifiedPlace,
    until: number,
    reads: readonly WitnessRead[],
    misfits: Misfit[],
  ): Promise<VerifiedPlace | undefined> {
    const { pool, log } = this.options;
    const { signal } = this.stopping;
    const heads = reads.flatMap((read) => read.heads);
    const { misfit, ordinal, head, position } = await verifyLog({
      pool,
      log,
      heads: heads.filter((each) => each.ordinal <= until),
      keys: this.keys,
      start,
      to: until,
      signal,
    });
    if (misfit) misfits.push(misfit);
    return misfit ? undefined : { ordinal, head, position: position satisfies Position | null };
  }

  /** Nothing was found in a whole round: what was found long enough before it has been repaired. */
  private async finish(startedAt: Date, misfits: readonly Misfit[]): Promise<void> {
    if (misfits.length > 0) return;
    this.found.clear();
    const { pool, keepMs = HOUR_MS } = this.options;
    await clearMisfits(pool, new Date(startedAt.getTime() - keepMs));
  }

  private async tell(misfits: readonly Misfit[]): Promise<void> {
    for (const misfit of misfits) this.found.set(misfit.detail, misfit);
    for (const misfit of this.found.values())
      if (await keepMisfit(this.options.pool, misfit)) this.options.onMisfit(misfit);
  }
}
