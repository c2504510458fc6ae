import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { newCommunity, type Community } from '../community.js';
import { Participant } from '../participant.js';
import { eventually } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { names, RebuildingProduct } from './rebuilding-product.js';
import { SteadyClient, type Outcome } from './steady-client.js';

const CLIENTS = 8;
const ROUNDS = 3;
/** What a process gives itself. */
const WITHIN_MS = 10_000;

let product: FaultyProduct;
let second: ProductProcess;
let community: Community;
let questionId: string;

beforeAll(async () => {
  product = await FaultyProduct.install();
  second = product.anotherWorker();
  await Promise.all([product.api.start(), product.worker.start()]);
  await product.prepare(async (app) => {
    community = await newCommunity(app, CLIENTS + 1);
    const [author] = community.members;
    if (!author) throw new Error('there are no members');
    questionId = await new Participant(app, author, community).ask();
  });
});

afterAll(async () => {
  await product.remove();
});

/** How the socket of an open page is closed. */
function openPage(url: string): { readonly codes: number[]; isOpen(): boolean; dispose(): void } {
  const codes: number[] = [];
  let isOpen = false;
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: Infinity,
    // As the web app has it: while nobody answers, too.
    shouldRetry: () => true,
    retryWait: () => delay(50),
    on: {
      connected: () => {
        isOpen = true;
      },
      closed: (event) => {
        isOpen = false;
        codes.push((event as { readonly code: number }).code);
      },
    },
  });
  client.subscribe(
    { query: `subscription { questionUpdated(questionId: "${questionId}") { questionId } }` },
    { next: () => undefined, error: () => undefined, complete: () => undefined },
  );
  return { codes, isOpen: () => isOpen, dispose: () => void client.dispose() };
}

describe('an api that is told to go under load', () => {
  it('answers all that it accepted, and is followed by the browsers that listened', async () => {
    const tally: Record<Outcome, number> = {
      answered: 0,
      'error-answer': 0,
      broken: 0,
      'refused-connection': 0,
    };
    const faults: string[] = [];
    const took: number[] = [];
    let atHand = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { url } = product.api;
      let isLeaving = false;
      const clients = community.members.slice(1).map(
        ({ token }) =>
          new SteadyClient(
            url,
            token,
            () => isLeaving,
            () => `mutation { upvoteQuestion(questionId: "${questionId}") { _id } }`,
          ),
      );
      const page = openPage(url);
      await eventually(page.isOpen, Boolean, () => 'an open page');
      clients.forEach((client, index) => client.start(`${round}-${index}`));
      await eventually(
        () => clients.every(({ sent }) => sent.length > 10),
        Boolean,
        () => 'load',
      );
      isLeaving = true;
      const start = performance.now();
      const code = await product.api.leave();
      took.push(performance.now() - start);
      expect(code).toBe(0);
      for (const client of clients) await client.stop();
      for (const { outcome, detail, wasAtHand } of clients.flatMap(({ sent }) => sent)) {
        tally[outcome] += 1;
        if (wasAtHand) atHand += 1;
        if (outcome === 'broken' || outcome === 'error-answer') faults.push(detail);
      }
      await eventually(
        () => page.codes.length > 0,
        Boolean,
        () => 'the goodbye',
      );
      expect(page.codes[0]).toBe(1001);
      await product.api.start();
      await eventually(page.isOpen, Boolean, () => 'the page being back');
      page.dispose();
    }
    process.stdout.write(
      `${ROUNDS} departures under load: ${JSON.stringify(tally)}, ${atHand} at hand, ${took.map((ms) => ms.toFixed(0)).join(', ')} ms\n`,
    );
    expect(faults).toEqual([]);
    expect(atHand).toBeGreaterThan(0);
    expect(tally['refused-connection']).toBe(ROUNDS * CLIENTS);
    expect(Math.max(...took)).toBeLessThan(WITHIN_MS);
    const { rows } = await product.pool.query<{ count: number }>(
      `select count(distinct metadata->>'commandId')::int as count from log.events where stream_id like $1`,
      [`vote-${questionId}-%`],
    );
    expect(rows[0]?.count).toBe(tally.answered);
  });
});

describe('a worker that is told to go under load', () => {
  it('ends cleanly with its leases given back, so that another one goes on at once', async () => {
    await second.start();
    await product.inspect(async ({ pool, store }) => {
      const rebuilding = new RebuildingProduct(pool, store, 7, 3_000);
      const owners = async (): Promise<Map<string, string | null>> => {
        const live = (await rebuilding.generations()).filter(({ status }) => status === 'live');
        return new Map(live.map(({ name, owner }) => [name, owner]));
      };
      const own = `/${String(product.worker.pid)}/`;
      const isItsOwn = (owner: string | null): boolean => owner?.includes(own) === true;
      // The other one gets its share.
      let before: (string | null)[] = [];
      await eventually(
        async () => {
          const seen = [...(await owners()).values()];
          before = seen.filter(isItsOwn);
          return before.length > 0 && before.length < seen.length;
        },
        Boolean,
        () => 'two workers sharing',
      );
      const appending = rebuilding.append(2_000);
      expect(await product.worker.leave()).toBe(0);
      const start = performance.now();
      const { rows } = await pool.query(
        `select name from read.projection_generations
         where owner = any($1) and expires_at > clock_timestamp()`,
        [before],
      );
      // How soon another one takes them is a matter of how busy the machine is; that nothing has to run out is not.
      expect(rows).toEqual([]);
      await eventually(
        async () => {
          const now = await owners();
          return now.size === names.length && ![...now.values()].some(isItsOwn);
        },
        Boolean,
        () => 'another worker taking over',
      );
      const took = performance.now() - start;
      await appending;
      process.stdout.write(`taken over from a worker that left in ${took.toFixed(0)} ms\n`);
      await rebuilding.settled(() => second.words);
      await second.stop();
      await rebuilding.expectVerified();
    });
  });
});
