import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { signingKeyOf } from './signed-head.js';
import { ChainedLog } from './testing/chained-log.js';
import { saveMark, acquireVerificationLease } from './verified-mark.js';

describe('the verification lease', () => {
  let log: ChainedLog;
  beforeEach(async () => {
    log = await ChainedLog.create();
  });
  afterEach(() => log.drop());

  const acquire = () => acquireVerificationLease(log.pool, randomUUID(), [signingKeyOf(randomBytes(32))]);

  it('has one holder at a time', async () => {
    expect(await acquire()).toEqual({ kind: 'none' });
    expect(await acquire()).toBeUndefined();
  });

  it('can be acquired if the clock has been set back since', async () => {
    await acquire();
    await log.tamper(`update state.log_verification set expires_at = clock_timestamp() + interval '1 hour'`);
    expect(await acquire()).toEqual({ kind: 'none' });
  });

  it('lets its holder save the mark after it expired, unless another process acquired it', async () => {
    const owner = randomUUID();
    const key = signingKeyOf(randomBytes(32));
    const at = new Date(0).toISOString();
    const place = { ordinal: 0, head: '', position: null };
    const progress = { at, tail: place, round: { ...place, startedAt: at }, whole: null };
    await acquireVerificationLease(log.pool, owner, [key]);
    await log.tamper(`update state.log_verification set expires_at = clock_timestamp() - interval '1 hour'`);
    expect(await saveMark(log.pool, owner, progress, key)).toBe(true);
    await log.tamper(`update state.log_verification set expires_at = clock_timestamp() - interval '1 hour'`);
    await acquire();
    expect(await saveMark(log.pool, owner, progress, key)).toBe(false);
  });
});
