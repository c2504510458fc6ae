import type { Pool } from 'pg';
import type { Client } from 'typesense';
import { pause } from '@nimo/projection-engine';
import { BulkImport, CollectionFollower } from './collection-follower.js';
import { DEFAULT_PREFIX, plainError } from './typesense-client.js';
import { Reconciler } from './reconciler.js';
import { shippedNames, shippedPosts, ShippingState } from './shipped-rows.js';

export interface TypesenseShipperOptions {
  readonly client: Client;
  readonly pool: Pool;
  readonly onError: (error: unknown) => void;
  /** Prefix of aliases and collections. */
  readonly prefix?: string;
  /** Interval between checks for new rows. */
  readonly pollMs?: number;
  readonly reconcileMs?: number;
  readonly batchSize?: number;
}

const POLL_MS = 300;
const RECONCILE_MS = 10_000;
const BATCH_SIZE = 500;
const MAX_PAUSE_MS = 30_000;
/** Interval between attempts to acquire the lease. */
const STANDBY_POLL_MS = 1_000;

/** Ships read side changes to Typesense. Any number of processes may run it; the lease holder ships. */
export class TypesenseShipper {
  private readonly stopping = new AbortController();
  private readonly state: ShippingState;
  private readonly followers: readonly CollectionFollower[];
  private readonly reconcilers: ReadonlyMap<CollectionFollower, Reconciler>;
  private running: Promise<void> | undefined;
  private reconciledAt = performance.now();
  private isCompared = false;
  /** Read side position up to which everything is shipped. */
  private shippedPosition = '';

  constructor(private readonly options: TypesenseShipperOptions) {
    const { client, pool, prefix = DEFAULT_PREFIX, batchSize = BATCH_SIZE, onError, pollMs } = options;
    const { signal } = this.stopping;
    const bulk = new BulkImport({ client, signal, onError, retryMs: pollMs ?? POLL_MS });
    this.state = new ShippingState(pool, prefix);
    const common = { client, db: pool, bulk, batchSize };
    this.followers = [shippedPosts, shippedNames].map(
      (rows) => new CollectionFollower(rows, { ...common, state: this.state, prefix }),
    );
    this.reconcilers = new Map(
      this.followers.map((follower) => [follower, new Reconciler(follower.rows, common)]),
    );
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    // On failure the lease expires.
    await this.state.releaseLease().catch(this.options.onError);
  }

  /** Ships all pending rows. @returns false if another process holds the lease */
  async catchUp(): Promise<boolean> {
    for (;;) {
      if (!(await this.holdsLease())) return false;
      if (!this.isCompared) await this.compareWithServer();
      let isMore = false;
      for (const follower of this.followers) isMore = (await follower.step()) || isMore;
      if (!isMore || this.stopping.signal.aborted) return true;
    }
  }

  /** Compares the next range of each collection with the rows. @returns the number of repaired documents */
  async reconcile(): Promise<number> {
    await this.compareWithServer();
    let repaired = 0;
    for (const [follower, reconciler] of this.reconcilers) {
      const serving = await follower.serving();
      if (serving) repaired += await reconciler.next(serving.name, serving.version);
    }
    return repaired;
  }

  private async compareWithServer(): Promise<void> {
    for (const follower of this.followers) await follower.compareWithServer();
    this.isCompared = true;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { pollMs = POLL_MS, onError } = this.options;
    let delay = pollMs;
    while (!signal.aborted) {
      try {
        delay = (await this.shipIfChanged()) ? pollMs : Math.max(pollMs, STANDBY_POLL_MS);
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.shippedPosition = '';
        onError(plainError(error));
        delay = Math.min(2 * delay, MAX_PAUSE_MS);
      }
      await pause(delay, signal);
    }
  }

  /** Costs one query if nothing changed. @returns false if another process holds the lease */
  private async shipIfChanged(): Promise<boolean> {
    if (!(await this.holdsLease())) return false;
    const readSide = await this.state.readSidePosition();
    const position = `${readSide?.generation ?? ''} ${readSide?.ordinal ?? ''}`;
    if (!this.isCompared || position !== this.shippedPosition) {
      if (!(await this.catchUp())) return false;
      this.shippedPosition = position;
    }
    await this.reconcileWhenDue();
    return true;
  }

  private async holdsLease(): Promise<boolean> {
    const lease = await this.state.acquireLease();
    if (lease === 'acquired') this.isCompared = false;
    return lease !== undefined;
  }

  private async reconcileWhenDue(): Promise<void> {
    if (performance.now() - this.reconciledAt < (this.options.reconcileMs ?? RECONCILE_MS)) return;
    this.reconciledAt = performance.now();
    await this.reconcile();
    // Recreates lost collections even if there are no new rows.
    await this.catchUp();
  }
}
