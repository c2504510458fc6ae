import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_EXPORT_PAGE_SIZE } from '@nimo/domain';
import { bootApp, type TestApp } from '../../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { Participant } from '../../../../../../test/participant.js';
import { appendInvalidations, startExport } from './testing/invalidated-votes.fixture.js';

/** Two cases take more than one export page. */
const VOTES_PER_CASE = 0.6 * AUDIT_EXPORT_PAGE_SIZE;

let app: TestApp;
let community: Community;
let moderator: Participant;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 1);
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  moderator = new Participant(app, student, community);
  const { spaceId } = community;
  await appendInvalidations(app, {
    ...{ spaceId, moderatorId: student.studentId },
    ...{ cases: 3, votesEach: VOTES_PER_CASE },
  });
});
afterAll(() => app.close());

const open = (file: string) => startExport(app, file, moderator.student.token);
const ofSpace = (): string => `space=${community.spaceId}`;

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

async function totalsOf(filter: object): Promise<object> {
  const { data } = await app.graphql<{ totals: object }>(
    `query($filter: AuditFilterInput) { totals: getAuditTotals(filter: $filter) {
      lines entries receiverMerit receiverImpact voterMerit voterImpact isComplete } }`,
    { filter },
    moderator.student.token,
  );
  return data.totals;
}

async function sumsOfActions(): Promise<object> {
  const { isComplete, ...sums } = (await totalsOf({ space: community.spaceId, actionsOnly: true })) as {
    readonly isComplete: boolean;
  };
  expect(isComplete).toBe(true);
  return sums;
}

describe('an audit export', () => {
  it('contains the complete list in both formats', async () => {
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
    expect(listed).toHaveLength(2 * VOTES_PER_CASE);
    const ndjson = await text(await open(`export.ndjson?${ofSpace()}&fromOrdinal=${fromOrdinal}`));
    const records = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const total = records.pop();
    expect(records.map(({ ordinal, line, eventId }) => ({ ordinal, line, eventId }))).toEqual(listed);
    const csv = await text(await open(`export.csv?${ofSpace()}&fromOrdinal=${fromOrdinal}`));
    const [header, ...lines] = csv.trimEnd().split('\r\n');
    expect(header?.split(',')).toEqual(Object.keys(records[0] ?? {}));
    const sumOf = (name: string) => records.reduce((sum, record) => sum + Number(record[name] ?? 0), 0);
    const sums = {
      ...{ receiverMerit: sumOf('receiverMerit'), receiverImpact: sumOf('receiverImpact') },
      ...{ voterMerit: sumOf('voterMerit'), voterImpact: sumOf('voterImpact') },
      entries: 2 * VOTES_PER_CASE,
    };
    expect(total).toEqual({ total: { lines: 2 * VOTES_PER_CASE, ...sums } });
    expect(await totalsOf({ space: community.spaceId, fromOrdinal })).toEqual({
      ...{ lines: 2 * VOTES_PER_CASE, ...sums },
      isComplete: true,
    });
    const inTotals: Readonly<Record<string, string | number>> = {
      ...sums,
      ...{ ordinal: 'total', line: 2 * VOTES_PER_CASE },
    };
    expect(lines.pop()).toBe(
      header
        ?.split(',')
        .map((name) => inTotals[name] ?? '')
        .join(','),
    );
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual(
      records.map(({ ordinal, line, eventId }) => [String(ordinal), String(line), eventId]),
    );
    expect(lines[0]).toContain(`"'=cmd|""/c calc""!A1, ""quoted"""`);
  });

  it.each(['actionsOnly=true', 'actionsOnly=1', 'actsOnly=1'])('leaves out votes with %s', async (filter) => {
    const file = await text(await open(`export.ndjson?${ofSpace()}&${filter}`));
    const lines = file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { class?: string; kind?: string; entries?: number });
    expect(lines.at(-1)).toEqual({
      total: expect.objectContaining(await sumsOfActions()),
    });
    expect(lines.pop()).toHaveProperty('total.lines', lines.length);
    expect(new Set(lines.map((line) => line.class))).toEqual(new Set(['ACT']));
    const counts = lines.flatMap(({ kind, entries }) => (kind === 'VotesInvalidated' ? [entries] : []));
    expect(counts).toEqual([VOTES_PER_CASE, VOTES_PER_CASE, VOTES_PER_CASE]);
  });

  it('has a content type and a file name', async () => {
    const response = await open(`export.csv?${ofSpace()}&actionsOnly=true`);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringContaining('text/csv; charset=utf-8') as unknown,
      'content-disposition': expect.stringMatching(
        /^attachment; filename="nimo-audit-\d{4}-\d\d-\d\d\.csv"$/,
      ) as unknown,
    });
    response.destroy();
  });

  it.each([
    ['spaces=x', 'spaces'],
    ['space=x', 'space'],
    ['kinds=VoteCast,Nonsense', 'kinds'],
    ['from=yesterday', 'from'],
    ['toOrdinal=-1', 'toOrdinal'],
    ['space=a&space=b', 'space'],
    ['actionsOnly=yes', 'actionsOnly'],
    ['readsOnly=TRUE', 'readsOnly'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await app
      .http()
      .get(`/audit/export.csv?${query}`)
      .set('authorization', moderator.student.token);
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'VALIDATION_FAILED', field } }] },
    ]);
  });

  it('is available only to moderators of the space', async () => {
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
