import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bootApp, type TestApp } from '../../../../../../test/app.js';
import { eventually } from '@nimo/testing';
import { SocketGate } from './socket-gate.js';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({ NODE_ENV: 'production' });
});
afterAll(() => app.close());

const addressOf = (path: string): string => `${app.url.replace('http', 'ws')}${path}`;

/** The errors a client receives for a query over a socket. */
async function errorsOf(query: string): Promise<unknown> {
  const client = createClient({ url: addressOf('/graphql'), webSocketImpl: WebSocket, retryAttempts: 0 });
  try {
    return await new Promise((resolve) => {
      client.subscribe(
        { query },
        { next: ({ errors }) => resolve(errors), error: resolve, complete: () => resolve('complete') },
      );
    });
  } finally {
    await client.dispose();
  }
}

describe('a socket', () => {
  it.each([
    ['a query', '{ getAvatars { category } }'],
    ['a mutation', 'mutation { logout { flag } }'],
    [
      'the schema',
      'subscription { questionUpdated(questionId: "x") { __typename } } query Q { __schema { types { name } } }',
    ],
    [
      'more than one root field',
      'subscription { a: questionUpdated(questionId: "x") { ordinal } b: questionUpdated(questionId: "y") { ordinal } }',
    ],
    ['too many tokens', `subscription { ${'a '.repeat(5_000)} }`],
    ['invalid syntax', 'subscription {'],
    ['a malformed id', 'subscription { questionUpdated(questionId: "no id") { ordinal } }'],
  ])('rejects %s', async (_, query) => {
    const errors = await errorsOf(query);
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ extensions: expect.objectContaining({ code: 'VALIDATION_FAILED' }) }),
      ]),
    );
    expect(JSON.stringify(errors)).not.toMatch(/stack|node_modules/);
  });

  it.each([
    ['many lines', `${'\n'.repeat(2_000)}subscription { a }`, 'QUERY_TOO_LONG'],
    ['many tokens', `subscription { ${'a '.repeat(1_000)} }`, 'QUERY_TOO_LONG'],
    [
      'many aliases',
      `subscription { questionUpdated(questionId: "x") { ${Array.from('abcdef', (name) => `${name}: ordinal`).join(' ')} } }`,
      'QUERY_TOO_WIDE',
    ],
  ])('rejects a document with %s', async (_, query, rule) => {
    expect(await errorsOf(query)).toEqual([
      expect.objectContaining({ extensions: { code: 'VALIDATION_FAILED', rule } }),
    ]);
  });

  it('does not suggest other fields', async () => {
    const errors = JSON.stringify([
      await errorsOf('subscription { moderationChange { postId } }'),
      await errorsOf('subscription { questionUpdated(questionIds: "x") { ordinals } }'),
    ]);
    expect(errors).toContain('moderationChange');
    expect(errors).not.toMatch(/Did you mean|moderationChanged|notificationArrived/);
  });

  it.each([
    ['another path', '/elsewhere', ['graphql-transport-ws']],
    ['another protocol', '/graphql', ['mqtt']],
  ])('is not opened for %s', async (_, path, protocols) => {
    const socket = new WebSocket(addressOf(path), protocols);
    const outcome = await new Promise((resolve) => {
      socket.on('close', (code) => resolve(code));
      socket.on('error', () => resolve('error'));
    });
    expect(outcome).not.toBe('open');
    socket.terminate();
  });

  it.each([
    ['a page of another site', 'https://elsewhere.example', 403],
    ['a page of opaque origin', 'null', 403],
    ['a page of the public URL', 'https://nimo.example', 101],
  ])('from %s (%j) gets %i', async (_, origin, status) => {
    const socket = new WebSocket(addressOf('/graphql'), 'graphql-transport-ws', { origin });
    const answered = new Promise<number | undefined>((resolve) => {
      socket.on('upgrade', ({ statusCode }) => resolve(statusCode));
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
    });
    socket.on('error', () => undefined);
    expect(await answered).toBe(status);
    socket.terminate();
  });

  it.each(['//', '', '*', 'http://[', '\\\\', '/%', 'ws://:/'])(
    'with the path %j is closed, and the server keeps running',
    async (path) => {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined).on('data', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      await closed;
      expect((await app.http().get('/health/live')).status).toBe(200);
    },
  );

  it.each(['connection_ack', 'next', 'error'])(
    'that sends a server message is closed without log output: %s',
    async (type) => {
      const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      const socket = new WebSocket(addressOf('/graphql'), 'graphql-transport-ws');
      const closed = new Promise<number>((resolve) => socket.on('close', resolve));
      socket.on('error', () => undefined);
      socket.on('open', () => socket.send(JSON.stringify({ type, id: '1', payload: [] })));
      expect(await closed).toBe(4400);
      expect(printed).not.toHaveBeenCalled();
      printed.mockRestore();
    },
  );

  it('handles one message per event loop turn', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const turns: number[] = [];
    const asked = jest
      .spyOn(app.api.get(SocketGate, { strict: false }), 'refusalOf')
      .mockImplementation(() => void turns.push(turn));
    const socket = new WebSocket(addressOf('/graphql'), 'graphql-transport-ws');
    try {
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      await once(socket, 'message');
      for (let id = 0; id < 20; id += 1)
        socket.send(JSON.stringify({ type: 'subscribe', id: `${id}`, payload: { query: '{ __typename }' } }));
      await eventually(() => turns.length === 20);
      expect(turns).toEqual([...new Set(turns)]);
    } finally {
      clearImmediate(next);
      asked.mockRestore();
      socket.terminate();
    }
  });

  it('recounts its subscriptions when one ends', async () => {
    const counted = jest.spyOn(app.api.get(SocketGate, { strict: false }), 'count');
    const socket = new WebSocket(addressOf('/graphql'), 'graphql-transport-ws');
    const query = `subscription { questionUpdated(questionId: "${randomUUID()}") { sequence } }`;
    try {
      await once(socket, 'open');
      socket.send('{"type":"connection_init"}');
      await once(socket, 'message');
      socket.send(JSON.stringify({ type: 'subscribe', id: 's', payload: { query } }));
      await once(socket, 'message');
      expect(Object.keys(counted.mock.lastCall?.[0].subscriptions ?? {})).toEqual(['s']);
      counted.mockClear();
      socket.send('{"type":"complete","id":"s"}');
      await eventually(() => counted.mock.lastCall !== undefined);
      expect(counted.mock.lastCall?.[0].subscriptions).toEqual({});
    } finally {
      counted.mockRestore();
      socket.terminate();
    }
  });

  it('is closed after a message that is too large', async () => {
    const socket = new WebSocket(addressOf('/graphql'), 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.on('open', () => socket.send('x'.repeat(1_000_000)));
    expect(await closed).toBe(1009);
  });
});
