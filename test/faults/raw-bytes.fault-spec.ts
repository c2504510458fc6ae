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
/** Enough that code and buffers have grown to what they are in use. */
const WARM_UP = 3_000;
const AT_ONCE = 40;
const LINGERS_MS = 25;
const ANSWERS_WITHIN_MS = 1_000;
const ASKS_EVERY_MS = 50;
const MAX_GROWTH = 1.2;

let product: FaultyProduct;
let api: ProductProcess;

beforeAll(async () => {
  product = await FaultyProduct.install(() => ({ RATE_LIMIT_FACTOR: '1', DATABASE_POOL_SIZE: '4' }));
  const tellMemory = join(import.meta.dirname, 'tell-memory.mjs');
  api = product.anotherApi(['--expose-gc', '--import', tellMemory]);
  await api.start();
});

afterAll(async () => {
  await api.stop();
  await product.remove();
});

/** Bytes that the api holds on to. */
async function heldBytes(): Promise<number> {
  const { child } = api;
  const told = once(child, 'message');
  child.send({ ask: 'memory' });
  const [{ memory }] = (await told) as [{ readonly memory: { readonly held: number } }];
  return memory.held;
}

/** Sends its bytes and listens for a moment; whatever becomes of it. */
async function play({ pieces, isReset }: RawSequence): Promise<void> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined).on('data', () => undefined);
  for (const piece of pieces) {
    socket.write(piece);
    if (pieces.length > 1) await delay(1);
  }
  await Promise.race([closed, delay(LINGERS_MS)]);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

async function playAll(random: SeededRandom, count: number): Promise<Set<string>> {
  const kinds = new Set<string>();
  const sequences = rawSequences(random, count);
  const lane = async (): Promise<void> => {
    for (const sequence of sequences) {
      kinds.add(sequence.kind);
      await play(sequence);
      if (!api.isRunning) throw new Error(`ended by ${sequence.kind}, seed ${seed}:\n${api.words}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return kinds;
}

/** Somebody else, who asks what everybody asks, again and again. */
class Witness {
  readonly answers: number[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private isStopping = false;
  private running: Promise<void> | undefined;

  start(): void {
    this.running = this.keepAsking();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.agent.destroy();
  }

  private async keepAsking(): Promise<void> {
    while (!this.isStopping) {
      const lag = watchOwnLag();
      const began = performance.now();
      const status = await this.ask();
      const took = performance.now() - began;
      // What this process could not do itself is no wait for the api.
      const waited = took - lag.stop();
      this.answers.push(status === 200 ? waited : Infinity);
      await delay(ASKS_EVERY_MS);
    }
  }

  private ask(): Promise<number | undefined> {
    const body = JSON.stringify({ query: '{ getAvatars { category } }' });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve) => {
      const asking = request(
        `${api.url}/graphql`,
        { agent: this.agent, method: 'POST', headers },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        },
      );
      asking.once('error', () => resolve(undefined));
      asking.end(body);
    });
  }
}

/** How long this process could not do what it was to do: others share the machine. */
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

describe(`raw bytes (NIMO_FAULTS_SEED=${seed})`, () => {
  it('of every kind, ten thousand times, end nothing, hold nobody up and leave nothing behind', async () => {
    const random = new SeededRandom(seed);
    await playAll(random, WARM_UP);
    await delay(LINGERS_MS);
    const before = await heldBytes();
    const { pid } = api;
    const witness = new Witness();
    witness.start();
    const kinds = await playAll(random, SEQUENCES);
    await witness.stop();
    expect(kinds.size).toBeGreaterThan(10);
    expect([api.isRunning, api.pid]).toEqual([true, pid]);
    expect(witness.answers.length).toBeGreaterThan(20);
    expect(witness.answers.filter((milliseconds) => milliseconds > ANSWERS_WITHIN_MS)).toEqual([]);
    // Connections that were left half-said are ended by and by.
    let held = 0;
    await eventually(
      async () => (held = await heldBytes()) <= before * MAX_GROWTH,
      Boolean,
      () => ['memory as before', { before, held, seed }],
    );
    // A client's doing is no fault of ours, and nothing that fills a disk.
    expect(api.words).toBe('');
  }, 400_000);

  it('of pictures that nobody may send are not kept', async () => {
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

/** Four of ten megabytes that were announced, as far as they are taken. */
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
