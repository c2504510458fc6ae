import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Append, type EventStore, EventStoreUnavailableError } from '@nimo/event-store';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newParticipants, Participant } from '../../../../../test/participant.js';
import { AccessRulesCheck } from '../auth/access-rules.check.js';
import { EVENT_STORE } from '../config/tokens.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { eventually } from '@nimo/testing';

interface Trace {
  readonly what: string;
  readonly actor: string | null;
  readonly spaceIds: readonly string[];
  readonly studentIds: readonly string[];
  readonly postId: string | null;
  readonly filter: string | null;
  readonly rows: number | null;
}

const MINUTE = 60_000;
const clock = newSteppingClock();
let app: TestApp;
let spaceId: string;
let questionId: string;
let ada: Participant;
let bob: Participant;
let moderator: Participant;
let maintainer: Participant;

beforeAll(async () => {
  app = await bootApp({}, { clock: clock.now });
  const { community, people } = await newParticipants(app, 4);
  ({ spaceId } = community);
  [ada, bob, moderator, maintainer] = people;
  await app.grantRole(moderator.student.studentId, 'MODERATOR', spaceId);
  await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
  questionId = await ada.ask();
  await bob.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
  await bob.perform(`reportPost(postId: "${questionId}", postType: QUESTION, reason: "Its spam") { _id }`);
  await app.caughtUp();
});
afterAll(() => app.close());

async function traces(by?: SignedUpStudent): Promise<readonly Trace[]> {
  const { rows } = await app.pool.query<Trace>(
    `select data ->> 'what' as what, metadata -> 'actor' ->> 'id' as actor, data -> 'spaceIds' as "spaceIds",
       data -> 'studentIds' as "studentIds", data -> 'post' ->> 'postId' as "postId", data ->> 'filter' as filter,
       (data ->> 'rows')::int as rows
     from log.events where type = 'ConfidentialDataRead' and ($1::text is null or metadata -> 'actor' ->> 'id' = $1)
     order by position`,
    [by?.studentId ?? null],
  );
  return rows;
}

/** The traces a person left during the work. */
async function tracesOf(who: Participant, work: () => Promise<unknown>): Promise<readonly Trace[]> {
  const before = (await traces(who.student)).length;
  await work();
  return (await traces(who.student)).slice(before);
}
/** Moves past the deduplication window of earlier reads. */
const later = (): void => clock.advance(10 * MINUTE);

describe('staff operations', () => {
  it('leave a trace for each read or declare why not', () => {
    const reads = [...app.api.get(AccessRulesCheck, { strict: false }).operations()].filter(
      ({ rule, at }) => rule?.kind === 'role' && at.type !== 'Mutation',
    );
    const named = (isTraced: boolean) =>
      reads
        .filter(({ trace }) => trace !== undefined && 'what' in trace === isTraced)
        .map(({ at }) => at.name)
        .sort();
    expect(reads.filter(({ trace }) => trace === undefined)).toEqual([]);
    // Complete lists: removing a trace or adding a read requires a change here.
    expect(named(true)).toEqual(
      [
        '/audit/export.csv',
        '/audit/export.ndjson',
        '/audit/proof/export.csv',
        '/audit/proof/export.ndjson',
        'getAuditEntries',
        'getAuditEntry',
        'getAuditTotals',
        'getInvalidationCase',
        'getInvalidationCases',
        'getLogEvent',
        'getLogEvents',
        'getLogStream',
        'getManagedStudents',
        'getModerationCase',
        'getQuestionAsOf',
        'getScoreAsOf',
        'getStaffSecurityLog',
        'getStudentNotes',
        'getStudentWarnings',
        'getVoteGivers',
        'getVotePattern',
        'getVotePatterns',
        'getVotesForReview',
        'getVotesToJudge',
        'getYoungerStudents',
        'previewInvalidation',
        'previewReversal',
      ].sort(),
    );
    expect(named(false)).toEqual(
      [
        'getClassCode',
        'getEntryRequests',
        'getHistoryRange',
        'getInvitations',
        'getInvitedStudents',
        'getLeaderboardAsOf',
        'getLeaderboardUnderRules',
        'getLogFilters',
        'getLogProof',
        'getManagedAvatars',
        'getManagedNews',
        'getManagedSpace',
        'getManagedSpaces',
        'getManagedSubjects',
        'getManagedTopics',
        'getModerationQueue',
        'getPostsRemoval',
        'getPostsRemovals',
        'getProjection',
        'getProjections',
        'getQuestionHistoryRange',
        'getRoleHolders',
        'getScoringDraft',
        'getScoringMoves',
        'getScoringTrial',
        'getScoringVersions',
        'getSpaceModerators',
        'getModerationCounts',
        'getStoppedEvents',
        'getVotePatternCounts',
        'moderationChanged',
        'previewPostsRemoval',
      ].sort(),
    );
  });
});

describe('a confidential read', () => {
  const query = (operation: string) => (who: Participant) => () => who.query(operation);
  const space = () => `space: "${spaceId}"`;
  const file = (name: string) => (who: Participant) => () =>
    app
      .http()
      .get(`/audit/${name}?space=${spaceId}`)
      .set('authorization', `Bearer ${who.student.token}`)
      .expect(200);

  it.each<[string, () => (who: Participant) => () => Promise<unknown>, Partial<Trace>]>([
    ['VOTES', () => query(`getVotesForReview(${space()}) { docs { castAt } }`), { rows: 1 }],
    ['VOTE_PATTERNS', () => query(`getVotePatterns(${space()}) { _id }`), { rows: 0 }],
    ['VOTE_CASES', () => query('getInvalidationCases { docs { _id } }'), { rows: 0 }],
    [
      'SCORES',
      () => query(`getScoreExplanation(${space()}, studentId: "${ada.student.studentId}") { page }`),
      {},
    ],
    [
      'SCORES',
      () => query(`getScoreNotices(${space()}, studentId: "${ada.student.studentId}") { kind }`),
      {},
    ],
    ['AUDIT', () => query(`getAuditEntries(filter: { ${space()} }) { nodes { ordinal } }`), {}],
    ['AUDIT', () => query(`getAuditTotals(filter: { ${space()} }) { lines }`), {}],
    ['AUDIT', () => query('getAuditEntry(ordinal: 1) { revision }'), { rows: 1 }],
    ['AUDIT_EXPORT', () => file('export.csv'), { rows: null }],
    ['AUDIT_EXPORT', () => file('export.ndjson'), { rows: null }],
  ])('is recorded as an event: %s', async (what, read, more) => {
    later();
    expect(await tracesOf(moderator, read()(moderator))).toEqual([
      expect.objectContaining({ what, spaceIds: [spaceId], ...more }),
    ]);
  });

  it('is recorded as an event: PROVEN_AUDIT_EXPORT', async () => {
    // Rejected if the chain does not include the event within two seconds.
    const { left } = await eventually(
      async () => {
        later();
        let status = 0;
        const left = await tracesOf(moderator, async () => {
          const path = `/audit/proof/export.ndjson?space=${spaceId}`;
          ({ status } = await app.http().get(path).set('authorization', `Bearer ${moderator.student.token}`));
        });
        return { status, left };
      },
      ({ status }) => status === 200,
    );
    expect(left).toEqual([
      expect.objectContaining({ what: 'PROVEN_AUDIT_EXPORT', spaceIds: [spaceId], rows: null }),
    ]);
  });

  it('names the post and its author', async () => {
    later();
    const about = { spaceIds: [spaceId], postId: questionId, studentIds: [ada.student.studentId] };
    expect(
      await tracesOf(moderator, () => moderator.query(`getModerationCase(postId: "${questionId}") { _id }`)),
    ).toEqual([expect.objectContaining({ what: 'REPORTERS', rows: 1, ...about })]);
    expect(
      await tracesOf(moderator, () =>
        moderator.query(`getAuditEntries(filter: { post: "${questionId}" }) { nodes { ordinal } }`),
      ),
    ).toEqual([expect.objectContaining({ what: 'AUDIT', ...about })]);
    expect(
      await tracesOf(moderator, () =>
        moderator.query(`getVotesForReview(space: "${spaceId}", post: "${questionId}") { page }`),
      ),
    ).toEqual([expect.objectContaining({ what: 'VOTES', studentIds: about.studentIds })]);
  });

  it('is recorded once per time window, however many pages and fields it covers', async () => {
    later();
    const look = (after: string | null) =>
      app.graphql(
        `query($after: String) { one: getAuditEntries(first: 1, after: $after) { nodes { ordinal } pageInfo { endCursor } }
          two: getAuditEntries(first: 1) { nodes { kind } } }`,
        { after },
        moderator.student.token,
      );
    const once = await tracesOf(moderator, async () => {
      const { data } = await look(null);
      const { one } = data as { one: { pageInfo: { endCursor: string } } };
      await Promise.all([look(one.pageInfo.endCursor), look(one.pageInfo.endCursor), look(null)]);
    });
    expect(once.map(({ what }) => what)).toEqual(['AUDIT']);
    later();
    expect(await tracesOf(moderator, () => look(null))).toHaveLength(1);
  });

  it('is recorded separately for another scope or search, and for each export', async () => {
    later();
    const { studentId } = ada.student;
    const reads = await tracesOf(moderator, async () => {
      await moderator.query(`getVotesForReview(space: "${spaceId}") { page }`);
      await moderator.query(`getVotesForReview(space: "${spaceId}", voter: "${studentId}") { page }`);
      await moderator.query(`getVotesForReview(space: "${spaceId}", voter: "${studentId}") { totalPages }`);
      await file('export.csv')(moderator)();
      await file('export.csv')(moderator)();
    });
    expect(reads.map(({ what, studentIds }) => [what, ...studentIds])).toEqual([
      ['VOTES'],
      ['VOTES', studentId],
      ['AUDIT_EXPORT'],
      ['AUDIT_EXPORT'],
    ]);
  });

  it('does not reveal the search term', async () => {
    later();
    const { phone } = ada.student;
    const found = await tracesOf(maintainer, () =>
      maintainer.query(`getManagedStudents(search: "${phone}") { docs { _id } }`),
    );
    expect(found).toEqual([expect.objectContaining({ what: 'PEOPLE', rows: 1, spaceIds: [] })]);
    expect(found[0]?.filter).toMatch(/^[0-9a-f]{32}$/);
    const { rows } = await app.pool.query<{ text: string }>(
      `select data::text || metadata::text as text from log.events where type = 'ConfidentialDataRead'`,
    );
    expect(rows.filter(({ text }) => text.includes(phone))).toEqual([]);
  });

  it('is not recorded for one’s own data or when denied', async () => {
    later();
    const own = `getScoreExplanation(space: "${spaceId}") { page }`;
    expect(await tracesOf(moderator, () => moderator.query(own))).toEqual([]);
    expect(await tracesOf(bob, () => bob.refusal(`{ getAuditEntries { nodes { ordinal } } }`))).toEqual([]);
    const elsewhere = `{ getVotePatterns(space: "${randomUUID()}") { _id } }`;
    expect(await tracesOf(moderator, () => moderator.refusal(elsewhere))).toEqual([]);
  });

  it('fails when it cannot be recorded', async () => {
    later();
    const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
    const append = store.append.bind(store);
    const cannot = (appends: readonly Append[]) =>
      appends.some(({ streamId }) => streamId.startsWith('read-'))
        ? Promise.reject(new EventStoreUnavailableError('away'))
        : append(appends);
    Object.assign(store, { append: cannot });
    try {
      const refused = await app.graphql(
        `{ getModerationCase(postId: "${questionId}") { reports { reporterId } } }`,
        {},
        moderator.student.token,
      );
      expect(refused.errors).toHaveLength(1);
      expect(JSON.stringify(refused.data)).not.toContain(bob.student.studentId);
      const { status, text } = await app
        .http()
        .get('/audit/export.csv')
        .set('authorization', `Bearer ${moderator.student.token}`);
      expect(status).toBeGreaterThanOrEqual(500);
      expect(text).not.toContain(questionId);
    } finally {
      Object.assign(store, { append });
    }
  });

  it('is in the audit for moderators of the space, but not for the person concerned', async () => {
    later();
    const author = new Participant(app, ada.student, { spaceId, subjectId: '', topicId: '', members: [] });
    await app.grantRole(ada.student.studentId, 'MODERATOR', spaceId);
    await moderator.query(`getModerationCase(postId: "${questionId}") { _id }`);
    const reads =
      'getAuditEntries(filter: { readsOnly: true }) { nodes { ordinal about actor { _id } post { _id } } }';
    interface Reads {
      readonly nodes: readonly {
        ordinal: number;
        about: string;
        actor: { _id: string };
        post: { _id: string } | null;
      }[];
    }
    const ofCase = ({ nodes }: Reads) => nodes.filter(({ about }) => about === 'REPORTERS');
    await app.caughtUp();
    const seen = await maintainer.query<Reads>(reads);
    const ordinal = ofCase(seen)[0]?.ordinal;
    expect(ofCase(seen)[0]).toEqual({
      ordinal,
      about: 'REPORTERS',
      actor: { _id: moderator.student.studentId },
      post: { _id: questionId },
    });
    expect(ofCase(await moderator.query<Reads>(reads)).length).toBeGreaterThan(1);
    expect(ofCase(await author.query<Reads>(reads))).toEqual([]);
    const whole = `getAuditEntry(ordinal: ${ordinal}) { data { name value } }`;
    expect(await maintainer.query(whole)).toMatchObject({
      data: expect.arrayContaining([{ name: 'what', value: 'REPORTERS' }]) as unknown,
    });
    expect(await author.query(whole)).toBeNull();
  });
});
