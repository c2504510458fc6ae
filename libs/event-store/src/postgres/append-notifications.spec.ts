import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { AppendNotifier } from './append-notifications.js';

function manualResponse() {
  let succeed!: (value: unknown) => void; // assigned by the promise
  let fail!: (error: Error) => void; // likewise
  const promise = new Promise<unknown>((resolve, reject) => ([succeed, fail] = [resolve, reject]));
  return { promise, resolve: succeed, reject: fail };
}

/** A connection whose responses the test controls. */
class Connection {
  /** Arguments of `release`: whether the connection is broken. */
  readonly released: (boolean | Error | undefined)[] = [];
  readonly notified = manualResponse();
  readonly appended = manualResponse();

  readonly client = {
    on: () => this.client,
    off: () => this.client,
    query: () => this.notified.promise,
    release: (broken?: boolean | Error) => void this.released.push(broken),
  } as unknown as PoolClient;
}

const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('AppendNotifier', () => {
  let notifier: AppendNotifier;
  let connection: Connection;

  beforeEach(() => {
    notifier = new AppendNotifier();
    connection = new Connection();
    notifier.notify(connection.client, connection.appended.promise, 1_000);
  });

  it('releases the connection and becomes idle after both responses', async () => {
    let isIdle = false;
    const idle = notifier.idle().then(() => (isIdle = true));
    connection.appended.resolve([]);
    await settled();
    expect([isIdle, connection.released]).toEqual([false, []]);
    connection.notified.resolve([]);
    await idle;
    expect(connection.released).toEqual([false]);
  });

  it.each(['notified', 'appended'] as const)('discards the connection if %s fails', async (failing) => {
    connection[failing].reject(new Error('away'));
    const idle = notifier.idle();
    connection.appended.resolve([]);
    connection.notified.resolve([]);
    await idle;
    expect(connection.released).toEqual([true]);
  });
});
