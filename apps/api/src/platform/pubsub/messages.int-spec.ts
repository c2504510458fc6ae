import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { TestRedis } from '../../../../../test/redis.js';
import type { Messages } from './messages.js';
import { PostgresMessages } from './postgres-messages.js';
import { RedisMessages } from './redis-messages.js';

/** What carries the messages, and how its connections are lost. */
interface Carrier {
  readonly connect: () => Messages;
  readonly cutOff: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const unexpected = (fault: unknown): never => {
  throw new Error('a listener failed', { cause: fault });
};

async function onPostgres(): Promise<Carrier> {
  const database: TestDatabase = await createTestDatabase();
  return {
    connect: () =>
      new PostgresMessages({ url: database.url, name: 'nimo test listener' }, database.pool(), unexpected),
    cutOff: () =>
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
    cutOff: () => redis.ask((client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    close: () => redis.stop(),
  };
}

const opened: Messages[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((messages) => messages.stop()));
});

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds();) {
    if (Date.now() > end) throw new Error('it did not come about in ten seconds');
    await delay(5);
  }
}

async function processOf(connect: () => Messages): Promise<Messages> {
  const messages = connect();
  opened.push(messages);
  await messages.start();
  await until(() => messages.isConnected);
  return messages;
}

/** What a process heard on a channel; gaps among the messages. */
async function hearing(messages: Messages, channel: string): Promise<string[]> {
  const heard: string[] = [];
  await messages.subscribe(channel, {
    onMessage: (payload) => heard.push(payload),
    onGap: () => heard.push('GAP'),
  });
  return heard;
}

const newChannel = (): string => `nimo_${randomUUID()}`;

describe.each([
  ['PostgreSQL', onPostgres],
  ['Redis', onRedis],
] as const)('messages over %s', (_name, open) => {
  let carrier: Carrier;
  beforeAll(async () => {
    carrier = await open();
  }, 60_000);
  afterAll(() => carrier.close());

  it('reach every process, the teller included, in the order of the teller', async () => {
    const channel = newChannel();
    const processes = await Promise.all([1, 2, 3].map(() => processOf(carrier.connect)));
    const heard = await Promise.all(processes.map((messages) => hearing(messages, channel)));
    const told = Array.from({ length: 200 }, (_, n) => `message ${n} “ü:'$1”`);
    for (const payload of told) await processes[0]?.publish(channel, payload);
    await until(() => heard.every(({ length }) => length >= told.length));
    expect(heard).toEqual([told, told, told]);
  });

  it('reach those alone who listen to their channel', async () => {
    const channels = Array.from({ length: 40 }, newChannel);
    const [teller, listener] = [await processOf(carrier.connect), await processOf(carrier.connect)];
    const heard = await Promise.all(channels.map((channel) => hearing(listener, channel)));
    for (const channel of channels) await teller.publish(channel, channel);
    await until(() => heard.every(({ length }) => length > 0));
    expect(heard).toEqual(channels.map((channel) => [channel]));
  });

  it('reach nobody who ended the subscription, and all others of the channel', async () => {
    const channel = newChannel();
    const messages = await processOf(carrier.connect);
    const [ended, going]: [string[], string[]] = [[], []];
    const end = await messages.subscribe(channel, { onMessage: (payload) => ended.push(payload) });
    await messages.subscribe(channel, { onMessage: (payload) => going.push(payload) });
    end();
    await messages.publish(channel, 'after the end');
    await until(() => going.length === 1);
    expect([ended, going]).toEqual([[], ['after the end']]);
  });

  it('are trusted again only after a gap was told, when the connection was lost', async () => {
    const channel = newChannel();
    const [teller, listener] = [await processOf(carrier.connect), await processOf(carrier.connect)];
    const trustAtGap: boolean[] = [];
    await listener.subscribe(channel, {
      onMessage: () => undefined,
      onGap: () => trustAtGap.push(listener.isConnected),
    });
    const heard = await hearing(listener, channel);
    await teller.publish(channel, 'before');
    await until(() => heard.length === 1);
    await carrier.cutOff();
    await until(() => heard.includes('GAP') && listener.isConnected);
    await teller.publish(channel, 'afterwards');
    await until(() => heard.includes('afterwards'));
    expect(heard.filter((payload) => payload !== 'GAP')).toEqual(['before', 'afterwards']);
    expect(trustAtGap[0]).toBe(false);
  });

  it('reach a process that starts anew', async () => {
    const channel = newChannel();
    const teller = await processOf(carrier.connect);
    const former = await processOf(carrier.connect);
    await hearing(former, channel);
    await former.stop();
    expect(former.isConnected).toBe(false);
    await teller.publish(channel, 'while it was away');
    const heard = await hearing(await processOf(carrier.connect), channel);
    await teller.publish(channel, 'now');
    await until(() => heard.length > 0);
    expect(heard).toEqual(['now']);
  });
});

describe('while Redis is away', () => {
  it('nobody waits for it, and what could not be told is a gap for all when it is back', async () => {
    const redis = await TestRedis.start();
    const channel = newChannel();
    const connect = () => new RedisMessages(redis.url, unexpected);
    const [teller, listener] = [await processOf(connect), await processOf(connect)];
    const heard = await hearing(listener, channel);
    await redis.kill();
    await until(() => !listener.isConnected && !teller.isConnected);
    const before = performance.now();
    await teller.publish(channel, 'lost');
    expect(performance.now() - before).toBeLessThan(1_500);
    // One that starts meanwhile is not held up either, and is there when Redis is.
    const late = connect();
    opened.push(late);
    await late.start();
    const heardLate = await hearing(late, channel);
    await redis.comeBack();
    await until(() => [teller, listener, late].every(({ isConnected }) => isConnected));
    await until(() => heard.includes('GAP'));
    await teller.publish(channel, 'told');
    await until(() => heard.includes('told') && heardLate.includes('told'));
    expect(heard).not.toContain('lost');
    await Promise.all(opened.splice(0).map((messages) => messages.stop()));
    await redis.stop();
  });

  it('a listener that was connected all the time hears of the gap of a teller that was not', async () => {
    const redis = await TestRedis.start();
    const channel = newChannel();
    const connect = () => new RedisMessages(redis.url, unexpected);
    const [teller, listener] = [await processOf(connect), await processOf(connect)];
    const heard = await hearing(listener, channel);
    // The server refuses the teller alone: what it says is lost, and then it is let in again.
    await redis.ask((client) => client.acl('SETUSER', 'default', '-publish'));
    await teller.publish(channel, 'refused');
    await redis.ask((client) => client.acl('SETUSER', 'default', '+publish'));
    await redis.ask((client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal'));
    await until(() => heard.includes('GAP'));
    expect(listener.isConnected).toBe(true);
    expect(heard).not.toContain('refused');
    await Promise.all(opened.splice(0).map((messages) => messages.stop()));
    await redis.stop();
  });
});

describe('the connection that listens', () => {
  it('rests before it is made again, though each was ended at once', async () => {
    const carrier = await onPostgres();
    const messages = carrier.connect();
    let ended = 0;
    try {
      await messages.start();
      for (let round = 0; round < 150; round += 1) {
        const result = (await carrier.cutOff()) as { readonly rowCount: number | null };
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
