import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { names, RebuildingProduct } from './rebuilding-product.js';

const EVENTS = 2_500;
/** What is promised: the lease of three seconds, and a second until the next look. */
const TAKE_OVER_MS = 5_000;
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

const words = () => `${faulty.worker.words}\n${second.words}`;

/** What is served and led by a process. */
async function ledBy(product: RebuildingProduct, { pid }: ProductProcess): Promise<readonly string[]> {
  const live = (await product.generations()).filter(({ status, isLed }) => status === 'live' && isLed);
  return live.filter(({ owner }) => owner?.includes(`/${String(pid)}/`)).map(({ name }) => name);
}

/** Until a process leads everything, and how long that took. */
async function takenOver(product: RebuildingProduct, by: ProductProcess): Promise<number> {
  const start = performance.now();
  await eventually(
    async () => (await ledBy(product, by)).length === names.length,
    Boolean,
    () => 'another worker taking over',
  );
  return performance.now() - start;
}

/** Until each has its share. */
async function shared(product: RebuildingProduct): Promise<void> {
  await eventually(
    async () => {
      const parts = await Promise.all([faulty.worker, second].map((worker) => ledBy(product, worker)));
      return parts.every(({ length }) => length > 0) && parts.flat().length === names.length;
    },
    Boolean,
    () => 'two workers sharing',
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
  it('take over from one that is frozen beyond its lease, which writes nothing when it wakes', async () => {
    await withProduct(seed, async (product) => {
      const [first] = [faulty.worker];
      await product.append(500);
      await first.start();
      await product.settled(words);
      await second.start();
      await shared(product);

      // In the middle of a batch, as likely as not.
      const appending = product.append(500);
      first.freeze();
      const took = await takenOver(product, second);
      await appending;
      expect(took).toBeLessThan(TAKE_OVER_MS);
      await product.settled(words);
      const asLeft = await product.hashes();

      // It finds its leases gone and comes anew: that it gets its share again, shows that it is awake, when the other is killed.
      first.thaw();
      await product.append(200);
      await product.settled(words);
      await shared(product);
      expect(await product.hashes()).not.toEqual(asLeft);
      await second.kill();
      expect(await takenOver(product, first)).toBeLessThan(TAKE_OVER_MS);
      await product.append(200);
      await product.settled(words);
      process.stdout.write(`seed ${seed}: taken over from a frozen worker in ${took.toFixed(0)} ms\n`);
      await first.stop();
      await product.expectVerified();
    });
  });

  it('end as one after the other would, when rules are published, projections rebuilt and a past is appended at once', async () => {
    await withProduct(seed + 1, async (product) => {
      await Promise.all([faulty.worker.start(), second.start()]);
      for (let round = 0; round < ROUNDS; round += 1) {
        const acts: readonly (() => Promise<void>)[] = [
          () => product.request('leaderboard'),
          () => product.request(chance.pick(names) ?? 'questions'),
          () => product.publishRules(chance.isTrue(0.5)),
          () => product.append(100),
        ];
        // At once, in an order that differs.
        await Promise.all(chance.shuffled(acts).map((act) => act()));
        if (chance.isTrue(0.3)) await product.settled(words);
      }
      await product.settled(words);
      await faulty.worker.stop();
      await second.stop();
      expect(await product.leftovers()).toEqual([]);
      await product.expectVerified();
    });
  });
});
