import { hostname } from 'node:os';
import { projections } from '@nimo/projections';
import { listGenerations } from '@nimo/projection-engine';
import { TestRedis } from '../servers/redis.js';
import { caughtUp } from './caught-up.js';
import { eventually } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';

const SIZE = 3;
const names = projections.map(({ name }) => name);

export interface TakeOver {
  /** How many projections the dead worker led. */
  readonly projections: number;
  readonly milliseconds: number;
}

/** Three apis and three workers on one PostgreSQL and one Redis, as behind a load balancer. */
export class Fleet {
  readonly apis: readonly ProductProcess[];
  readonly workers: readonly ProductProcess[];

  private constructor(
    readonly product: FaultyProduct,
    private readonly redis: TestRedis,
  ) {
    const more = Array.from({ length: SIZE - 1 });
    this.apis = [product.api, ...more.map(() => product.anotherApi())];
    this.workers = [product.worker, ...more.map(() => product.anotherWorker())];
  }

  /** All at once, on a database in which nothing is yet: each may be the first. */
  static async start(): Promise<Fleet> {
    const redis = await TestRedis.start();
    const product = await FaultyProduct.install((databaseUrl) => ({
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '6',
      REDIS_URL: redis.url,
    }));
    const fleet = new Fleet(product, redis);
    try {
      await Promise.all(fleet.all.map((process) => process.start()));
    } catch (error) {
      await fleet.remove();
      throw error;
    }
    return fleet;
  }

  get all(): ProductProcess[] {
    return [...this.apis, ...this.workers];
  }

  get words(): string {
    return this.all.map(({ words }) => words).join('\n');
  }

  /** What each worker leads at this moment. */
  async ledBy(worker: ProductProcess): Promise<string[]> {
    const owner = `${hostname()}/${String(worker.pid)}/`;
    const live = (await listGenerations(this.product.pool, names)).filter(({ status }) => status === 'live');
    return live.filter((row) => row.owner?.startsWith(owner)).map(({ name }) => name);
  }

  /** Kills a worker and waits until all that it led is led by others. */
  async killLeader(worker: ProductProcess): Promise<TakeOver> {
    const led = await this.ledBy(worker);
    const owner = `${hostname()}/${String(worker.pid)}/`;
    await worker.kill();
    const killed = performance.now();
    await eventually(
      async () => {
        const live = (await listGenerations(this.product.pool, led)).filter(
          ({ status }) => status === 'live',
        );
        return live.every((row) => row.owner?.startsWith(owner) === false);
      },
      Boolean,
      () => ['others taking over', this.words],
    );
    return { projections: led.length, milliseconds: performance.now() - killed };
  }

  /** Until every projection has folded the whole log. */
  caughtUp(): Promise<void> {
    return caughtUp(this.product.pool, () => this.words);
  }

  async remove(): Promise<void> {
    try {
      await this.product.remove();
    } finally {
      await this.redis.stop();
    }
  }
}
