import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '@nimo/domain';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type Community, newCommunity } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

interface LogEvent {
  readonly ordinal: number;
  readonly type: string;
  readonly streamId: string;
  readonly revision: number;
  readonly eventId: string;
}
interface LogEventDetail {
  readonly event: LogEvent;
  readonly data: readonly { readonly name: string; readonly value: string; readonly isProtected: boolean }[];
}
interface Page {
  readonly events: readonly LogEvent[];
  readonly fromOrdinal: number;
  readonly toOrdinal: number;
  readonly lastOrdinal: number;
}

const EVENT = `ordinal eventId type streamId revision occurredAt recordedAt actorKind operator commandId correlationId causationId
  schemaVersion isStaffAction`;
const DETAIL = `event { ${EVENT} } undecodable data { name value isProtected }`;
const NO_EVENT = { ordinal: 0, eventId: '' };
const TITLE = 'Why does the sky look blue?';

let app: TestApp;
let community: Community;
let student: Participant;
let voter: Participant;
let moderator: Participant;
let maintainer: Participant;
let otherMaintainer: Participant;
let questionId: string;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 5);
  [student, voter, moderator, maintainer, otherMaintainer] = community.members.map(
    (member) => new Participant(app, member, community),
  ) as [Participant, Participant, Participant, Participant, Participant];
  await app.grantRole(moderator.student.studentId, 'MODERATOR');
  for (const { student: of } of [maintainer, otherMaintainer])
    await app.grantRole(of.studentId, 'MAINTAINER');
  questionId = await student.ask({ title: TITLE });
  await voter.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
  await voter.perform(`reportPost(postId: "${questionId}", postType: QUESTION, reason: "Its spam") { _id }`);
}, 300_000);
afterAll(() => app.close());

const pageOf = (args: string): Promise<Page> =>
  maintainer.query<Page>(`getLogEvents(${args}) { events { ${EVENT} } fromOrdinal toOrdinal lastOrdinal }`);
const ordinalsIn = ({ events }: Page): readonly number[] => events.map(({ ordinal }) => ordinal);

/** Every event of the log, page by page. */
async function wholeLog(): Promise<readonly LogEvent[]> {
  const all: LogEvent[] = [];
  for (let before: number | null = null; before !== 1;) {
    const page: Page = await pageOf(`first: 100, before: ${before}`);
    all.push(...page.events);
    before = page.fromOrdinal;
  }
  return all;
}

describe('the event log', () => {
  it('lists every event once, newest first, from the last to the first', async () => {
    const { lastOrdinal } = await pageOf('first: 1');
    const events = await wholeLog();
    expect(events[0]?.ordinal).toBeGreaterThanOrEqual(lastOrdinal);
    expect(events.map(({ ordinal }) => ordinal)).toEqual(
      events.map((_, index) => (events[0]?.ordinal ?? 0) - index),
    );
    const { rows } = await app.pool.query<{ position: string; type: string }>(
      'select position, type from log.events where position <= $1 order by position desc',
      [events[0]?.ordinal],
    );
    expect(events.map(({ ordinal, type }) => ({ position: String(ordinal), type }))).toEqual(rows);
  });

  it('pages in both directions', async () => {
    const first = await pageOf('first: 3, before: 11');
    expect(ordinalsIn(first)).toEqual([10, 9, 8]);
    expect(ordinalsIn(await pageOf('first: 3, before: 8'))).toEqual([7, 6, 5]);
    expect(ordinalsIn(await pageOf('first: 3, after: 7'))).toEqual([10, 9, 8]);
    expect(ordinalsIn(await pageOf('first: 3, before: 2'))).toEqual([1]);
    const { lastOrdinal } = await pageOf('first: 1');
    expect(ordinalsIn(await pageOf(`after: ${lastOrdinal + 1_000}`))).toEqual([]);
  });

  it('filters by type and category, with the range that was searched', async () => {
    const votes = await pageOf('type: "VoteCast"');
    expect(votes.events.map(({ type }) => type)).toEqual(['VoteCast']);
    expect(votes).toMatchObject({ fromOrdinal: 1, toOrdinal: votes.lastOrdinal });
    const [ordinal = 0] = ordinalsIn(votes);
    expect(await pageOf('type: "VoteCast", first: 1')).toMatchObject({ fromOrdinal: ordinal });
    expect(ordinalsIn(await pageOf(`type: "VoteCast", after: ${ordinal - 1}`))).toEqual([ordinal]);
    expect(ordinalsIn(await pageOf(`type: "VoteCast", before: ${ordinal}`))).toEqual([]);
    const questions = await pageOf('category: "question-"');
    expect(questions.events.length).toBeGreaterThan(0);
    expect(questions.events.every(({ streamId }) => streamId.startsWith('question-'))).toBe(true);
    expect(ordinalsIn(await pageOf('category: "question-", type: "VoteCast"'))).toEqual([]);
  });

  it('shows one event, and null without one', async () => {
    const [{ ordinal, eventId } = NO_EVENT] = (await pageOf('type: "QuestionAsked"')).events;
    expect(await maintainer.query(`getLogEvent(ordinal: ${ordinal}) { ${DETAIL} }`)).toMatchObject({
      event: {
        ordinal,
        eventId,
        type: 'QuestionAsked',
        streamId: `question-${questionId}`,
        revision: 0,
        actorKind: 'student',
        isStaffAction: false,
      },
      undecodable: null,
      data: expect.arrayContaining([
        { name: 'spaceId', value: community.spaceId, isProtected: false },
        { name: 'title', value: `text, ${TITLE.length} characters`, isProtected: true },
      ]) as unknown,
    });
    expect(await maintainer.query('getLogEvent(ordinal: 1) { event { ordinal revision } }')).toEqual({
      event: { ordinal: 1, revision: 0 },
    });
    expect(await maintainer.query('getLogEvent(ordinal: 99999999) { undecodable }')).toBeNull();
  });

  it('shows the stream of an event, in order and in pages', async () => {
    const streamId = `space-${community.spaceId}`;
    const { rows } = await app.pool.query<{ position: string }>(
      'select position from log.events where stream_id = $1 order by revision',
      [streamId],
    );
    const positions = rows.map(({ position }) => Number(position));
    expect(positions.length).toBeGreaterThan(1);
    const stream = (args: string) =>
      maintainer.query(`getLogStream(${args}) { streamId hasMore events { ordinal } }`);
    const whole = { streamId, hasMore: false, events: positions.map((ordinal) => ({ ordinal })) };
    expect(await stream(`streamId: "${streamId}"`)).toEqual(whole);
    expect(await stream(`ordinal: ${positions[1]}`)).toEqual(whole);
    expect(await stream(`ordinal: ${positions[0]}, fromRevision: 1, first: 1`)).toMatchObject({
      hasMore: positions.length > 2,
      events: [{ ordinal: positions[1] }],
    });
    expect(await stream('streamId: "question-none"')).toBeNull();
    expect(await stream('ordinal: 99999999')).toBeNull();
  });
});

describe('what maintainers may see of the log', () => {
  it('names no person and no text of one in any event', async () => {
    const listed = await wholeLog();
    const events: LogEventDetail[] = [];
    for (const { ordinal } of listed)
      events.push(await maintainer.query<LogEventDetail>(`getLogEvent(ordinal: ${ordinal}) { ${DETAIL} }`));
    const shown = JSON.stringify([listed, events]);
    for (const { studentId } of community.members) expect(shown).not.toContain(studentId);
    expect(shown).not.toContain(TITLE);
    const vote = events.find(({ event }) => event.type === 'VoteCast');
    expect(vote?.event.streamId).toBe(`vote-${questionId}-…`);
    expect(vote?.data.find(({ name }) => name === 'voterId')?.isProtected).toBe(true);
    const report = events.find(({ event }) => event.type === 'PostReported');
    expect(report?.data.find(({ name }) => name === 'reporterId')?.isProtected).toBe(true);
    expect(new Set(listed.map(({ type }) => type)).size).toBeGreaterThan(10);
    expect(listed.every(({ type }) => (EVENT_TYPES as readonly string[]).includes(type))).toBe(true);
  });

  it('does not tell who voted to those who try the names of streams', async () => {
    const cast = `vote-${questionId}-${voter.student.studentId}`;
    const notCast = `vote-${questionId}-${moderator.student.studentId}`;
    for (const streamId of [cast, notCast])
      expect(
        await maintainer.refusal(`{ getLogStream(streamId: "${streamId}") { streamId } }`),
      ).toMatchObject({ code: 'VALIDATION_FAILED', field: 'streamId' });
    const category = `{ getLogEvents(category: "${cast}") { lastOrdinal } }`;
    expect(await maintainer.refusal(category)).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'category',
    });
    const [{ ordinal } = NO_EVENT] = (await pageOf('type: "VoteCast"')).events;
    const stream = `getLogStream(ordinal: ${ordinal}) { streamId events { ordinal streamId } }`;
    expect(await maintainer.query(stream)).toEqual({
      streamId: `vote-${questionId}-…`,
      events: [{ ordinal, streamId: `vote-${questionId}-…` }],
    });
  });

  it.each([
    ['type', 'getLogEvents(type: "Gossip") { lastOrdinal }'],
    ['before', 'getLogEvents(before: 0) { lastOrdinal }'],
    ['after', 'getLogEvents(after: -1) { lastOrdinal }'],
    ['limit', 'getLogEvents(first: 101) { lastOrdinal }'],
    ['ordinal', 'getLogEvent(ordinal: 0) { undecodable }'],
    ['streamId', 'getLogStream { streamId }'],
    ['streamId', 'getLogStream(streamId: "gossip-1") { streamId }'],
    ['fromRevision', 'getLogStream(ordinal: 1, fromRevision: -1) { streamId }'],
  ])('refuses a wrong value of %s: %s', async (field, query) => {
    expect(await maintainer.refusal(`{ ${query} }`)).toMatchObject({ code: 'VALIDATION_FAILED', field });
  });

  it('records who read what, with one event for the pages of a list', async () => {
    for (const query of [
      'getLogEvents(type: "AvatarRetired", first: 2) { lastOrdinal }',
      'getLogEvents(type: "AvatarRetired", before: 5) { lastOrdinal }',
      'getLogEvent(ordinal: 7) { undecodable }',
      'getLogStream(ordinal: 7, first: 1) { streamId }',
    ])
      await otherMaintainer.query(query);
    const { rows } = await app.pool.query(
      `select data ->> 'what' as what, (data ->> 'rows')::int as rows from log.events
       where type = 'ConfidentialDataRead' and metadata -> 'actor' ->> 'id' = $1 order by position`,
      [otherMaintainer.student.studentId],
    );
    expect(rows).toEqual([0, 1, 1].map((count) => ({ what: 'LOG', rows: count })));
  });

  const operations = [
    '{ getLogEvents { lastOrdinal } }',
    '{ getLogEvent(ordinal: 1) { undecodable } }',
    '{ getLogStream(ordinal: 1) { streamId } }',
    '{ getLogFilters { types categories } }',
  ];
  it.each(operations)('is limited to maintainers: %s', async (operation) => {
    for (const caller of [student, moderator])
      expect(await caller.refusal(operation)).toMatchObject({ code: 'FORBIDDEN' });
    const anonymous = await app.graphql(operation);
    expect(anonymous.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await app.graphql(operation, {}, maintainer.student.token)).errors).toBeUndefined();
  });
});
