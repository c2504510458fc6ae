import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { FairPool } from './fair-pool.js';

/** As much of a connection as a pool looks at. */
class Connection extends EventEmitter {
  readonly _queryable = true;
  connect(done: (error?: Error) => void): void {
    setImmediate(done);
  }
  end(done?: () => void): void {
    done?.();
  }
}

class BrokenConnection extends Connection {
  override connect(done: (error?: Error) => void): void {
    setImmediate(done, new Error('refused'));
  }
}

const request = new AsyncLocalStorage<object>();
const [ADA, BEN, EVE] = [{ name: 'ada' }, { name: 'ben' }, { name: 'eve' }];

function poolOf(max: number, Client: typeof Connection = Connection, options: pg.PoolConfig = {}): FairPool {
  // Not a whole client, which would need a server.
  const given = { max, Client, idleTimeoutMillis: 0, ...options } as unknown as pg.PoolConfig;
  return new FairPool(given, () => request.getStore());
}

/** Takes connections for requests and tells in which order they came. */
function takersOf(pool: FairPool) {
  const order: (object | undefined)[] = [];
  const clients: pg.PoolClient[] = [];
  const take = (who: object, times = 1): void => {
    for (let time = 0; time < times; time += 1) {
      void request.run(who, async () => {
        clients.push(await pool.connect());
        order.push(request.getStore());
      });
    }
  };
  const giveBack = async (): Promise<void> => {
    clients.shift()?.release();
    await turn();
    await turn();
  };
  return { order, take, giveBack };
}

const settled = async (): Promise<void> => {
  for (let time = 0; time < 5; time += 1) await turn();
};

describe('connections to the database', () => {
  afterEach(() => void jest.useRealTimers());

  it('are not all for one request', async () => {
    const pool = poolOf(4);
    const { order, take } = takersOf(pool);
    take(ADA, 10);
    await settled();
    expect(order).toEqual([ADA, ADA]);
    take(BEN);
    await settled();
    expect(order).toEqual([ADA, ADA, BEN]);
    expect([pool.totalCount, pool.queued]).toEqual([3, 8]);
  });

  it('go to those who wait in turn', async () => {
    const pool = poolOf(2);
    const { order, take, giveBack } = takersOf(pool);
    take(ADA, 4);
    take(BEN, 2);
    take(EVE);
    await settled();
    for (let time = 0; time < 6; time += 1) await giveBack();
    expect(order).toEqual([ADA, ADA, ADA, BEN, EVE, ADA, BEN]);
    expect(pool.queued).toBe(0);
  });

  it('are taken for no request by whoever comes first', async () => {
    const pool = poolOf(2);
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    const third = pool.connect();
    clients[0].release();
    await expect(third).resolves.toBe(clients[0]);
  });

  it('are given back when they could not be opened', async () => {
    const pool = poolOf(2, BrokenConnection);
    for (let time = 0; time < 5; time += 1) await expect(pool.connect()).rejects.toThrow('refused');
  });

  it('are given back when they broke', async () => {
    const pool = poolOf(2);
    for (let time = 0; time < 5; time += 1) (await pool.connect()).release(new Error('broken'));
    expect(pool.queued).toBe(0);
  });

  it('are not waited for without an end', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const pool = poolOf(2, Connection, { connectionTimeoutMillis: 1_000 });
    const { take } = takersOf(pool);
    take(ADA, 2);
    await settled();
    const refused = pool.connect();
    jest.advanceTimersByTime(1_001);
    await expect(refused).rejects.toThrow('timeout exceeded when trying to connect');
    expect(pool.queued).toBe(0);
  });
});
