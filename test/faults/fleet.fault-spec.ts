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
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { Fleet, type Takeover } from './fleet.js';
import { Load } from './load.js';
import { OpenPage } from './open-page.js';
import type { ProductProcess } from './product-process.js';
import { expectVerified } from './verified.js';
import {
  expectedBookmarks,
  expectedPosts,
  projectedBookmarks,
  projectedPosts,
} from './projected-community.js';

/** Each round kills a lease holder and an API; every second round kills another worker too. */
const ROUNDS = 4;
const KILLS = ROUNDS * 2 + ROUNDS / 2;
const STUDENTS = 8;
const OPEN_PAGES = 4;
/** Lease of three seconds, half a second until the next poll, and a margin for a busy machine. */
const MAX_TAKEOVER_MS = 5_000;

const seed = faultsSeed();
const chance = new SeededRandom(seed);

let fleet: Fleet;
let load: Load;
let log: LoggedEvent[];
let kills = 0;
/** Updates received by each open page, up to the last kill and afterwards. */
let updates: { readonly atLastKill: number; readonly afterwards: number }[] = [];
const takeovers: Takeover[] = [];
const pages: OpenPage[] = [];

/** Like a load balancer that has not noticed dead APIs yet. */
const anyApi = (): string => chance.pick(fleet.apis)?.url ?? '';

async function leaders(): Promise<ProductProcess[]> {
  const leases = await Promise.all(fleet.workers.map((worker) => fleet.projectionsOf(worker)));
  return fleet.workers.filter((_worker, index) => (leases[index]?.length ?? 0) > 0);
}

async function killApi(): Promise<void> {
  const api = chance.pick(fleet.apis);
  await api?.kill();
  kills += 1;
  await api?.start();
}

async function strike(round: number): Promise<void> {
  const leader = chance.pick(await leaders());
  if (!leader) throw new Error('no worker holds a lease');
  const other = round % 2 === 0 ? undefined : fleet.workers.find((worker) => worker !== leader);
  await other?.kill();
  kills += other ? 2 : 1;
  const [takeover] = await Promise.all([fleet.killLeader(leader), killApi()]);
  takeovers.push(takeover);
  await Promise.all([leader.start(), other?.start()]);
}

/** Waits until every open page has received an update after the last kill. */
async function waitForPageUpdates(): Promise<typeof updates> {
  const before = pages.map((page) => page.updates);
  await eventually(
    () => pages.every((page, index) => page.updates > (before[index] ?? 0)),
    Boolean,
    () => [
      'an update of every open page',
      pages.map(({ updates: now, reconnects, errors }) => ({ now, reconnects, errors })),
    ],
  );
  return pages.map((page, index) => ({ atLastKill: before[index] ?? 0, afterwards: page.updates }));
}

beforeAll(async () => {
  fleet = await Fleet.start();
  const community = await fleet.product.prepare((app) => newCommunity(app, STUDENTS));
  load = new Load(community, anyApi, seed);
  load.start();
  await eventually(
    () => load.model.postsOf('QUESTION').length >= OPEN_PAGES,
    Boolean,
    () => 'enough questions to open',
  );
  for (const { postId } of load.model.postsOf('QUESTION').slice(0, OPEN_PAGES))
    pages.push(new OpenPage(anyApi, postId));
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.waitForConfirmed(chance.between(5, 30));
    await delay(chance.between(0, 30));
    await strike(round);
  }
  updates = await waitForPageUpdates();
  await load.waitForConfirmed(40);
  await load.stop();
  await fleet.waitForProjections();
  log = await readLog(fleet.product.pool);
}, 600_000);

afterAll(async () => {
  try {
    load.abandon();
    for (const page of pages) await page.close();
  } finally {
    await fleet.remove();
  }
});

describe(`three APIs and three workers killed at random (NIMO_FAULTS_SEED=${seed})`, () => {
  it('take over the leases of a killed worker within five seconds, under load', () => {
    const took = takeovers.map(({ milliseconds }) => Math.round(milliseconds)).toSorted((a, b) => a - b);
    process.stdout.write(
      `seed ${seed}: ${kills} kills, ${log.length} events, ${JSON.stringify(load.tally)}, ` +
        `takeovers in ${took.join(', ')} ms, open pages reconnected ${pages.reduce((sum, { reconnects }) => sum + reconnects, 0)} times\n`,
    );
    expect(kills).toBe(KILLS);
    expect(load.tally['unanswered']).toBeGreaterThan(0);
    expect(takeovers.every((takeover) => takeover.projections > 0)).toBe(true);
    expect(took.at(-1)).toBeLessThan(MAX_TAKEOVER_MS);
  });

  it('never respond with internal errors or reject valid requests', () => {
    expect(load.faults).toEqual([]);
    expect([...load.refusals]).toEqual([]);
  });

  it('lose no confirmed request and execute none twice, regardless of the API that gets the retry', async () => {
    expect(await findLogFlaws(fleet.product.pool)).toEqual([]);
    expect(resolveMissingIds(load.model, log)).toEqual([]);
    expect(countEffects(log)).toEqual(expectedEffects(load.model));
  });

  it('match the model in posts, votes and bookmarks', async () => {
    expect(await projectedPosts(fleet.product.pool)).toEqual(expectedPosts(load.model));
    expect(await projectedBookmarks(fleet.product.pool)).toEqual(expectedBookmarks(load.model));
  });

  it('keep open pages up to date, which reconnect automatically after their API dies', () => {
    expect(pages.flatMap(({ errors }) => errors)).toEqual([]);
    expect(pages.reduce((sum, { reconnects }) => sum + reconnects, 0)).toBeGreaterThan(0);
    expect(updates).toHaveLength(OPEN_PAGES);
    for (const { atLastKill, afterwards } of updates) expect(afterwards).toBeGreaterThan(atLastKill);
  });

  it('have projections equal to a full rebuild', async () => {
    await Promise.all(fleet.workers.map((worker) => worker.stop()));
    await fleet.product.inspect(expectVerified);
  });
});
