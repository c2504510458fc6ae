import type { Pool } from 'pg';
import type { Client } from 'typesense';
import { pause } from '../../pause.js';
import { BulkImport } from './bulk-import.js';
import { CollectionFollower } from './collection-follower.js';
import { Reconciler } from './reconciler.js';
import { DEFAULT_PREFIX } from './search-collections.js';
import { shippedNames, shippedPosts } from './shipped-rows.js';
import { ShippingState } from './shipping-state.js';

export interface TypesenseShipperOptions {
  readonly client: Client;
  readonly pool: Pool;
  readonly onError: (error: unknown) => void;
  /** Names the aliases and collections. */
  readonly prefix?: string;
  /** How often rows are looked for. */
  readonly lookMs?: number;
  readonly reconcileMs?: number;
  readonly rowsAtOnce?: number;
}

const LOOK_MS = 300;
const RECONCILE_MS = 60_000;
const ROWS_AT_ONCE = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps Typesense as the read side is. Any number of processes may run it, one of them ships. */
export class TypesenseShipper {
  private readonly stopping = new AbortController();
  private readonly state: ShippingState;
  private readonly followers: readonly CollectionFollower[];
  private readonly reconcilers: ReadonlyMap<CollectionFollower, Reconciler>;
  private running: Promise<void> | undefined;
  private reconciledAt = performance.now();
  private isCompared = false;

  constructor(private readonly options: TypesenseShipperOptions) {
    const { client, pool, prefix = DEFAULT_PREFIX, rowsAtOnce = ROWS_AT_ONCE, onError, lookMs } = options;
    const { signal } = this.stopping;
    const bulk = new BulkImport({ client, signal, onError, retryMs: lookMs ?? LOOK_MS });
    this.state = new ShippingState(pool, prefix);
    const common = { client, db: pool, bulk, rowsAtOnce };
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
    await this.state.release();
  }

  /** Ships what there is. False where another process does it. */
  async catchUp(): Promise<boolean> {
    for (;;) {
      const lead = await this.state.lead();
      if (lead === undefined) return false;
      if (lead === 'taken') this.isCompared = false;
      if (!this.isCompared) await this.compareWithServer();
      let isMore = false;
      for (const follower of this.followers) isMore = (await follower.step()) || isMore;
      if (!isMore || this.stopping.signal.aborted) return true;
    }
  }

  /** Compares a range of each collection with the rows; tells how many documents were repaired. */
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
    const { lookMs = LOOK_MS, onError } = this.options;
    let rest = lookMs;
    while (!signal.aborted) {
      try {
        if (await this.catchUp()) await this.reconcileWhenDue();
        rest = lookMs;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        onError(error);
        rest = Math.min(2 * rest, LONGEST_PAUSE_MS);
      }
      await pause(rest, signal);
    }
  }

  private async reconcileWhenDue(): Promise<void> {
    if (performance.now() - this.reconciledAt < (this.options.reconcileMs ?? RECONCILE_MS)) return;
    this.reconciledAt = performance.now();
    await this.reconcile();
  }
}
