import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { eventually } from '@nimo/testing';
import { appendInvalidations, startExport } from './testing/invalidated-votes.fixture.js';

const CASES = 50;
const VOTES_PER_CASE = 1_000;
/** In every line, for a file of over 100 MB: socket buffers alone can hold 37 MB. */
const REASON = 'x'.repeat(2_000);
const MAX_ROWS_AHEAD = (CASES * VOTES_PER_CASE) / 2;

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
    ...{ cases: CASES, votesEach: VOTES_PER_CASE, reason: REASON },
  });
  countRows();
});
afterAll(() => app.close());

const textOf = (statement: unknown): string =>
  typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : '';

/** Counts rows of the audit only, because projections read with the same pool. */
function countRows(): void {
  const pool = app.api.get(Pool, { strict: false });
  const query = pool.query.bind(pool) as (
    ...args: unknown[]
  ) => Promise<{ readonly rows: readonly unknown[] }>;
  Object.assign(pool, {
    query: async (...args: unknown[]) => {
      const result = await query(...args);
      if (textOf(args[0]).includes('read.audit_entries')) rowsRead += result.rows.length;
      return result;
    },
  });
}

const open = (file: string, { token } = moderator) => startExport(app, file, token);
const ofSpace = (): string => `space=${community.spaceId}`;

/** Waits until the server stops reading rows. @returns the number of rows read */
async function untilIdle(): Promise<number> {
  let before = -1;
  return eventually(
    async () => {
      const now = rowsRead;
      for (let round = 0; round < 20; round += 1) await app.pool.query('select 1');
      const settled = now === rowsRead && before === now ? now : -1;
      before = now;
      return settled;
    },
    (settled) => settled > 0,
  );
}

describe('a large audit export', () => {
  it('waits for a slow client and arrives complete', async () => {
    rowsRead = 0;
    const response = await open(`export.ndjson?${ofSpace()}&kinds=VotesInvalidated`);
    response.pause();
    const read = await untilIdle();
    expect(read).toBeLessThan(MAX_ROWS_AHEAD);
    const whole = await text(response);
    expect(whole.trimEnd().split('\n')).toHaveLength(CASES * VOTES_PER_CASE + 1);
  });

  it('stops when the client disconnects', async () => {
    rowsRead = 0;
    const response = await open(`export.csv?${ofSpace()}`);
    response.pause();
    await untilIdle();
    response.destroy();
    // The running statement may still finish.
    expect(await untilIdle()).toBeLessThan(MAX_ROWS_AHEAD);
  });

  it('stops when the session ends', async () => {
    const other = await app.signUp();
    await app.grantRole(other.studentId, 'MODERATOR', community.spaceId);
    const response = await open(`export.ndjson?${ofSpace()}`, other);
    response.pause();
    await untilIdle();
    await app.graphql('mutation { logout { flag } }', {}, other.token);
    await expect(text(response)).rejects.toThrow();
  });
});
