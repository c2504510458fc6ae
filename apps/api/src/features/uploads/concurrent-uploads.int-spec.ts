import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import type { MessageSubscription, Messages } from '../../platform/pubsub/messages.js';
import { UploadCompletions, UploadSlots } from './upload-slots.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** In-process messages. */
function newMessages() {
  const listeners: MessageSubscription[] = [];
  const messages = {
    publish: (_channel: string, key: string) => {
      for (const { onMessage } of listeners) onMessage(key);
      return Promise.resolve();
    },
    subscribe: (_channel: string, listener: MessageSubscription) => {
      listeners.push(listener);
      return Promise.resolve(() => undefined);
    },
  };
  return messages as unknown as Messages;
}

describe('concurrent uploads of the same bytes', () => {
  const [same, other] = [Buffer.from('same'), Buffer.from('other')];

  it('keep the slot for these bytes until both have failed', async () => {
    const slots = new UploadSlots(database.pool(), newMessages(), { signingKey: randomBytes(32) });
    const { key } = await slots.open(randomUUID());
    expect(await slots.claim(key, same)).toMatchObject({ status: 'received' });
    expect(await slots.claim(key, same)).toMatchObject({ status: 'received' });
    await slots.release(key);
    expect(await slots.claim(key, other)).toBeUndefined();
    await slots.release(key);
    expect(await slots.claim(key, other)).toMatchObject({ status: 'received' });
  });

  it('are both notified of the end', async () => {
    const messages = newMessages();
    const ends = new UploadCompletions(messages);
    await ends.onModuleInit();
    const waiting = [ends.waitFor('key', 60_000), ends.waitFor('key', 60_000)];
    await messages.publish('channel', 'key');
    await expect(Promise.all(waiting)).resolves.toHaveLength(2);
  });
});
