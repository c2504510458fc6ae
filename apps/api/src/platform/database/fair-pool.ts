import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';

type Taken = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

interface Waiting {
  readonly callback: Taken;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * A pool whose connections go to requests in turn, and at most half of them to one: the library serves whoever came first, so that one request
 * with many statements would make all others wait for the last of them.
 */
export class FairPool extends pg.Pool {
  private readonly queues = new Map<object, Waiting[]>();
  private readonly heldBy = new Map<object, number>();
  private readonly holders = new WeakMap<pg.PoolClient, object>();
  private readonly most: number;
  private readonly mostEach: number;
  private held = 0;

  /** @param holder tells for which request a connection is taken; undefined where it is for none */
  constructor(
    options: pg.PoolConfig,
    private readonly holder: () => object | undefined,
  ) {
    super(options);
    this.most = this.options.max;
    // Whoever holds one may need another before they give it back.
    this.mostEach = Math.max(2, Math.floor(this.most / 2));
    this.on('release', (_error, client) => {
      const given = this.holders.get(client);
      if (!given) return;
      this.holders.delete(client);
      this.giveBack(given);
    });
  }

  /** Those that wait for their turn; the library's own count is of those whose turn it is. */
  get queued(): number {
    return [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Taken): void;
  override connect(callback?: Taken): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.promised();
    const holder = this.holder() ?? {};
    if (this.mayTake(holder)) this.take(holder, callback);
    else this.wait(holder, callback);
    return undefined;
  }

  private promised(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.connect((error, client) => {
        if (client) resolve(client);
        else reject(error ?? new Error('there is no connection'));
      });
    });
  }

  private mayTake(holder: object): boolean {
    return this.held < this.most && (this.heldBy.get(holder) ?? 0) < this.mostEach;
  }

  private take(holder: object, callback: Taken): void {
    this.held += 1;
    this.heldBy.set(holder, (this.heldBy.get(holder) ?? 0) + 1);
    super.connect((error, client, release) => {
      if (client) this.holders.set(client, holder);
      else this.giveBack(holder);
      callback(error, client, release);
    });
  }

  private giveBack(holder: object): void {
    this.held -= 1;
    const left = (this.heldBy.get(holder) ?? 0) - 1;
    if (left > 0) this.heldBy.set(holder, left);
    else this.heldBy.delete(holder);
    // Once the library has the connection back.
    queueMicrotask(() => this.admit());
  }

  private wait(holder: object, callback: Taken): void {
    const { connectionTimeoutMillis } = this.options;
    const giveUp = (): void => {
      this.remove(holder, waiting);
      waiting.callback(new Error('timeout exceeded when trying to connect'), undefined, () => undefined);
    };
    const waiting: Waiting = {
      // It is called by whoever gives a connection back, and belongs to whoever asked.
      callback: AsyncResource.bind(callback),
      timer: connectionTimeoutMillis ? setTimeout(giveUp, connectionTimeoutMillis).unref() : undefined,
    };
    const queue = this.queues.get(holder);
    if (queue) queue.push(waiting);
    else this.queues.set(holder, [waiting]);
  }

  private admit(): void {
    for (let next = this.next(); next; next = this.next()) {
      const [holder, waiting] = next;
      this.remove(holder, waiting);
      const rest = this.queues.get(holder);
      if (rest && this.queues.delete(holder)) this.queues.set(holder, rest);
      clearTimeout(waiting.timer);
      this.take(holder, waiting.callback);
    }
  }

  /** Of whoever was not served for longest. */
  private next(): readonly [object, Waiting] | undefined {
    for (const [holder, [first]] of this.queues) if (first && this.mayTake(holder)) return [holder, first];
    return undefined;
  }

  private remove(holder: object, waiting: Waiting): void {
    const left = (this.queues.get(holder) ?? []).filter((other) => other !== waiting);
    if (left.length > 0) this.queues.set(holder, left);
    else this.queues.delete(holder);
  }
}
