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
  /** Names the aliases and collections. */
  readonly prefix?: string;
  /** How often rows are looked for. */
  readonly lookMs?: number;
  readonly reconcileMs?: number;
  readonly rowsAtOnce?: number;
}

const LOOK_MS = 300;
const RECONCILE_MS = 10_000;
const ROWS_AT_ONCE = 500;
const MAX_PAUSE_MS = 30_000;
/** How often a process that does not ship looks whether it may. */
const WAIT_MS = 1_000;

/** Keeps Typesense as the read side is. Any number of processes may run it, one of them ships. */
export class TypesenseShipper {
  private readonly stopping = new AbortController();
  private readonly state: ShippingState;
  private readonly followers: readonly CollectionFollower[];
  private readonly reconcilers: ReadonlyMap<CollectionFollower, Reconciler>;
  private running: Promise<void> | undefined;
  private reconciledAt = performance.now();
  private isCompared = false;
  /** The place of the read side up to which all is shipped. */
  private shipped = '';

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
    // Otherwise it runs out by itself.
    await this.state.release().catch(this.options.onError);
  }

  /** Ships what there is. False where another process does it. */
  async catchUp(): Promise<boolean> {
    for (;;) {
      if (!(await this.leads())) return false;
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
        rest = (await this.shipWhenNew()) ? lookMs : Math.max(lookMs, WAIT_MS);
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.shipped = '';
        onError(plainError(error));
        rest = Math.min(2 * rest, MAX_PAUSE_MS);
      }
      await pause(rest, signal);
    }
  }

  /** One look where nothing is new. False where another process ships. */
  private async shipWhenNew(): Promise<boolean> {
    if (!(await this.leads())) return false;
    const place = await this.state.readSide();
    const seen = `${place?.generation ?? ''} ${place?.ordinal ?? ''}`;
    if (!this.isCompared || seen !== this.shipped) {
      if (!(await this.catchUp())) return false;
      this.shipped = seen;
    }
    await this.reconcileWhenDue();
    return true;
  }

  private async leads(): Promise<boolean> {
    const lead = await this.state.lead();
    if (lead === 'taken') this.isCompared = false;
    return lead !== undefined;
  }

  private async reconcileWhenDue(): Promise<void> {
    if (performance.now() - this.reconciledAt < (this.options.reconcileMs ?? RECONCILE_MS)) return;
    this.reconciledAt = performance.now();
    await this.reconcile();
    // What it found lost is made anew, whether or not there is something new.
    await this.catchUp();
  }
}
