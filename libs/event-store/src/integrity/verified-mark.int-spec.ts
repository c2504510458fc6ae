import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { signingKeyOf } from './signed-head.js';
import { ChainedLog } from './testing/chained-log.js';
import { keepMark, leadVerification } from './verified-mark.js';

describe('the lease of whoever verifies the log', () => {
  let log: ChainedLog;
  beforeEach(async () => {
    log = await ChainedLog.create();
  });
  afterEach(() => log.drop());

  const lead = () => leadVerification(log.pool, randomUUID(), [signingKeyOf(randomBytes(32))]);

  it('is for one at a time', async () => {
    expect(await lead()).toEqual({ kind: 'none' });
    expect(await lead()).toBeUndefined();
  });

  it('that a clock gave which was set back since is taken', async () => {
    await lead();
    await log.tamper(`update state.log_verification set expires_at = clock_timestamp() + interval '1 hour'`);
    expect(await lead()).toEqual({ kind: 'none' });
  });

  it('that ran out in a long step lets it keep what it found, unless another took it', async () => {
    const owner = randomUUID();
    const key = signingKeyOf(randomBytes(32));
    const at = new Date(0).toISOString();
    const place = { ordinal: 0, head: '', position: null };
    const said = { at, tail: place, round: { ...place, startedAt: at }, whole: null };
    await leadVerification(log.pool, owner, [key]);
    await log.tamper(`update state.log_verification set expires_at = clock_timestamp() - interval '1 hour'`);
    expect(await keepMark(log.pool, owner, said, key)).toBe(true);
    await log.tamper(`update state.log_verification set expires_at = clock_timestamp() - interval '1 hour'`);
    await lead();
    expect(await keepMark(log.pool, owner, said, key)).toBe(false);
  });
});
