import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { webOperation } from '../web-operations.js';

/** Concurrent attackers without an account. */
export const ATTACKERS = 20;

export interface PressurePlan {
  readonly url: string;
  readonly kinds: readonly PressureKind[];
  readonly questionIds: readonly string[];
}

const SUBSCRIPTIONS_PER_SOCKET = 50;
const SLOW_BYTE_MS = 500;
const ALIASES = 20;
const REST_MS = 50;

interface Target {
  readonly url: string;
  readonly questionIds: readonly string[];
  readonly agent: Agent;
  readonly isOver: () => boolean;
}

type Attack = (target: Target, index: number) => Promise<void>;

/** Sends requests in sequence, whatever the responses. */
async function repeat(target: Target, send: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; !target.isOver(); round++) await send(round);
}

const times = (count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');

function ask(target: Target, path: string, body?: string): Promise<void> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = body === undefined ? { accept: 'text/html' } : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const outgoing = request(`${target.url}${path}`, { agent: target.agent, method, headers }, (answer) => {
      answer.resume().once('close', resolve);
    });
    // Pauses after an immediate refusal.
    outgoing.once('error', () => void delay(REST_MS).then(resolve));
    outgoing.end(body);
  });
}

const query = (target: Target, text: string): Promise<void> =>
  ask(target, '/graphql', JSON.stringify({ query: text }));

/** Sends an operation of the web app by its id. */
const askOwn = (target: Target, name: string, variables: object): Promise<void> =>
  ask(target, '/graphql', JSON.stringify({ ...webOperation(name), variables }));

function open(target: Target): Socket {
  const { hostname, port } = new URL(target.url);
  return connect(Number(port), hostname)
    .on('error', () => undefined)
    .on('data', () => undefined);
}

const POST = (bytes: number): string =>
  `POST /graphql HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Sends all but the last byte, and starts over when cut off. */
const incomplete =
  (head: string, bytes: number): Attack =>
  (target) =>
    repeat(target, async () => {
      const socket = open(target);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(head);
      socket.write(Buffer.alloc(bytes - 1, '"'));
      while (!target.isOver() && !socket.destroyed) await Promise.race([closed, delay(REST_MS)]);
      socket.destroy();
    });

const MAX_PAGE_SIZE = 100;

const ATTACKS = {
  'pages of long answers': (target, index) =>
    repeat(target, (round) =>
      askOwn(target, 'AnswerList', {
        questionId: idOf(target, index * 1_000 + round),
        page: 1,
        limit: MAX_PAGE_SIZE,
      }),
    ),
  'username lookups': (target) =>
    repeat(target, (round) => askOwn(target, 'CheckUserName', { userName: `somebody_${round}` })),
  logins: (target, index) =>
    repeat(target, (round) =>
      askOwn(target, 'Login', { userName: `somebody_${index}_${round}`, password: 'Not the right one 1' }),
    ),
  'unregistered documents with twenty aliases': (target, index) =>
    repeat(target, (round) => {
      const id = idOf(target, index * 1_000 + round);
      const page = `getPaginatedAnswers(questions: ["${id}"], paginateOptions: { limit: ${MAX_PAGE_SIZE} })`;
      return query(target, `{ ${times(ALIASES, (alias) => `a${alias}: ${page} { docs { _id body } }`)} }`);
    }),
  'unregistered documents full of comments': (target) =>
    repeat(target, () => query(target, `${'#\n'.repeat(150_000)}{ __typename }`)),
  'deeply nested JSON bodies': (target) =>
    repeat(target, () =>
      ask(
        target,
        '/graphql',
        `{"query":"{ __typename }","variables":{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
      ),
    ),
  'JSON bodies with many values': (target) =>
    repeat(target, () =>
      ask(target, '/graphql', `{"query":"{ __typename }","variables":{"x":[${'{},'.repeat(160_000)}{}]}}`),
    ),
  'JSON bodies with long strings': (target) =>
    repeat(target, () =>
      ask(target, '/graphql', `{"query":"{ __typename }","variables":{"x":["${'\\u0041'.repeat(80_000)}"]}}`),
    ),
  'public question pages': (target, index) =>
    repeat(target, (round) => ask(target, `/question/${idOf(target, index * 1_000 + round)}`)),
  'incomplete bodies': incomplete(POST(500_000), 500_000),
  'incomplete uploads': incomplete(
    'PUT /upload/00000000-0000-4000-8000-000000000000.webp?expires=9999999999&signature=none HTTP/1.1\r\nHost: bench\r\nContent-Type: image/png\r\nContent-Length: 10000000\r\n\r\n',
    10_000_000,
  ),
  'slow headers': (target) =>
    repeat(target, async () => {
      const socket = open(target);
      socket.write('GET / HTTP/1.1\r\nX-Slow: ');
      while (!target.isOver() && !socket.destroyed) {
        socket.write('x');
        await delay(SLOW_BYTE_MS);
      }
      socket.destroy();
    }),
  'sockets with fifty subscriptions': (target, index) => repeat(target, () => subscribeAll(target, index)),
} as const satisfies Readonly<Record<string, Attack>>;

export type PressureKind = keyof typeof ATTACKS;
export const PRESSURE_KINDS = Object.keys(ATTACKS) as PressureKind[];

function idOf({ questionIds }: Target, index: number): string {
  const id = questionIds[index % questionIds.length];
  if (id === undefined) throw new Error('there are no questions');
  return id;
}

async function subscribeAll(target: Target, index: number): Promise<void> {
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.on('open', () => socket.send('{"type":"connection_init"}'));
  socket.once('message', () => {
    for (let n = 0; n < SUBSCRIPTIONS_PER_SOCKET; n++) {
      const variables = { questionId: idOf(target, index * 100 + n) };
      const payload = { ...webOperation('QuestionUpdated'), query: '', variables };
      socket.send(JSON.stringify({ type: 'subscribe', id: String(n), payload }));
    }
  });
  while (!target.isOver() && socket.readyState !== WebSocket.CLOSED)
    await Promise.race([closed, delay(REST_MS)]);
  socket.terminate();
}

/** A separate process, so that the attack does not slow down the measurement. Starts and stops on messages from its parent. */
if (process.send) {
  let isOver = false;
  process.on('message', (message: PressurePlan | 'stop') => {
    if (message === 'stop') {
      isOver = true;
      return;
    }
    const { url, kinds, questionIds } = message;
    const target: Target = { url, questionIds, agent: new Agent({ keepAlive: true }), isOver: () => isOver };
    const all = Array.from({ length: ATTACKERS }, (_, index) => {
      const kind = kinds[index % kinds.length];
      return kind === undefined ? Promise.resolve() : ATTACKS[kind](target, index);
    });
    process.send?.('started');
    void Promise.all(all).then(() => process.exit(0));
  });
}
