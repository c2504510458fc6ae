import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bootApp, type TestApp } from '../../../../../test/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({ NODE_ENV: 'production' });
}, 60_000);
afterAll(() => app.close());

const addressOf = (path: string): string => `${app.url.replace('http', 'ws')}${path}`;

/** The errors that a client gets who asks this over a socket. */
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
      'more than one at once',
      'subscription { a: questionUpdated(questionId: "x") { ordinal } b: questionUpdated(questionId: "y") { ordinal } }',
    ],
    ['endless tokens', `subscription { ${'a '.repeat(5_000)} }`],
    ['nonsense', 'subscription {'],
    ['what is no id', 'subscription { questionUpdated(questionId: "no id") { ordinal } }'],
  ])('does not answer %s', async (_, query) => {
    const errors = await errorsOf(query);
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ extensions: expect.objectContaining({ code: 'VALIDATION_FAILED' }) }),
      ]),
    );
    expect(JSON.stringify(errors)).not.toMatch(/stack|node_modules/);
  });

  it('gives no hint at what else there is', async () => {
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

  it('takes no message that is too large', async () => {
    const socket = new WebSocket(addressOf('/graphql'), 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.on('open', () => socket.send('x'.repeat(1_000_000)));
    expect(await closed).toBe(1009);
  });
});
