import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newCommunity } from '../community.js';
import {
  countEffects,
  expectedEffects,
  findLogFlaws,
  resolveMissingIds,
  readLog,
  type LoggedEvent,
} from './audit.js';
import { waitForProjections } from './wait-for-projections.js';
import { expectedScores } from './expected-scores.js';
import { FaultyProduct } from './faulty-product.js';
import { Load } from './load.js';
import { faultsSeed, SeededRandom } from '@nimo/testing';
import { expectVerified } from './verified.js';
import {
  expectedBookmarks,
  expectedPosts,
  projectedBookmarks,
  projectedPosts,
} from './projected-community.js';

/** Number of strikes per target. `both` kills two processes; `Twice` kills again during the restart. */
const KILLS = { api: 7, worker: 6, both: 7, apiTwice: 6, workerTwice: 6, postgres: 3, backend: 3 };
type Target = keyof typeof KILLS;
const DEATHS: Readonly<Record<Target, number>> = {
  api: 1,
  worker: 1,
  both: 2,
  apiTwice: 2,
  workerTwice: 2,
  postgres: 1,
  backend: 1,
};
const STUDENTS = 10;
const MAX_START_MS = 900;

const seed = faultsSeed();
const chance = new SeededRandom(seed);

let product: FaultyProduct;
let load: Load;
let log: LoggedEvent[];
let deaths = 0;

async function killTwice(program: FaultyProduct['api']): Promise<void> {
  await program.kill();
  program.spawn();
  await delay(chance.between(0, MAX_START_MS));
  await program.kill();
  await program.start();
}

async function strike(target: Target): Promise<void> {
  const { api, worker } = product;
  switch (target) {
    case 'api':
    case 'worker': {
      await product[target].kill();
      await product[target].start();
      return;
    }
    case 'both':
      await Promise.all([api.kill(), worker.kill()]);
      await Promise.all([api.start(), worker.start()]);
      return;
    case 'apiTwice':
      return killTwice(api);
    case 'workerTwice':
      return killTwice(worker);
    case 'postgres':
      return product.killPostgres();
    case 'backend':
      return product.killBackend();
  }
}

beforeAll(async () => {
  product = await FaultyProduct.install();
  await Promise.all([product.api.start(), product.worker.start()]);
  const community = await product.prepare((app) => newCommunity(app, STUDENTS));
  load = new Load(community, () => product.api.url, seed);
  load.start();
  await load.waitForConfirmed(60);
  const targets = Object.entries(KILLS).flatMap(([target, times]) =>
    Array.from({ length: times }, () => target as Target),
  );
  for (const target of chance.shuffled(targets)) {
    await load.waitForConfirmed(chance.between(1, 25));
    // Strikes at an arbitrary moment.
    await delay(chance.between(0, 30));
    await strike(target);
    deaths += DEATHS[target];
  }
  await load.waitForConfirmed(60);
  await load.stop();
  await waitForProjections(product.pool, () => product.worker.output);
  log = await readLog(product.pool);
}, 780_000);

afterAll(async () => {
  try {
    load.abandon();
  } finally {
    await product.remove();
  }
});

describe(`a product that is killed repeatedly (NIMO_FAULTS_SEED=${seed})`, () => {
  it('is killed at least fifty times under load', () => {
    expect(deaths).toBeGreaterThanOrEqual(50);
    expect(load.tally['unanswered']).toBeGreaterThan(deaths);
    process.stdout.write(
      `seed ${seed}: ${deaths} kills, ${log.length} events, ${JSON.stringify(load.tally)}, rejected ${JSON.stringify([...load.refusals])}\n`,
    );
  });

  it('never responds with internal errors or rejects valid requests', () => {
    expect(load.faults).toEqual([]);
    expect([...load.refusals]).toEqual([]);
  });

  it('keeps a log without gaps', async () => {
    expect(await findLogFlaws(product.pool)).toEqual([]);
  });

  it('loses no confirmed request and executes none twice', () => {
    expect(resolveMissingIds(load.model, log)).toEqual([]);
    expect(countEffects(log)).toEqual(expectedEffects(load.model));
  });

  it('matches the model in posts, votes, acceptances and bookmarks', async () => {
    expect(await projectedPosts(product.pool)).toEqual(expectedPosts(load.model));
    expect(await projectedBookmarks(product.pool)).toEqual(expectedBookmarks(load.model));
  });

  it('matches the model in scores', async () => {
    const { rows } = await product.pool.query(
      'select student_id, merit::int as merit, impact::int as impact from read.leaderboard order by student_id',
    );
    const expected = expectedScores(load.model, log).sort((left, right) =>
      left.student_id < right.student_id ? -1 : 1,
    );
    expect(rows).toEqual(expected);
  });

  it('has projections equal to a full rebuild', async () => {
    await product.worker.stop();
    await product.inspect(expectVerified);
  });
});
