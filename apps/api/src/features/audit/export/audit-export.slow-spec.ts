import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { eventually } from '@nimo/testing';
import { appendInvalidations, openExport } from './testing/invalidated-votes.fixture.js';

const CASES = 50;
const VOTES_A_CASE = 1_000;
/** Part of every line, for a file of over 100 MB: socket buffers alone can hold 37 MB of it. */
const REASON = 'x'.repeat(2_000);
const READ_AHEAD = (CASES * VOTES_A_CASE) / 2;

let app: TestApp;
let community: Community;
let moderator: SignedUpStudent;
let rowsRead = 0;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 1);
  const { spaceId } = community;
  moderator = await app.signUp();
  await app.grantRole(moderator.studentId, 'MODERATOR', spaceId);
  await appendInvalidations(app, {
    ...{ spaceId, moderatorId: moderator.studentId },
    ...{ cases: CASES, votesEach: VOTES_A_CASE, reason: REASON },
  });
  countRows();
});
afterAll(() => app.close());

function countRows(): void {
  const pool = app.api.get(Pool, { strict: false });
  const query = pool.query.bind(pool) as (
    ...args: unknown[]
  ) => Promise<{ readonly rows: readonly unknown[] }>;
  Object.assign(pool, {
    query: async (...args: unknown[]) => {
      const result = await query(...args);
      rowsRead += result.rows.length;
      return result;
    },
  });
}

const open = (file: string, { token } = moderator) => openExport(app, file, token);
const ofSpace = (): string => `space=${community.spaceId}`;

/** The server reads no more rows: as many as before after a round of other work. */
async function untilItRests(): Promise<number> {
  let before = -1;
  return eventually(
    async () => {
      const now = rowsRead;
      for (let round = 0; round < 20; round += 1) await app.pool.query('select 1');
      const rests = now === rowsRead && before === now ? now : -1;
      before = now;
      return rests;
    },
    (resting) => resting > 0,
  );
}

describe('a large export of the audit', () => {
  it('waits for a slow reader, and is whole in the end', async () => {
    rowsRead = 0;
    const response = await open(`export.ndjson?${ofSpace()}&kinds=VotesInvalidated`);
    response.pause();
    const read = await untilItRests();
    expect(read).toBeLessThan(READ_AHEAD);
    const whole = await text(response);
    expect(whole.trimEnd().split('\n')).toHaveLength(CASES * VOTES_A_CASE);
  });

  it('ends with the reader', async () => {
    rowsRead = 0;
    const response = await open(`export.csv?${ofSpace()}`);
    response.pause();
    await untilItRests();
    response.destroy();
    // The running statement may still finish.
    expect(await untilItRests()).toBeLessThan(READ_AHEAD);
  });

  it('ends when the role does', async () => {
    const other = await app.signUp();
    await app.grantRole(other.studentId, 'MODERATOR', community.spaceId);
    const response = await open(`export.ndjson?${ofSpace()}`, other);
    response.pause();
    await untilItRests();
    await app.graphql('mutation { logout { flag } }', {}, other.token);
    await expect(text(response)).rejects.toThrow();
  });
});
