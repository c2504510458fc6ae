import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { RedisMessages } from './redis-messages.js';
import {
  hearing,
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

describe('while Redis is away', () => {
  const connect = () => new RedisMessages(redis.url, unexpected);

  it('nobody waits for it, and what could not be told is a gap for all when it is back', async () => {
    const channel = newChannel();
    const [teller, listener] = [await processes.connected(connect()), await processes.connected(connect())];
    const heard = await hearing(listener, channel);
    await redis.kill();
    await eventually(() => !listener.isConnected && !teller.isConnected);
    await teller.publish(channel, 'lost');
    // One that starts meanwhile is not held up either, and is there when Redis is.
    const late = connect();
    await processes.start(late);
    const heardLate = await hearing(late, channel);
    await redis.comeBack();
    await eventually(() => [teller, listener, late].every(({ isConnected }) => isConnected));
    await eventually(() => heard.includes('GAP'));
    await teller.publish(channel, 'told');
    await eventually(() => heard.includes('told') && heardLate.includes('told'));
    expect(heard).not.toContain('lost');
  });

  it('a listener that was connected all the time hears of the gap of a teller that was not', async () => {
    const channel = newChannel();
    const [teller, listener] = [await processes.connected(connect()), await processes.connected(connect())];
    const heard = await hearing(listener, channel);
    // The server refuses the teller alone: what it says is lost, and then it is let in again.
    await redis.ask((client) => client.acl('SETUSER', 'default', '-publish'));
    await teller.publish(channel, 'refused');
    await redis.ask((client) => client.acl('SETUSER', 'default', '+publish'));
    await redis.ask((client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal'));
    await eventually(() => heard.includes('GAP'));
    expect(listener.isConnected).toBe(true);
    expect(heard).not.toContain('refused');
  });
});
