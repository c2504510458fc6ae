import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { projectionNames, RebuildingProduct } from './rebuilding-product.js';

const KILLS = 100;
const MAX_KILLS = 300;
const EVENTS = 5_000;
const MAX_AGE_MS = 600;
/** Every nth round strikes when a switch is imminent. */
const SWITCH_EVERY = 3;
/** Every nth round strikes after all rebuilds have ended, so that slow machines switch too. */
const AFTER_SWITCH_EVERY = 12;
/** Every nth round kills the complete worker; the others kill the projection worker. */
const FULL_WORKER_EVERY = 10;

const seed = faultsSeed();
const chance = new SeededRandom(seed);

let faulty: FaultyProduct;
let projectionWorker: ProductProcess;
/** Generations interrupted during the build, or after catching up but before the switch. */
const interrupted = { building: 0, indexed: 0 };
let switches = 0;

/** Runs `work` with the log and the read side. */
async function withProduct<Result>(work: (product: RebuildingProduct) => Promise<Result>): Promise<Result> {
  return faulty.inspect(async (runtime) => {
    await startRuntime(runtime);
    return work(new RebuildingProduct(runtime.pool, runtime.store, seed, EVENTS));
  });
}

/** Highest generation number, incremented by each rebuild. */
const latest = async (product: RebuildingProduct): Promise<number> =>
  Math.max(0, ...(await product.generations()).map(({ generation }) => generation));

async function waitForSwitch(product: RebuildingProduct): Promise<void> {
  const end = performance.now() + 15_000;
  const isNear = async (): Promise<boolean> => {
    const building = (await product.generations()).filter(({ status }) => status === 'building');
    return building.length === 0 || building.some(({ indexed }) => indexed) || performance.now() > end;
  };
  await eventually(isNear, Boolean, () => 'imminent switch');
}

async function waitForSwitched(product: RebuildingProduct): Promise<void> {
  const isDone = async (): Promise<boolean> =>
    (await product.generations()).every(({ status, asked }) => status !== 'building' && asked === null);
  await eventually(isDone, Boolean, () => 'end of all rebuilds');
}

async function strike(product: RebuildingProduct, round: number): Promise<void> {
  for (const name of chance.shuffled(projectionNames).slice(0, chance.between(1, 3)))
    await product.requestRebuild(name);
  if (chance.isTrue(0.5)) await product.append(chance.between(1, 60));
  const worker = round % FULL_WORKER_EVERY === 0 ? faulty.worker : projectionWorker;
  worker.spawn();
  // Some are killed during startup, most in the middle of a rebuild, and every third at its end.
  if (chance.isTrue(0.1)) await delay(chance.between(0, MAX_AGE_MS));
  else {
    await worker.whenReady();
    if (round % AFTER_SWITCH_EVERY === 0) await waitForSwitched(product);
    else if (round % SWITCH_EVERY === 0) await waitForSwitch(product);
    await delay(chance.between(0, round % SWITCH_EVERY === 0 ? 60 : MAX_AGE_MS));
  }
  await worker.kill();
  await product.expireLeases();
  for (const { status, indexed } of await product.generations())
    if (status === 'building') interrupted[indexed ? 'indexed' : 'building'] += 1;
}

beforeAll(async () => {
  faulty = await FaultyProduct.install();
  projectionWorker = faulty.anotherWorker('projection worker');
});

afterAll(async () => {
  await faulty.remove();
});

describe(`projections whose worker is killed during rebuilds (NIMO_FAULTS_SEED=${seed})`, () => {
  it('equal a full rebuild in the end, without leftovers', async () => {
    await withProduct(async (product) => {
      await product.append(EVENTS / 2);
      await faulty.worker.start();
      await product.waitUntilSettled(() => faulty.worker.output);
      await faulty.worker.kill();
      // Slow machines finish fewer rebuilds per round and get more rounds.
      for (let round = 1; round < KILLS || (round < MAX_KILLS && (await latest(product)) <= 3); round += 1)
        await strike(product, round);
      while (product.hasMore) await product.append(500);
      await faulty.worker.start();
      await product.waitUntilSettled(() => faulty.worker.output);
      await faulty.worker.stop();

      const generations = await product.generations();
      switches = await latest(product);
      process.stdout.write(
        `seed ${seed}: ${KILLS} kills, interrupted ${JSON.stringify(interrupted)}, ${switches} generations\n`,
      );
      // Some strikes hit a rebuild, and some rebuilds finish.
      expect(interrupted.building + interrupted.indexed).toBeGreaterThan(KILLS / 5);
      expect(switches).toBeGreaterThan(3);
      for (const name of projectionNames) {
        const own = generations.filter((generation) => generation.name === name);
        expect(own.filter(({ status }) => status === 'live')).toHaveLength(1);
        expect(own.filter(({ status }) => status === 'former').length).toBeLessThanOrEqual(1);
      }
      expect(await product.leftovers()).toEqual([]);
      expect(await product.misreportedSwitches()).toEqual([]);
      await product.expectVerified();
    });
  }, 900_000);
});
