import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { RedisMessages } from './redis-messages.js';
import {
  recordMessages,
  ListeningProcesses,
  newChannel,
  unexpected,
} from './testing/listening-processes.fixture.js';

const processes = new ListeningProcesses();
let redis: TestRedis;
beforeEach(async () => {
  redis = await TestRedis.start();
});
afterEach(async () => {
  await processes.stop();
  await redis.stop();
});

describe('while Redis is down', () => {
  const connect = () => new RedisMessages(redis.url, unexpected);

  it('publishing does not block, and lost messages become a gap for all afterwards', async () => {
    const channel = newChannel();
    const [teller, listener] = [await processes.connected(connect()), await processes.connected(connect())];
    const heard = await recordMessages(listener, channel);
    await redis.kill();
    await eventually(() => !listener.isConnected && !teller.isConnected);
    await teller.publish(channel, 'lost');
    // A process that starts meanwhile is not blocked and connects later.
    const late = connect();
    await processes.start(late);
    const heardLate = await recordMessages(late, channel);
    await redis.restart();
    await eventually(() => [teller, listener, late].every(({ isConnected }) => isConnected));
    await eventually(() => heard.includes('GAP'));
    await teller.publish(channel, 'received');
    await eventually(() => heard.includes('received') && heardLate.includes('received'));
    expect(heard).not.toContain('lost');
  });

  it('a connected listener is notified of the gap of a disconnected publisher', async () => {
    const channel = newChannel();
    const [teller, listener] = [await processes.connected(connect()), await processes.connected(connect())];
    const heard = await recordMessages(listener, channel);
    // The server rejects publishing for a while, then accepts it again.
    await redis.ask((client) => client.acl('SETUSER', 'default', '-publish'));
    await teller.publish(channel, 'refused');
    await redis.ask((client) => client.acl('SETUSER', 'default', '+publish'));
    await redis.ask((client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal'));
    await eventually(() => heard.includes('GAP'));
    expect(listener.isConnected).toBe(true);
    expect(heard).not.toContain('refused');
  });
});
