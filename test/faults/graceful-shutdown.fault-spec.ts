import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { newCommunity, type Community } from '../community.js';
import { Participant } from '../participant.js';
import { eventually } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { projectionNames, RebuildingProduct } from './rebuilding-product.js';
import { SteadyClient, type Outcome } from './steady-client.js';

const CLIENTS = 8;
const ROUNDS = 3;
/** Shutdown timeout of the product. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

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
    if (!author) throw new Error('no members');
    questionId = await new Participant(app, author, community).ask();
  });
});

afterAll(async () => {
  await product.remove();
});

/** A page with an open socket that records close codes. */
function openPage(url: string): { readonly codes: number[]; isOpen(): boolean; dispose(): void } {
  const codes: number[] = [];
  let isOpen = false;
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: Infinity,
    // As in the web app, even while nothing responds.
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

describe('an API that shuts down under load', () => {
  it('answers all accepted requests, and browsers reconnect', async () => {
    const tally: Record<Outcome, number> = {
      answered: 0,
      'error-answer': 0,
      broken: 0,
      'refused-connection': 0,
    };
    const faults: string[] = [];
    const took: number[] = [];
    let inFlight = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { url } = product.api;
      let isShuttingDown = false;
      const clients = community.members.slice(1).map(
        ({ token }) =>
          new SteadyClient(
            url,
            token,
            () => isShuttingDown,
            () => `mutation { upvoteQuestion(questionId: "${questionId}") { _id } }`,
          ),
      );
      const page = openPage(url);
      await eventually(page.isOpen, Boolean, () => 'open page');
      clients.forEach((client, index) => client.start(`${round}-${index}`));
      await eventually(
        () => clients.every(({ sent }) => sent.length > 10),
        Boolean,
        () => 'load',
      );
      isShuttingDown = true;
      const start = performance.now();
      const code = await product.api.shutDown();
      took.push(performance.now() - start);
      expect(code).toBe(0);
      for (const client of clients) await client.stop();
      for (const { outcome, detail, wasInFlight } of clients.flatMap(({ sent }) => sent)) {
        tally[outcome] += 1;
        if (wasInFlight) inFlight += 1;
        if (outcome === 'broken' || outcome === 'error-answer') faults.push(detail);
      }
      await eventually(
        () => page.codes.length > 0,
        Boolean,
        () => 'close frame',
      );
      expect(page.codes[0]).toBe(1001);
      await product.api.start();
      await eventually(page.isOpen, Boolean, () => 'reconnected page');
      page.dispose();
    }
    process.stdout.write(
      `${ROUNDS} shutdowns under load: ${JSON.stringify(tally)}, ${inFlight} in flight, ${took.map((ms) => ms.toFixed(0)).join(', ')} ms\n`,
    );
    expect(faults).toEqual([]);
    expect(inFlight).toBeGreaterThan(0);
    expect(tally['refused-connection']).toBe(ROUNDS * CLIENTS);
    expect(Math.max(...took)).toBeLessThan(SHUTDOWN_TIMEOUT_MS);
    const { rows } = await product.pool.query<{ count: number }>(
      `select count(distinct metadata->>'commandId')::int as count from log.events where stream_id like $1`,
      [`vote-${questionId}-%`],
    );
    expect(rows[0]?.count).toBe(tally.answered);
  });
});

describe('a worker that shuts down under load', () => {
  it('releases its leases, so that another worker takes over immediately', async () => {
    await second.start();
    await product.inspect(async ({ pool, store }) => {
      const rebuilding = new RebuildingProduct(pool, store, 7, 3_000);
      const owners = async (): Promise<Map<string, string | null>> => {
        const live = (await rebuilding.generations()).filter(({ status }) => status === 'live');
        return new Map(live.map(({ name, owner }) => [name, owner]));
      };
      const idPart = `/${String(product.worker.pid)}/`;
      const isFirstWorker = (owner: string | null): boolean => owner?.includes(idPart) === true;
      // Waits until the second worker has leases too.
      let before: (string | null)[] = [];
      await eventually(
        async () => {
          const seen = [...(await owners()).values()];
          before = seen.filter(isFirstWorker);
          return before.length > 0 && before.length < seen.length;
        },
        Boolean,
        () => 'leases on both workers',
      );
      const appending = rebuilding.append(2_000);
      expect(await product.worker.shutDown()).toBe(0);
      const start = performance.now();
      const { rows } = await pool.query(
        `select name from read.projection_generations
         where owner = any($1) and expires_at > clock_timestamp()`,
        [before],
      );
      // How soon another worker acquires them depends on the machine, but no lease may have to expire.
      expect(rows).toEqual([]);
      await eventually(
        async () => {
          const now = await owners();
          return now.size === projectionNames.length && ![...now.values()].some(isFirstWorker);
        },
        Boolean,
        () => 'takeover by the other worker',
      );
      const took = performance.now() - start;
      await appending;
      process.stdout.write(`takeover from a worker that shut down: ${took.toFixed(0)} ms\n`);
      await rebuilding.waitUntilSettled(() => second.output);
      await second.stop();
      await rebuilding.expectVerified();
    });
  });
});
