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
import { type Mismatch, generalMismatch } from './mismatches.js';

interface ChainFollowerOptions {
  readonly pool: Pool;
  /** Stored events, without a codec. */
  readonly log: EventStore;
  readonly onError: (error: unknown) => void;
  /** Called in order after each write, with the new chain tip. The next write waits for it. */
  readonly onChained?: (tip: ChainTip) => Promise<void>;
  /** How often to try to acquire the lease. Defaults to 1,000 ms. */
  readonly retryMs?: number;
}

/** The chain cannot continue, because it or the log was changed. */
export class BrokenChainError extends Error {
  override readonly name = 'BrokenChainError';

  constructor(
    ordinal: number,
    readonly detail: string,
  ) {
    super(`${detail} Run nimo log verify.`);
    this.mismatch = generalMismatch('chain-changed', ordinal, detail);
  }

  readonly mismatch: Mismatch;
}

const BATCH_SIZE = 2000;
/** Pause at the end of the log, so that the chain is written in larger batches. Nothing waits for it. */
const BATCH_DELAY_MS = 100;

/** Writes the hash chain as the log grows, in one process at a time. */
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
    let lastMessage = '';
    while (!signal.aborted) {
      try {
        const lease = await acquireChainLease(this.options.pool, this.owner);
        if (lease) await this.writeChain(lease);
        lastMessage = '';
      } catch (error) {
        // A broken chain stays broken, so report it once and not every second.
        const isKnown = error instanceof BrokenChainError && error.message === lastMessage;
        if (!(error instanceof ChainLeaseLostError) && !isKnown) this.options.onError(error);
        lastMessage = error instanceof BrokenChainError ? error.message : '';
      }
      await pause(this.options.retryMs ?? 1000, signal);
    }
  }

  private async writeChain(lease: ChainLease & ChainPlace): Promise<void> {
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
      // The previous lease holder may have stopped before it called `onChained`.
      if (tip.ordinal > 0) await this.options.onChained?.(tip);
      await this.follow(lease, tip, signal);
    } finally {
      clearInterval(renewal);
      await releaseChainLease(pool, lease);
    }
  }

  /** Writes one batch while it reads and hashes the next. */
  private async follow(lease: ChainLease & ChainPlace, start: ChainTip, signal: AbortSignal): Promise<void> {
    const { pool, log, onChained } = this.options;
    const after = lease.position === null ? {} : { after: lease.position };
    let tip = start;
    let written: Promise<void> = Promise.resolve();
    try {
      for await (const batch of log.subscribe({ ...after, batchSize: BATCH_SIZE, signal })) {
        const links = linksOf(tip, batch);
        const [last, position] = [links.at(-1), batch.at(-1)?.position];
        await written;
        if (last === undefined || position === undefined || signal.aborted) continue;
        tip = last;
        written = appendLinks(pool, lease, links, position).then(() => onChained?.(last));
        // Awaited with the next batch or at the end; until then a rejection must not count as unhandled.
        written.catch(() => undefined);
        if (batch.length < BATCH_SIZE) {
          await written;
          await pause(BATCH_DELAY_MS, signal);
        }
      }
    } finally {
      await written;
    }
  }

  private async tipAt({ ordinal, position }: ChainPlace): Promise<ChainTip> {
    const { pool, log } = this.options;
    const [tip, head] = await Promise.all([readChainTip(pool), log.head()]);
    if (tip.ordinal !== ordinal) {
      throw new BrokenChainError(
        Math.min(tip.ordinal, ordinal) + 1,
        `The chain ends at ordinal ${tip.ordinal} instead of ${ordinal}: its table was changed.`,
      );
    }
    if (position !== null && isBefore(head, position)) {
      throw new BrokenChainError(
        ordinal,
        `The log ends before ordinal ${ordinal}, where the chain ends: events are missing.`,
      );
    }
    return tip;
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

const isBefore = (head: Position | undefined, position: Position): boolean =>
  head === undefined || head < position;

/** Resolves when the chain has reached the current end of the log. Some process must be writing it. */
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
