import { hostname } from 'node:os';
import { projections } from '@nimo/projections';
import { listGenerations } from '@nimo/projection-engine';
import { TestRedis } from '../servers/redis.js';
import { waitForProjections } from './wait-for-projections.js';
import { eventually } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';

const SIZE = 3;
const names = projections.map(({ name }) => name);

export interface Takeover {
  /** Number of projections whose leases the killed worker held. */
  readonly projections: number;
  readonly milliseconds: number;
}

/** Three APIs and three workers on one PostgreSQL and one Redis, as behind a load balancer. */
export class Fleet {
  readonly apis: readonly ProductProcess[];
  readonly workers: readonly ProductProcess[];

  private constructor(
    readonly product: FaultyProduct,
    private readonly redis: TestRedis,
  ) {
    const others = Array.from({ length: SIZE - 1 });
    this.apis = [product.api, ...others.map(() => product.anotherApi())];
    this.workers = [product.worker, ...others.map(() => product.anotherWorker())];
  }

  /** Starts all processes concurrently on an empty database, so that any may be the first. */
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

  get output(): string {
    return this.all.map(({ output }) => output).join('\n');
  }

  /** Projections whose leases the worker holds. */
  async projectionsOf(worker: ProductProcess): Promise<string[]> {
    const owner = `${hostname()}/${String(worker.pid)}/`;
    const live = (await listGenerations(this.product.pool, names)).filter(({ status }) => status === 'live');
    return live.filter((row) => row.owner?.startsWith(owner)).map(({ name }) => name);
  }

  /** Kills a worker and waits until others have taken over all its leases. */
  async killLeader(worker: ProductProcess): Promise<Takeover> {
    const taken = await this.projectionsOf(worker);
    const owner = `${hostname()}/${String(worker.pid)}/`;
    await worker.kill();
    const killed = performance.now();
    await eventually(
      async () => {
        const live = (await listGenerations(this.product.pool, taken)).filter(
          ({ status }) => status === 'live',
        );
        return live.every((row) => row.owner?.startsWith(owner) === false);
      },
      Boolean,
      () => ['takeover by other workers', this.output],
    );
    return { projections: taken.length, milliseconds: performance.now() - killed };
  }

  waitForProjections(): Promise<void> {
    return waitForProjections(this.product.pool, () => this.output);
  }

  async remove(): Promise<void> {
    try {
      await this.product.remove();
    } finally {
      await this.redis.stop();
    }
  }
}
