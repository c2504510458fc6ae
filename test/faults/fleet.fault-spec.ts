import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newCommunity } from '../community.js';
import {
  countEffects,
  expectedEffects,
  flawsOfLog,
  nameTheNameless,
  readLog,
  type LoggedEvent,
} from './audit.js';
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { Fleet, type TakeOver } from './fleet.js';
import { Load } from './load.js';
import { OpenPage } from './open-page.js';
import type { ProductProcess } from './product-process.js';
import { expectVerified } from './verified.js';
import { expectedBookmarks, expectedPosts, shownBookmarks, shownPosts } from './shown-community.js';

/** In each, a worker that leads dies, and an api; in every other one a worker more, beside it. */
const ROUNDS = 4;
const KILLS = ROUNDS * 2 + ROUNDS / 2;
const STUDENTS = 8;
const OPEN_PAGES = 4;
/** What is promised: the lease of three seconds, half a second until the next look, and what a busy machine adds. */
const TAKE_OVER_MS = 5_000;

const seed = faultsSeed();
const chance = new SeededRandom(seed);

let fleet: Fleet;
let load: Load;
let log: LoggedEvent[];
let kills = 0;
/** How often each open page had heard of something at the last kill, and some time later. */
let heard: { readonly atLastKill: number; readonly afterwards: number }[] = [];
const takeOvers: TakeOver[] = [];
const pages: OpenPage[] = [];

/** A load balancer that does not know yet who has died. */
const anyApi = (): string => chance.pick(fleet.apis)?.url ?? '';

async function leaders(): Promise<ProductProcess[]> {
  const led = await Promise.all(fleet.workers.map((worker) => fleet.ledBy(worker)));
  return fleet.workers.filter((_worker, index) => (led[index]?.length ?? 0) > 0);
}

async function killApi(): Promise<void> {
  const api = chance.pick(fleet.apis);
  await api?.kill();
  kills += 1;
  await api?.start();
}

async function strike(round: number): Promise<void> {
  const leader = chance.pick(await leaders());
  if (!leader) throw new Error('nobody leads anything');
  const other = round % 2 === 0 ? undefined : fleet.workers.find((worker) => worker !== leader);
  await other?.kill();
  kills += other ? 2 : 1;
  const [takeOver] = await Promise.all([fleet.killLeader(leader), killApi()]);
  takeOvers.push(takeOver);
  await Promise.all([leader.start(), other?.start()]);
}

/** Until every open page has heard of something after the last kill: what that takes, is up to the students. */
async function everyPageHears(): Promise<typeof heard> {
  const before = pages.map((page) => page.heard);
  await eventually(
    () => pages.every((page, index) => page.heard > (before[index] ?? 0)),
    Boolean,
    () => [
      'every open page hearing of something new',
      pages.map(({ heard: now, returns, errors }) => ({ now, returns, errors })),
    ],
  );
  return pages.map((page, index) => ({ atLastKill: before[index] ?? 0, afterwards: page.heard }));
}

beforeAll(async () => {
  fleet = await Fleet.start();
  const community = await fleet.product.prepare((app) => newCommunity(app, STUDENTS));
  load = new Load(community, anyApi, seed);
  load.start();
  await eventually(
    () => load.model.of('QUESTION').length >= OPEN_PAGES,
    Boolean,
    () => 'enough questions to have open',
  );
  for (const { postId } of load.model.of('QUESTION').slice(0, OPEN_PAGES))
    pages.push(new OpenPage(anyApi, postId));
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.confirms(chance.between(5, 30));
    await delay(chance.between(0, 30));
    await strike(round);
  }
  heard = await everyPageHears();
  await load.confirms(40);
  await load.stop();
  await fleet.caughtUp();
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

describe(`three apis and three workers that are killed at random (NIMO_FAULTS_SEED=${seed})`, () => {
  it('are killed under load, and each time others take over what the dead worker led within five seconds', () => {
    const took = takeOvers.map(({ milliseconds }) => Math.round(milliseconds)).toSorted((a, b) => a - b);
    process.stdout.write(
      `seed ${seed}: ${kills} kills, ${log.length} events, ${JSON.stringify(load.tally)}, ` +
        `take-overs in ${took.join(', ')} ms, open pages came back ${pages.reduce((sum, { returns }) => sum + returns, 0)} times\n`,
    );
    expect(kills).toBe(KILLS);
    expect(load.tally['unanswered']).toBeGreaterThan(0);
    expect(takeOvers.every((takeOver) => takeOver.projections > 0)).toBe(true);
    expect(took.at(-1)).toBeLessThan(TAKE_OVER_MS);
  });

  it('never answer with a fault of their own, nor refuse what is right', () => {
    expect(load.faults).toEqual([]);
    expect([...load.refusals]).toEqual([]);
  });

  it('lose nothing that one of them confirmed, and do nothing twice, whoever is asked again', async () => {
    expect(await flawsOfLog(fleet.product.pool)).toEqual([]);
    expect(nameTheNameless(load.model, log)).toEqual([]);
    expect(countEffects(log)).toEqual(expectedEffects(load.model));
  });

  it('show posts, votes and bookmarks as the model has them', async () => {
    expect(await shownPosts(fleet.product.pool)).toEqual(expectedPosts(load.model));
    expect(await shownBookmarks(fleet.product.pool)).toEqual(expectedBookmarks(load.model));
  });

  it('keep open pages up to date, which come back by themselves when their api dies', () => {
    expect(pages.flatMap(({ errors }) => errors)).toEqual([]);
    expect(pages.reduce((sum, { returns }) => sum + returns, 0)).toBeGreaterThan(0);
    expect(heard).toHaveLength(OPEN_PAGES);
    for (const { atLastKill, afterwards } of heard) expect(afterwards).toBeGreaterThan(atLastKill);
  });

  it('have projections that equal a rebuild from nothing', async () => {
    await Promise.all(fleet.workers.map((worker) => worker.stop()));
    await fleet.product.inspect(expectVerified);
  });
});
