import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type VoteData, caseDecider } from '@nimo/domain';
import type { EventStore, JsonObject } from '@nimo/event-store';
import { Pool } from 'pg';
import { bootApp, eventually, type TestApp } from '../../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { Participant } from '../../../../../../test/participant.js';
import { EVENT_STORE } from '../../../platform/runtime/tokens.js';

const CASES = 50;
const VOTES_A_CASE = 1_000;
/** What the sockets of both sides hold is not the server's memory, but it was read. */
const READ_AHEAD = 25;

let app: TestApp;
let community: Community;
let moderator: Participant;
let pages = 0;

beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 1);
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  moderator = new Participant(app, student, community);
  await invalidateMany();
  countPages();
}, 120_000);
afterAll(() => app.close());

/** Cases of as many votes as there may be, each vote a line. */
async function invalidateMany(): Promise<void> {
  const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
  const at = new Date().toISOString();
  for (let count = 0; count < CASES; count += 1) {
    const [id, caseId, postId] = [randomUUID(), randomUUID(), randomUUID()];
    const votes = Array.from({ length: VOTES_A_CASE }, (): VoteData => ({
      ...{ postType: 'ANSWER', postId, questionId: postId, spaceId: community.spaceId },
      ...{ postAuthorId: randomUUID(), voterId: randomUUID(), direction: 'UP', voterIsStandIn: false },
    }));
    const moderatorId = moderator.student.studentId;
    const data = { caseId, moderatorId, reason: '=cmd|"/c calc"!A1, "quoted"', votes };
    const metadata = {
      ...{ occurredAt: at, recordedAt: at, actor: { kind: 'student', id: moderatorId } },
      ...{ commandId: id, correlationId: id, causationId: id, schemaVersion: 1 },
    };
    const event = { id, type: 'VotesInvalidated', data: data as unknown as JsonObject, metadata };
    await store.append([
      { streamId: caseDecider.stream(caseId), expectedRevision: 'no-stream', events: [event] },
    ]);
    // Case by case: what is waited for is bounded whatever else the machine does.
    await eventually(
      () => app.pool.query('select 1 from read.audit_entries where case_id = $1', [caseId]),
      ({ rows }) => rows.length === VOTES_A_CASE,
    );
  }
}

function countPages(): void {
  const pool = app.api.get(Pool, { strict: false });
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      if (JSON.stringify(args[0]).includes('order by e.ordinal desc')) pages += 1;
      return query(...args);
    },
  });
}

async function open(file: string): Promise<IncomingMessage> {
  const request = get(`${app.url}/audit/${file}`, {
    headers: { authorization: `Bearer ${moderator.student.token}` },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
const ofSpace = (): string => `space=${community.spaceId}`;

/** The server reads no more pages: as many as before after a round of other work. */
async function untilItRests(): Promise<number> {
  let before = -1;
  return eventually(
    async () => {
      const now = pages;
      for (let round = 0; round < 20; round += 1) await app.pool.query('select 1');
      const rests = now === pages && before === now ? now : -1;
      before = now;
      return rests;
    },
    (resting) => resting > 0,
  );
}

const ENTRIES = `query($filter: AuditFilterInput, $after: String) {
  list: getAuditEntries(filter: $filter, first: 100, after: $after) {
    nodes { ordinal line eventId } pageInfo { endCursor hasNextPage } } }`;
interface Listed {
  readonly list: {
    readonly nodes: readonly object[];
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  };
}
async function pageOf(filter: object, after: string | null): Promise<Listed['list']> {
  const { data } = await app.graphql<Listed>(ENTRIES, { filter, after }, moderator.student.token);
  return data.list;
}

describe('an export of the audit', () => {
  it('is the list, whole, in both forms', async () => {
    const newest = await app.pool.query<{ ordinal: string }>(
      'select max(ordinal) as ordinal from read.audit_entries',
    );
    const fromOrdinal = Number(newest.rows[0]?.ordinal) - 1;
    const listed: object[] = [];
    let after: string | null = null;
    for (let hasMore = true; hasMore;) {
      const { nodes, pageInfo } = await pageOf({ space: community.spaceId, fromOrdinal }, after);
      listed.push(...nodes);
      after = pageInfo.endCursor;
      hasMore = pageInfo.hasNextPage;
    }
    expect(listed).toHaveLength(2 * VOTES_A_CASE);
    const ndjson = await text(await open(`export.ndjson?${ofSpace()}&fromOrdinal=${fromOrdinal}`));
    const told = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ ordinal, line, eventId }) => ({ ordinal, line, eventId }))).toEqual(listed);
    const csv = await text(await open(`export.csv?${ofSpace()}&fromOrdinal=${fromOrdinal}`));
    const [head, ...lines] = csv.trimEnd().split('\r\n');
    expect(head?.split(',')).toEqual(Object.keys(told[0] ?? {}));
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual(
      told.map(({ ordinal, line, eventId }) => [String(ordinal), String(line), eventId]),
    );
    expect(lines[0]).toContain(`"'=cmd|""/c calc""!A1, ""quoted"""`);
  });

  it('says what it is and asks to be saved', async () => {
    const response = await open(`export.csv?${ofSpace()}&actsOnly=true`);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringContaining('text/csv; charset=utf-8') as unknown,
      'content-disposition': expect.stringMatching(
        /^attachment; filename="nimo-audit-\d{4}-\d\d-\d\d\.csv"$/,
      ) as unknown,
    });
    response.destroy();
  });

  it('waits for a slow reader, and is whole in the end', async () => {
    pages = 0;
    const response = await open(`export.ndjson?${ofSpace()}&kinds=VotesInvalidated`);
    response.pause();
    const read = await untilItRests();
    expect(read).toBeLessThan(READ_AHEAD);
    const whole = await text(response);
    expect(whole.trimEnd().split('\n')).toHaveLength(CASES * VOTES_A_CASE);
  });

  it('ends with the reader', async () => {
    pages = 0;
    const response = await open(`export.csv?${ofSpace()}`);
    response.pause();
    const read = await untilItRests();
    response.destroy();
    expect(await untilItRests()).toBeLessThanOrEqual(read + 1);
    const { rows } = await app.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and state <> 'idle' and query like '%order by e.ordinal desc%' and pid <> pg_backend_pid()",
    );
    expect(rows).toEqual([]);
  });

  it('ends when the role does', async () => {
    const other = await app.signUp();
    await app.grantRole(other.studentId, 'MODERATOR', community.spaceId);
    const request = get(`${app.url}/audit/export.ndjson?${ofSpace()}`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    await untilItRests();
    await app.graphql('mutation { logout { flag } }', {}, other.token);
    await expect(text(response)).rejects.toThrow();
  });

  it.each([
    ['spaces=x', 'spaces'],
    ['space=x', 'space'],
    ['kinds=VoteCast,Nonsense', 'kinds'],
    ['from=yesterday', 'from'],
    ['toOrdinal=-1', 'toOrdinal'],
    ['space=a&space=b', 'space'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await app
      .http()
      .get(`/audit/export.csv?${query}`)
      .set('authorization', moderator.student.token);
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'VALIDATION_FAILED', field } }] },
    ]);
  });

  it('is for moderators of the space', async () => {
    const elsewhere = await newCommunity(app, 1);
    const [stranger] = elsewhere.members;
    for (const [token, query, status] of [
      [undefined, '', 401],
      ['A'.repeat(43), '', 401],
      [stranger?.token, '', 403],
      [moderator.student.token, `?space=${elsewhere.spaceId}`, 403],
    ] as const)
      for (const format of ['csv', 'ndjson']) {
        const request = app.http().get(`/audit/export.${format}${query}`);
        const answer = await (token ? request.set('authorization', `Bearer ${token}`) : request);
        expect(answer.status).toBe(status);
      }
  });
});
