import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { TestRedis } from '../../../../../test/servers/redis.js';
import type { Messages } from './messages.js';
import { PostgresMessages } from './postgres-messages.js';
import { RedisMessages } from './redis-messages.js';
import {
  recordMessages,
  ListeningProcesses,
  newChannel,
  unexpected,
} from './testing/listening-processes.fixture.js';

/** A message transport whose connections can be cut. */
interface Carrier {
  readonly connect: () => Messages;
  readonly cutConnections: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function onPostgres(): Promise<Carrier> {
  const database: TestDatabase = await createTestDatabase();
  return {
    connect: () =>
      new PostgresMessages({ url: database.url, name: 'nimo test listener' }, database.pool(), unexpected),
    cutConnections: () =>
      database.pool().query(
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'nimo test listener'`,
      ),
    close: () => database.drop(),
  };
}

async function onRedis(): Promise<Carrier> {
  const redis = await TestRedis.start();
  return {
    connect: () => new RedisMessages(redis.url, unexpected),
    cutConnections: () => redis.ask((client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    close: () => redis.stop(),
  };
}

const processes = new ListeningProcesses();
afterEach(() => processes.stop());

describe.each([
  ['PostgreSQL', onPostgres],
  ['Redis', onRedis],
] as const)('messages over %s', (_name, open) => {
  let carrier: Carrier;
  beforeAll(async () => {
    carrier = await open();
  });
  afterAll(() => carrier.close());

  it('reach every process including the publisher, in order', async () => {
    const channel = newChannel();
    const three = await Promise.all([1, 2, 3].map(() => processes.connected(carrier.connect())));
    const heard = await Promise.all(three.map((messages) => recordMessages(messages, channel)));
    const sent = Array.from({ length: 200 }, (_, n) => `message ${n} “ü:'$1”`);
    for (const payload of sent) await three[0]?.publish(channel, payload);
    await eventually(() => heard.every(({ length }) => length >= sent.length));
    expect(heard).toEqual([sent, sent, sent]);
  });

  it('reach only subscribers of their channel', async () => {
    const channels = Array.from({ length: 40 }, newChannel);
    const [teller, listener] = [
      await processes.connected(carrier.connect()),
      await processes.connected(carrier.connect()),
    ];
    const heard = await Promise.all(channels.map((channel) => recordMessages(listener, channel)));
    for (const channel of channels) await teller.publish(channel, channel);
    await eventually(() => heard.every(({ length }) => length > 0));
    expect(heard).toEqual(channels.map((channel) => [channel]));
  });

  it('do not reach ended subscriptions', async () => {
    const channel = newChannel();
    const messages = await processes.connected(carrier.connect());
    const [ended, going]: [string[], string[]] = [[], []];
    const end = await messages.subscribe(channel, { onMessage: (payload) => ended.push(payload) });
    await messages.subscribe(channel, { onMessage: (payload) => going.push(payload) });
    end();
    await messages.publish(channel, 'after the end');
    await eventually(() => going.length === 1);
    expect([ended, going]).toEqual([[], ['after the end']]);
  });

  it('report a gap before the connection counts as restored', async () => {
    const channel = newChannel();
    const [teller, listener] = [
      await processes.connected(carrier.connect()),
      await processes.connected(carrier.connect()),
    ];
    const trustAtGap: boolean[] = [];
    await listener.subscribe(channel, {
      onMessage: () => undefined,
      onGap: () => trustAtGap.push(listener.isConnected),
    });
    const heard = await recordMessages(listener, channel);
    await teller.publish(channel, 'before');
    await eventually(() => heard.length === 1);
    await carrier.cutConnections();
    await eventually(() => heard.includes('GAP') && listener.isConnected);
    await teller.publish(channel, 'afterwards');
    await eventually(() => heard.includes('afterwards'));
    expect(heard.filter((payload) => payload !== 'GAP')).toEqual(['before', 'afterwards']);
    expect(trustAtGap[0]).toBe(false);
  });

  it('reach a restarted process', async () => {
    const channel = newChannel();
    const teller = await processes.connected(carrier.connect());
    const former = await processes.connected(carrier.connect());
    await recordMessages(former, channel);
    await former.stop();
    expect(former.isConnected).toBe(false);
    await teller.publish(channel, 'while it was away');
    const heard = await recordMessages(await processes.connected(carrier.connect()), channel);
    await teller.publish(channel, 'now');
    await eventually(() => heard.length > 0);
    expect(heard).toEqual(['now']);
  });
});

describe('the listening connection', () => {
  it('backs off when it is terminated repeatedly', async () => {
    const carrier = await onPostgres();
    const messages = carrier.connect();
    let ended = 0;
    try {
      await messages.start();
      for (let round = 0; round < 150; round += 1) {
        const result = (await carrier.cutConnections()) as { readonly rowCount: number | null };
        ended += result.rowCount ?? 0;
      }
    } finally {
      await messages.stop();
      await carrier.close();
    }
    expect(ended).toBeGreaterThan(0);
    expect(ended).toBeLessThan(30);
  });
});
