import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { Doorbell } from './append-notifications.js';

function answerByHand() {
  let answer!: (value: unknown) => void; // assigned as the promise is made
  let fail!: (error: Error) => void; // likewise
  const promise = new Promise<unknown>((resolve, reject) => ([answer, fail] = [resolve, reject]));
  return { promise, resolve: answer, reject: fail };
}

/** A connection whose answers are given by hand. */
class Connection {
  /** Whether it was given back as broken. */
  readonly released: (boolean | Error | undefined)[] = [];
  readonly rung = answerByHand();
  readonly appended = answerByHand();

  readonly client = {
    on: () => this.client,
    off: () => this.client,
    query: () => this.rung.promise,
    release: (broken?: boolean | Error) => void this.released.push(broken),
  } as unknown as PoolClient;
}

const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('the doorbell', () => {
  let bell: Doorbell;
  let connection: Connection;

  beforeEach(() => {
    bell = new Doorbell();
    connection = new Connection();
    bell.ring(connection.client, connection.appended.promise, 1_000);
  });

  it('gives the connection back when both were answered, and is idle then', async () => {
    let isIdle = false;
    const idle = bell.idle().then(() => (isIdle = true));
    connection.appended.resolve([]);
    await settled();
    expect([isIdle, connection.released]).toEqual([false, []]);
    connection.rung.resolve([]);
    await idle;
    expect(connection.released).toEqual([false]);
  });

  it.each(['rung', 'appended'] as const)('uses a connection no more on which %s failed', async (failing) => {
    connection[failing].reject(new Error('away'));
    const idle = bell.idle();
    connection.appended.resolve([]);
    connection.rung.resolve([]);
    await idle;
    expect(connection.released).toEqual([true]);
  });
});
