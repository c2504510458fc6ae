import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, faultsSeed, SeededRandom } from '@nimo/testing';
import { FaultyProduct } from './faulty-product.js';
import type { ProductProcess } from './product-process.js';
import { rawSequences, type RawSequence } from './raw-sequences.js';

const seed = faultsSeed();
const SEQUENCES = 10_000;
/** Enough for compiled code and buffers to reach their steady size. */
const WARM_UP = 3_000;
const CONCURRENCY = 40;
const LINGER_MS = 25;
const MAX_RESPONSE_MS = 1_000;
const REQUEST_INTERVAL_MS = 50;
const MAX_GROWTH = 1.2;

let product: FaultyProduct;
let api: ProductProcess;

beforeAll(async () => {
  product = await FaultyProduct.install(() => ({ RATE_LIMIT_FACTOR: '1', DATABASE_POOL_SIZE: '4' }));
  const reportMemory = join(import.meta.dirname, 'report-memory.mjs');
  api = product.anotherApi(['--expose-gc', '--import', reportMemory]);
  await api.start();
});

afterAll(async () => {
  await api.stop();
  await product.remove();
});

/** Bytes in use by the API after garbage collection. */
async function heldBytes(): Promise<number> {
  const { child } = api;
  const response = once(child, 'message');
  child.send({ request: 'memory' });
  const [{ memory }] = (await response) as [{ readonly memory: { readonly held: number } }];
  return memory.held;
}

/** Sends the bytes and waits briefly, ignoring the outcome. */
async function send({ pieces, isReset }: RawSequence): Promise<void> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined).on('data', () => undefined);
  for (const piece of pieces) {
    socket.write(piece);
    if (pieces.length > 1) await delay(1);
  }
  await Promise.race([closed, delay(LINGER_MS)]);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

async function sendAll(random: SeededRandom, count: number): Promise<Set<string>> {
  const kinds = new Set<string>();
  const sequences = rawSequences(random, count);
  const worker = async (): Promise<void> => {
    for (const sequence of sequences) {
      kinds.add(sequence.kind);
      await send(sequence);
      if (!api.isRunning) throw new Error(`API ended by ${sequence.kind}, seed ${seed}:\n${api.output}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return kinds;
}

/** Another client that sends ordinary requests continuously and measures the response times. */
class LatencyProbe {
  readonly answers: number[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private isStopping = false;
  private running: Promise<void> | undefined;

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.agent.destroy();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const lag = watchOwnLag();
      const startedAt = performance.now();
      const status = await this.request();
      const took = performance.now() - startedAt;
      // Excludes delays of this process.
      const waited = took - lag.stop();
      this.answers.push(status === 200 ? waited : Infinity);
      await delay(REQUEST_INTERVAL_MS);
    }
  }

  private request(): Promise<number | undefined> {
    const body = JSON.stringify({ query: '{ getAvatars { category } }' });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve) => {
      const sending = request(
        `${api.url}/graphql`,
        { agent: this.agent, method: 'POST', headers },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        },
      );
      sending.once('error', () => resolve(undefined));
      sending.end(body);
    });
  }
}

/** Measures event loop lag of this process, caused by others on the machine. */
function watchOwnLag(): { stop(): number } {
  let held = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    held += Math.max(0, now - last - 10);
    last = now;
  }, 10);
  return {
    stop: () => {
      clearInterval(timer);
      return held;
    },
  };
}

describe(`an API that gets raw bytes (NIMO_FAULTS_SEED=${seed})`, () => {
  it('survives ten thousand sequences without delaying other clients or leaking memory', async () => {
    const random = new SeededRandom(seed);
    await sendAll(random, WARM_UP);
    await delay(LINGER_MS);
    const before = await heldBytes();
    const { pid } = api;
    const probe = new LatencyProbe();
    probe.start();
    const kinds = await sendAll(random, SEQUENCES);
    await probe.stop();
    expect(kinds.size).toBeGreaterThan(10);
    expect([api.isRunning, api.pid]).toEqual([true, pid]);
    expect(probe.answers.length).toBeGreaterThan(20);
    expect(probe.answers.filter((milliseconds) => milliseconds > MAX_RESPONSE_MS)).toEqual([]);
    // Incomplete connections time out eventually.
    let held = 0;
    await eventually(
      async () => (held = await heldBytes()) <= before * MAX_GROWTH,
      Boolean,
      () => ['previous memory use', { before, held, seed }],
    );
    // Client errors must not fill the logs.
    expect(api.output).toBe('');
  }, 400_000);

  it('does not buffer unauthorized uploads', async () => {
    const before = await heldBytes();
    const sockets = await Promise.all(
      [
        '/upload/00000000-0000-4000-8000-000000000000.webp?expires=9999999999&signature=none',
        '/graphql',
        '/nothing/here',
      ]
        .flatMap((path) => Array.from({ length: 20 }, () => path))
        .map((path) => halfSend(path)),
    );
    try {
      await delay(200);
      expect((await heldBytes()) - before).toBeLessThan(48 * 1024 * 1024);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

/** Sends up to four of ten announced megabytes. */
async function halfSend(path: string): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.on('error', () => undefined).on('data', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 10000000\r\n\r\n`,
  );
  const sent = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.write(Buffer.alloc(4_000_000), () => resolve());
  });
  await Promise.race([sent, delay(5_000)]);
  return socket;
}
