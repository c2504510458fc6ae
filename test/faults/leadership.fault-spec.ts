import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { projectionNames, RebuildingProduct } from './rebuilding-product.js';

const EVENTS = 2_500;
/** Lease of three seconds, a second until the next poll, and a margin. */
const MAX_TAKEOVER_MS = 5_000;
const ROUNDS = 12;

const seed = faultsSeed();
const chance = new SeededRandom(seed);

let faulty: FaultyProduct;
let second: ProductProcess;

async function withProduct(past: number, work: (product: RebuildingProduct) => Promise<void>): Promise<void> {
  await faulty.inspect(async (runtime) => {
    await startRuntime(runtime);
    await work(new RebuildingProduct(runtime.pool, runtime.store, past, EVENTS));
  });
}

const output = () => `${faulty.worker.output}\n${second.output}`;

/** Live projections whose leases the process holds. */
async function projectionsOf(
  product: RebuildingProduct,
  { pid }: ProductProcess,
): Promise<readonly string[]> {
  const live = (await product.generations()).filter(({ status, isLed }) => status === 'live' && isLed);
  return live.filter(({ owner }) => owner?.includes(`/${String(pid)}/`)).map(({ name }) => name);
}

/** Waits until a process holds all leases. @returns the duration in milliseconds */
async function takeoverTime(product: RebuildingProduct, by: ProductProcess): Promise<number> {
  const start = performance.now();
  await eventually(
    async () => (await projectionsOf(product, by)).length === projectionNames.length,
    Boolean,
    () => 'takeover by the other worker',
  );
  return performance.now() - start;
}

/** Waits until each worker holds leases. */
async function waitUntilShared(product: RebuildingProduct): Promise<void> {
  await eventually(
    async () => {
      const parts = await Promise.all(
        [faulty.worker, second].map((worker) => projectionsOf(product, worker)),
      );
      return parts.every(({ length }) => length > 0) && parts.flat().length === projectionNames.length;
    },
    Boolean,
    () => 'leases on both workers',
  );
}

beforeAll(async () => {
  faulty = await FaultyProduct.install();
  second = faulty.anotherWorker();
});

afterAll(async () => {
  await faulty.remove();
});

describe(`two workers (NIMO_FAULTS_SEED=${seed})`, () => {
  it('take over from a worker paused beyond its lease, which writes nothing when resumed', async () => {
    await withProduct(seed, async (product) => {
      const [first] = [faulty.worker];
      await product.append(500);
      await first.start();
      await product.waitUntilSettled(output);
      await second.start();
      await waitUntilShared(product);

      // Probably in the middle of a batch.
      const appending = product.append(500);
      first.pause();
      const took = await takeoverTime(product, second);
      await appending;
      expect(took).toBeLessThan(MAX_TAKEOVER_MS);
      await product.waitUntilSettled(output);
      const before = await product.hashes();

      // It finds its leases lost and registers again. Taking over after the kill of the other worker proves that it works.
      first.resume();
      await product.append(200);
      await product.waitUntilSettled(output);
      await waitUntilShared(product);
      expect(await product.hashes()).not.toEqual(before);
      await second.kill();
      expect(await takeoverTime(product, first)).toBeLessThan(MAX_TAKEOVER_MS);
      await product.append(200);
      await product.waitUntilSettled(output);
      process.stdout.write(`seed ${seed}: takeover from a paused worker in ${took.toFixed(0)} ms\n`);
      await first.stop();
      await product.expectVerified();
    });
  });

  it('end in a consistent state after concurrent rule changes, rebuilds and appends', async () => {
    await withProduct(seed + 1, async (product) => {
      await Promise.all([faulty.worker.start(), second.start()]);
      for (let round = 0; round < ROUNDS; round += 1) {
        const actions: readonly (() => Promise<void>)[] = [
          () => product.requestRebuild('leaderboard'),
          () => product.requestRebuild(chance.pick(projectionNames) ?? 'questions'),
          () => product.publishRules(chance.isTrue(0.5)),
          () => product.append(100),
        ];
        // Concurrently, in random order.
        await Promise.all(chance.shuffled(actions).map((act) => act()));
        if (chance.isTrue(0.3)) await product.waitUntilSettled(output);
      }
      await product.waitUntilSettled(output);
      await faulty.worker.stop();
      await second.stop();
      expect(await product.leftovers()).toEqual([]);
      await product.expectVerified();
    });
  });
});
