import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { names, RebuildingProduct } from './rebuilding-product.js';

const KILLS = 100;
const MAX_KILLS = 300;
const EVENTS = 5_000;
const MAX_AGE_MS = 600;
/** One round in so many waits for a switch to begin, and strikes then. */
const SWITCH_EVERY = 3;
/** One round in so many lets all that was asked come to its end, and strikes behind it: so a slow machine switches too. */
const BEHIND_EVERY = 12;
/** One round in so many kills the whole worker of the product, the others the part of it that projects. */
const WHOLE_EVERY = 10;

const seed = faultsSeed();
const chance = new SeededRandom(seed);

let faulty: FaultyProduct;
let projecting: ProductProcess;
/** What the worker left behind, by generations: half of the log folded, or caught up and not switched yet. */
const left = { building: 0, indexed: 0 };
let switches = 0;

/** Lends the log and the read side to a part of the test. */
async function withProduct<Result>(work: (product: RebuildingProduct) => Promise<Result>): Promise<Result> {
  return faulty.inspect(async (runtime) => {
    await startRuntime(runtime);
    return work(new RebuildingProduct(runtime.pool, runtime.store, seed, EVENTS));
  });
}

/** The highest number of a generation: one more with each switch. */
const latest = async (product: RebuildingProduct): Promise<number> =>
  Math.max(0, ...(await product.generations()).map(({ generation }) => generation));

async function waitForSwitch(product: RebuildingProduct): Promise<void> {
  const end = performance.now() + 15_000;
  const isNear = async (): Promise<boolean> => {
    const building = (await product.generations()).filter(({ status }) => status === 'building');
    return building.length === 0 || building.some(({ indexed }) => indexed) || performance.now() > end;
  };
  await eventually(isNear, Boolean, () => 'a switch being near');
}

async function waitForSwitched(product: RebuildingProduct): Promise<void> {
  const isDone = async (): Promise<boolean> =>
    (await product.generations()).every(({ status, asked }) => status !== 'building' && asked === null);
  await eventually(isDone, Boolean, () => 'every rebuild coming to its end');
}

async function strike(product: RebuildingProduct, round: number): Promise<void> {
  for (const name of chance.shuffled(names).slice(0, chance.between(1, 3))) await product.request(name);
  if (chance.isTrue(0.5)) await product.append(chance.between(1, 60));
  const worker = round % WHOLE_EVERY === 0 ? faulty.worker : projecting;
  worker.spawn();
  // Some die before they begin; most in the middle of a rebuild, and every third at its end.
  if (chance.isTrue(0.1)) await delay(chance.between(0, MAX_AGE_MS));
  else {
    await worker.whenReady();
    if (round % BEHIND_EVERY === 0) await waitForSwitched(product);
    else if (round % SWITCH_EVERY === 0) await waitForSwitch(product);
    await delay(chance.between(0, round % SWITCH_EVERY === 0 ? 60 : MAX_AGE_MS));
  }
  await worker.kill();
  await product.letLeasesExpire();
  for (const { status, indexed } of await product.generations())
    if (status === 'building') left[indexed ? 'indexed' : 'building'] += 1;
}

beforeAll(async () => {
  faulty = await FaultyProduct.install();
  projecting = faulty.anotherWorker('projection worker');
});

afterAll(async () => {
  await faulty.remove();
});

describe(`projections whose worker is killed while they are rebuilt (NIMO_FAULTS_SEED=${seed})`, () => {
  it('end with the rows that a fold of the whole log gives, and with nothing left over', async () => {
    await withProduct(async (product) => {
      await product.append(EVENTS / 2);
      await faulty.worker.start();
      await product.settled(() => faulty.worker.words);
      await faulty.worker.kill();
      // A slow machine comes to fewer ends within as many rounds, and gets more of them.
      for (let round = 1; round < KILLS || (round < MAX_KILLS && (await latest(product)) <= 3); round += 1)
        await strike(product, round);
      while (product.hasMore) await product.append(500);
      await faulty.worker.start();
      await product.settled(() => faulty.worker.words);
      await faulty.worker.stop();

      const generations = await product.generations();
      switches = await latest(product);
      process.stdout.write(
        `seed ${seed}: ${KILLS} kills, left ${JSON.stringify(left)}, ${switches} generations\n`,
      );
      // Neither are all strikes in vain nor does nothing ever come to its end.
      expect(left.building + left.indexed).toBeGreaterThan(KILLS / 5);
      expect(switches).toBeGreaterThan(3);
      for (const name of names) {
        const of = generations.filter((generation) => generation.name === name);
        expect(of.filter(({ status }) => status === 'live')).toHaveLength(1);
        expect(of.filter(({ status }) => status === 'former').length).toBeLessThanOrEqual(1);
      }
      expect(await product.leftovers()).toEqual([]);
      expect(await product.switchesToldTwiceOrNever()).toEqual([]);
      await product.expectVerified();
    });
  }, 900_000);
});
