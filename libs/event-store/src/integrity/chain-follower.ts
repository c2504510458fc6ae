import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EventStore, Position } from '../port.js';
import {
  acquireChainLease,
  appendLinks,
  CHAIN_LEASE_SECONDS,
  type ChainLease,
  ChainLeaseLostError,
  type ChainPlace,
  readChainTip,
  releaseChainLease,
  renewChainLease,
} from './chain-table.js';
import { type ChainTip, linksOf } from './event-chain.js';
import { type Misfit, misfitOfWitness } from './misfits.js';

interface ChainFollowerOptions {
  readonly pool: Pool;
  /** Events as they are stored, without a codec. */
  readonly log: EventStore;
  readonly onError: (error: unknown) => void;
  /** Called with the end of the chain after it was written, in order; the next batch waits for it. */
  readonly onChained?: (tip: ChainTip) => Promise<void>;
  /** How often the lease is applied for. */
  readonly retryMs?: number;
}

/** The chain cannot go on from where it is: somebody changed it, or the log behind its back. */
export class BrokenChainError extends Error {
  override readonly name = 'BrokenChainError';

  constructor(
    ordinal: number,
    readonly detail: string,
  ) {
    super(`${detail} Run: nimo log verify`);
    this.misfit = misfitOfWitness('chain-changed', ordinal, detail);
  }

  readonly misfit: Misfit;
}

const BATCH = 2000;
/** Nobody waits for the chain: at the end of the log it gathers for a moment, and writes less often. */
const GATHER_MS = 100;

/** Writes the chain behind the log, in one process at a time. */
export class ChainFollower {
  private readonly options: ChainFollowerOptions;
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(options: ChainFollowerOptions) {
    this.options = options;
  }

  start(): void {
    this.running = this.keepRunning();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    let told = '';
    while (!signal.aborted) {
      try {
        const lease = await acquireChainLease(this.options.pool, this.owner);
        if (lease) await this.lead(lease);
        told = '';
      } catch (error) {
        // A broken chain stays so until somebody looks: said once, not every second.
        const isKnown = error instanceof BrokenChainError && error.message === told;
        if (!(error instanceof ChainLeaseLostError) && !isKnown) this.options.onError(error);
        told = error instanceof BrokenChainError ? error.message : '';
      }
      await pause(this.options.retryMs ?? 1000, signal);
    }
  }

  private async lead(lease: ChainLease & ChainPlace): Promise<void> {
    const { pool } = this.options;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    const renew = async (): Promise<void> => {
      if (!(await renewChainLease(pool, lease))) lost.abort();
    };
    const renewal = setInterval(
      () => void renew().catch(() => lost.abort()),
      (CHAIN_LEASE_SECONDS * 1000) / 3,
    );
    try {
      const tip = await this.tipAt(lease);
      // What a predecessor wrote last and could not tell any more.
      if (tip.ordinal > 0) await this.options.onChained?.(tip);
      await this.follow(lease, tip, signal);
    } finally {
      clearInterval(renewal);
      await releaseChainLease(pool, lease);
    }
  }

  /** One batch is written while the next one is read and hashed. */
  private async follow(lease: ChainLease & ChainPlace, start: ChainTip, signal: AbortSignal): Promise<void> {
    const { pool, log, onChained } = this.options;
    const after = lease.position === null ? {} : { after: lease.position };
    let tip = start;
    let landed: Promise<void> = Promise.resolve();
    try {
      for await (const batch of log.subscribe({ ...after, batchSize: BATCH, signal })) {
        const links = linksOf(tip, batch);
        const [last, position] = [links.at(-1), batch.at(-1)?.position];
        await landed;
        if (last === undefined || position === undefined || signal.aborted) continue;
        tip = last;
        landed = appendLinks(pool, lease, links, position).then(() => onChained?.(last));
        // Awaited with the next batch, or at the end; a failure before that must not count as unhandled.
        landed.catch(() => undefined);
        if (batch.length < BATCH) {
          await landed;
          await pause(GATHER_MS, signal);
        }
      }
    } finally {
      await landed;
    }
  }

  private async tipAt({ ordinal, position }: ChainPlace): Promise<ChainTip> {
    const { pool, log } = this.options;
    const [tip, head] = await Promise.all([readChainTip(pool), log.head()]);
    if (tip.ordinal !== ordinal) {
      throw new BrokenChainError(
        Math.min(tip.ordinal, ordinal) + 1,
        `The chain ends at ordinal ${tip.ordinal} and should end at ${ordinal}: its table was changed.`,
      );
    }
    if (position !== null && isBefore(head, position)) {
      throw new BrokenChainError(
        ordinal,
        `The log ends before ordinal ${ordinal}, which the chain has: events are missing.`,
      );
    }
    return tip;
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

const isBefore = (head: Position | undefined, position: Position): boolean =>
  head === undefined || head < position;

/** Resolves when the chain has everything that is in the log now; until then `follower` or another process must be writing it. */
export async function chainCaughtUp(
  place: () => Promise<ChainPlace>,
  log: EventStore,
  { signal, pollMs = 50 }: { readonly signal: AbortSignal; readonly pollMs?: number },
): Promise<ChainPlace> {
  const head = await log.head();
  for (;;) {
    const now = await place();
    if (head === undefined || (now.position !== null && now.position >= head)) return now;
    await delay(pollMs, undefined, { signal });
  }
}
