import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { Metrics } from '../operations/metrics.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { LoginThrottle } from './login-throttle.js';
import { clientKey } from '../callers/client-address.js';

const clientOf = (n: number) => clientKey(`10.0.${n >> 8}.${n & 255}`);
const HOME = clientKey('192.0.2.1');

let database: TestDatabase;
let throttle: LoginThrottle;
beforeAll(async () => {
  database = await createTestDatabase();
  throttle = new LoginThrottle(database.pool(), new ClaimHasher(Buffer.alloc(32, 'h')), new Metrics('test'));
});
afterAll(() => database.drop());

/** @returns how many of the attempts, each from a different address, were admitted */
async function guessed(account: string, addresses: number): Promise<number> {
  let admitted = 0;
  for (let n = 0; n < addresses; n++) if (await throttle.tryAttempt(account, clientOf(n))) admitted += 1;
  return admitted;
}

describe('login attempts on one account', () => {
  it('are delayed after five from one address', async () => {
    const account = randomUUID();
    const tries = [];
    for (let n = 0; n < 8; n++) tries.push(await throttle.tryAttempt(account, HOME));
    expect(tries.filter(Boolean).length).toBeLessThanOrEqual(6);
    expect(tries.at(-1)).toBe(false);
  });

  it('are admitted when a concurrent one that began later was counted first', async () => {
    const account = randomUUID();
    const pool = database.pool();
    expect(await throttle.tryAttempt(account, HOME)).toBe(true);
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query(
        `select from state.login_attempt where retry_at > now() - interval '1 minute' for update`,
      );
      const trying = throttle.tryAttempt(account, HOME);
      await eventually(
        () =>
          pool.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into state.login_attempt%'`,
          ),
        ({ rowCount }) => rowCount !== 0,
      );
      await other.query('update state.login_attempt set retry_at = clock_timestamp()');
      await other.query('commit');
      expect(await trying).toBe(true);
    } finally {
      other.release();
    }
  });

  it('are limited across addresses', async () => {
    expect(await guessed(randomUUID(), 120)).toBeLessThanOrEqual(51);
  });

  it('are admitted from an address its owner used before, whatever strangers do', async () => {
    const account = randomUUID();
    await throttle.tryAttempt(account, HOME);
    await throttle.recordSuccess(account, HOME);
    await guessed(account, 80);
    expect(await throttle.tryAttempt(account, clientKey('192.0.2.99'))).toBe(false);
    expect(await throttle.tryAttempt(account.toUpperCase(), HOME)).toBe(true);
  });
});
