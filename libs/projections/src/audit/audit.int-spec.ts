import { randomUUID } from 'node:crypto';
import {
  answerStream,
  AVATARS_STREAM,
  commentStream,
  type ConfidentialKind,
  type DomainEvent,
  type EventOf,
  membershipStream,
  MERIT_FLOOR,
  newspostStream,
  questionStream,
  readStream,
  SCORING_RULES_STREAM,
  spaceStream,
  studentStream,
  topicStream,
} from '@nimo/domain';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectionContract } from '@nimo/projection-engine/testing';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { type LoggedEvent, scoresByHand } from '../testing/scores-by-hand.fixture.js';
import { AUDIT_KINDS, auditProjection } from './audit.tables.js';
import { type AuditEntryView, type AuditFilter, type AuditScope, pageOfAudit } from './audit.queries.js';

projectionContract(auditProjection, (seed) => randomHistory(seed, 600));

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const EVERYTHING: AuditScope = { spaces: 'all', withoutSpace: 'all', readerId: null };
const past = new EventHistory();

/** All pages of the list. */
async function list(
  filter: AuditFilter,
  { scope = EVERYTHING, limit = 100 }: { scope?: AuditScope; limit?: number } = {},
): Promise<AuditEntryView[]> {
  await side.record(past);
  const all: AuditEntryView[] = [];
  for (;;) {
    const { entries, hasMore } = await pageOfAudit(side.pool, { filter, scope, after: all.at(-1), limit });
    all.push(...entries);
    if (!hasMore) return all;
  }
}

/** A separate space for each test: they share one log. */
function open() {
  const spaceId = past.newSpace({ name: 'Physics' });
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [ada, ben] = [past.newStudent(), past.newStudent()];
  const questionId = past.ask(ada, place, { title: 'How far?' });
  const vote = (studentId: string, direction: 'UP' | 'DOWN', postId = questionId) =>
    past.as({ kind: 'student', id: studentId }, () => past.vote(studentId, postId, direction));
  return { spaceId, place, ada, ben, questionId, vote };
}
const kindsOf = (entries: readonly AuditEntryView[]) => entries.map(({ kind }) => kind);

type Moved = { readonly merit: number; readonly impact: number };

const totalOf = (entries: readonly { readonly points: readonly Moved[] }[]): Moved =>
  entries
    .flatMap(({ points }) => points)
    .reduce((sum, { merit, impact }) => ({ merit: sum.merit + merit, impact: sum.impact + impact }), {
      merit: 0,
      impact: 0,
    });

/** Points that the event moved in the space, from scores counted by hand before and after it. */
function movedByHand(events: readonly LoggedEvent[], { ordinal, space }: AuditEntryView): Moved {
  const scoresAt = (upTo: number) =>
    new Map(
      (scoresByHand(events.slice(0, upTo)).get(space?._id ?? '') ?? []).map((score) => [
        score.studentId,
        { merit: score.reputations - MERIT_FLOOR, impact: score.commitments },
      ]),
    );
  const [before, after] = [scoresAt(ordinal - 1), scoresAt(ordinal)];
  const sumOf = (scores: ReadonlyMap<string, Moved>) => totalOf([{ points: [...scores.values()] }]);
  const [from, to] = [sumOf(before), sumOf(after)];
  return { merit: to.merit - from.merit, impact: to.impact - from.impact };
}

const ACTS = ['VotesInvalidated', 'InvalidationReversed', 'ReportsUpheld', 'UpholdingReversed'] as const;

describe('points of acts in the audit', () => {
  it.each([1, 2, 3])('are what the scores really changed by, in random history %i', async (seed) => {
    const random = randomHistory(seed * 104_729, 500);
    const own = await openReadSide();
    try {
      await own.record(random);
      const events = random.events.map((event, index) => ({ ...event, ordinal: index + 1 }));
      const read = async (actsOnly: boolean) => {
        const filter = { actsOnly, kinds: ACTS };
        return (await pageOfAudit(own.pool, { filter, scope: EVERYTHING, limit: 1_000 })).entries;
      };
      const [acts, lines] = [await read(true), await read(false)];
      expect(acts.length).toBeGreaterThan(5);
      for (const act of acts) {
        const moved = movedByHand(events, act);
        const ofAct = lines.filter(
          ({ ordinal, space }) => ordinal === act.ordinal && space?._id === act.space?._id,
        );
        expect({ act: act.ordinal, moved: totalOf([act]) }).toEqual({ act: act.ordinal, moved });
        expect({ act: act.ordinal, moved: totalOf(ofAct) }).toEqual({ act: act.ordinal, moved });
        expect(ofAct).toHaveLength(act.lines);
      }
    } finally {
      await own.close();
    }
  });

  it('sum up a case of several votes, for its authors and voters', async () => {
    const { spaceId, ada, place, vote } = open();
    const voters = [past.newStudent(), past.newStudent(), past.newStudent()];
    const posts = [past.ask(ada, place), past.ask(ada, place)];
    for (const voter of voters) for (const post of posts) vote(voter, 'UP', post);
    const votes = voters.flatMap((voter) => posts.map((post) => past.voteData(voter, post, 'UP')));
    past.invalidate(past.newModerator(), votes);
    const [act] = await list({ spaceId, actsOnly: true });
    expect(act).toMatchObject({
      kind: 'VotesInvalidated',
      lines: 6,
      points: [
        { side: 'RECEIVER', kind: 'QUESTION_UPVOTED', merit: -300, impact: 0 },
        { side: 'VOTER', kind: 'UPVOTE_CAST', merit: 0, impact: -6 },
      ],
    });
  });

  it('show nothing given back if the minimum of merit had kept the penalty', async () => {
    const { ada, questionId } = open();
    for (let count = 0; count < 5; count += 1) past.report(past.newStudent(), questionId);
    const moderator = past.newModerator();
    past.uphold(moderator, questionId);
    past.reverseUpholding(moderator, questionId);
    const lines = await list({ receiverId: ada });
    expect(lines.map(({ kind }) => kind).slice(0, 3)).toEqual([
      'UpholdingReversed',
      'ReportsUpheld',
      'PostReported',
    ]);
    expect(totalOf(lines)).toEqual({ merit: 0, impact: 0 });
    expect(lines[0]?.points).toMatchObject([{ kind: 'POST_REPORTED', merit: 0 }]);
  });
});

describe('votes and reports in the audit', () => {
  it('lists each cast, withdrawal and switch with actor, post, time and log position', async () => {
    const { spaceId, ada, ben, questionId, vote } = open();
    vote(ben, 'UP');
    vote(ben, 'DOWN');
    vote(ben, 'DOWN');
    const entries = await list({ postId: questionId });
    expect(entries.map(({ kind, direction, isSwitch }) => [kind, direction, isSwitch])).toEqual([
      ['VoteWithdrawn', 'DOWN', false],
      ['VoteCast', 'DOWN', true],
      ['VoteWithdrawn', 'UP', true],
      ['VoteCast', 'UP', false],
    ]);
    const [cast] = past.events.filter(({ type, data }) => type === 'VoteCast' && data.postId === questionId);
    expect(entries.at(-1)).toMatchObject({
      ordinal: past.events.findIndex(({ id }) => id === cast?.id) + 1,
      line: 0,
      lines: 1,
      class: 'VOTE',
      eventId: cast?.id,
      streamId: `vote-${questionId}-${ben}`,
      commandId: cast?.metadata.commandId,
      occurredAt: cast?.metadata.occurredAt,
      recordedAt: cast?.metadata.recordedAt,
      actorKind: 'student',
      actor: { _id: ben, userName: `user_${ben.slice(0, 8)}`, isErased: false },
      voter: { _id: ben },
      receiver: { _id: ada },
      space: { _id: spaceId, name: 'Physics' },
      post: { _id: questionId, postType: 'QUESTION', questionId, title: 'How far?' },
      points: [
        { side: 'RECEIVER', kind: 'QUESTION_UPVOTED', merit: 50, impact: 0, rulesVersion: 1 },
        { side: 'VOTER', kind: 'UPVOTE_CAST', merit: 0, impact: 1, rulesVersion: 1 },
      ],
    });
  });

  it('returns the same entries by post, voter, receiver and space', async () => {
    const { spaceId, ada, ben, questionId, vote } = open();
    vote(ben, 'UP');
    past.report(ben, questionId);
    past.dismiss(past.newModerator(), questionId);
    const [ofPost, ofReceiver, ofSpace] = await Promise.all([
      list({ postId: questionId }),
      list({ receiverId: ada, spaceId }),
      list({ spaceId }),
    ]);
    expect(kindsOf(ofPost)).toEqual(['ReportsDismissed', 'PostReported', 'VoteCast']);
    expect(ofReceiver).toEqual(ofPost);
    expect(kindsOf(ofSpace)).toEqual([...kindsOf(ofPost), 'TopicCreated', 'SubjectAdded', 'SpaceCreated']);
    expect(kindsOf(await list({ voterId: ben }))).toEqual(['PostReported', 'VoteCast']);
    expect(ofPost[1]).toMatchObject({
      class: 'REPORT',
      voter: { _id: ben },
      round: 0,
      points: [{ merit: 0 }],
    });
  });

  it('has a line for each vote of an investigation and lists the action once', async () => {
    const { spaceId, ada, ben, place, questionId, vote } = open();
    const elsewhere = open();
    vote(ben, 'UP');
    vote(ada, 'UP', elsewhere.questionId);
    const answerId = past.answer(ada, past.ask(ben, place));
    vote(ben, 'DOWN', answerId);
    const moderator = past.newModerator();
    const votes = [
      past.voteData(ben, questionId, 'UP'),
      past.voteData(ada, elsewhere.questionId, 'UP'),
      past.voteData(ben, answerId, 'DOWN'),
    ];
    const caseId = past.as({ kind: 'student', id: moderator }, () => past.invalidate(moderator, votes));
    past.reverse(caseId);
    const lines = await list({ caseId });
    expect(lines.map(({ kind, line }) => [kind, line])).toEqual([
      ['InvalidationReversed', 2],
      ['InvalidationReversed', 1],
      ['InvalidationReversed', 0],
      ['VotesInvalidated', 2],
      ['VotesInvalidated', 1],
      ['VotesInvalidated', 0],
    ]);
    expect(lines[3]).toMatchObject({
      actor: { _id: moderator },
      voter: { _id: ben },
      receiver: { _id: ada },
      direction: 'DOWN',
      reason: 'A ring',
      caseId,
      lines: 2,
      // Nominally 50 and 5: both scores stood at the minimum with and without the downvote.
      points: [{ merit: 0 }, { merit: 0 }],
    });
    // The investigation names votes in two spaces; only those in this space are listed.
    expect(kindsOf(await list({ caseId, spaceId }))).toHaveLength(4);
    expect((await list({ caseId, spaceId, actsOnly: true })).map(({ line }) => line)).toEqual([0, 0]);
    expect(
      (await list({ caseId, spaceId: elsewhere.spaceId, actsOnly: true })).map(({ line, lines: n }) => [
        line,
        n,
      ]),
    ).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('marks imports, stand-ins and erased students', async () => {
    const { ben, questionId } = open();
    const standIn = past.newStandIn();
    past.as({ kind: 'import', id: standIn, operator: 'ada' }, () => past.vote(standIn, questionId, 'UP'));
    past.vote(ben, questionId, 'UP');
    past.erase(ben);
    const [byBen, imported] = await list({ postId: questionId });
    expect(imported).toMatchObject({
      actorKind: 'import',
      voter: { isStandIn: true },
      points: [{ merit: 50 }],
    });
    expect(byBen).toMatchObject({
      actorKind: 'system',
      actor: null,
      voter: { _id: ben, userName: '', firstName: '', isErased: true },
    });
  });

  it('filters by kind, actor, time and ordinal', async () => {
    const { ada, ben, spaceId, questionId, vote } = open();
    vote(ben, 'UP');
    past.report(ben, questionId);
    vote(ben, 'DOWN');
    past.as({ kind: 'student', id: ada }, () => past.deleteQuestion(questionId));
    const all = await list({ spaceId });
    const filtered = (filter: AuditFilter) => list({ spaceId, ...filter });
    expect(kindsOf(await filtered({ kinds: ['PostReported', 'QuestionDeleted'] }))).toEqual([
      'QuestionDeleted',
      'PostReported',
    ]);
    expect(kindsOf(await filtered({ kinds: ['VoteWithdrawn', 'SpaceCreated'] }))).toEqual([
      'VoteWithdrawn',
      'SpaceCreated',
    ]);
    expect(kindsOf(await filtered({ actorId: ada }))).toEqual(['QuestionDeleted']);
    expect(kindsOf(await filtered({ actsOnly: true }))).toEqual([
      'QuestionDeleted',
      'TopicCreated',
      'SubjectAdded',
      'SpaceCreated',
    ]);
    const [report] = all.filter(({ kind }) => kind === 'PostReported');
    if (!report) throw new Error('no report');
    const position = { fromOrdinal: report.ordinal, toOrdinal: report.ordinal };
    expect(await filtered(position)).toEqual([report]);
    const time = {
      from: report.occurredAt,
      until: new Date(Date.parse(report.occurredAt) + 1).toISOString(),
    };
    expect(await filtered(time)).toEqual([report]);
    expect(await filtered({ until: report.occurredAt })).toEqual(all.slice(all.indexOf(report) + 1));
  });

  it('limits the reader to their spaces and to permitted actions without a space', async () => {
    const [here, there] = [open(), open()];
    past.append(studentStream(here.ben), {
      type: 'StudentBlocked',
      data: { studentId: here.ben, reason: 'Spam', rank: 'MAINTAINER' },
    });
    past.append(studentStream(here.ben), {
      type: 'RoleGranted',
      data: { studentId: here.ben, role: 'MAINTAINER', spaceId: null },
    });
    const filter = { receiverId: here.ben };
    past.vote(here.ada, past.ask(here.ben, here.place), 'UP');
    past.vote(here.ada, past.ask(here.ben, there.place), 'UP');
    const seen = async (scope: AuditScope) => kindsOf(await list(filter, { scope }));
    expect(await seen(EVERYTHING)).toEqual(['VoteCast', 'VoteCast', 'RoleGranted', 'StudentBlocked']);
    expect(await seen({ spaces: 'all', withoutSpace: ['StudentBlocked'], readerId: null })).toEqual([
      'VoteCast',
      'VoteCast',
      'StudentBlocked',
    ]);
    expect(await seen({ spaces: [here.spaceId], withoutSpace: [], readerId: null })).toEqual(['VoteCast']);
    expect(await seen({ spaces: [], withoutSpace: [], readerId: null })).toEqual([]);
    const options = { scope: { spaces: [here.spaceId], withoutSpace: [], readerId: null } };
    expect(await list({ ...filter, spaceId: there.spaceId }, options)).toEqual([]);
  });

  it('hides an entire investigation from the voters and authors of its votes', async () => {
    const { ada, ben, questionId, place } = open();
    const eve = past.newStudent();
    const other = past.ask(eve, place);
    past.vote(ben, questionId, 'UP');
    past.vote(ada, other, 'UP');
    const votes = [past.voteData(ben, questionId, 'UP'), past.voteData(ada, other, 'UP')];
    const caseId = past.invalidate(past.newModerator(), votes);
    const linesFor = async (readerId: string) =>
      (await list({ caseId }, { scope: { ...EVERYTHING, readerId } })).length;
    for (const studentId of [ada, ben, eve]) expect(await linesFor(studentId)).toBe(0);
    expect(await linesFor(past.newStudent())).toBe(2);
  });

  it('shows maintainers staff actions in all spaces, without voters and reporters', async () => {
    const { ben, questionId, vote } = open();
    vote(ben, 'UP');
    past.report(ben, questionId);
    past.dismiss(past.newModerator(), questionId);
    const scope: AuditScope = {
      spaces: [],
      withoutSpace: 'all',
      actionsInAllSpaces: true,
      readerId: past.newStudent(),
    };
    expect(kindsOf(await list({ postId: questionId }, { scope }))).toEqual(['ReportsDismissed']);
  });

  it('hides votes and reports from the author of the post and from the voter or reporter', async () => {
    const { ada, ben, questionId, vote } = open();
    vote(ben, 'UP');
    past.report(ben, questionId);
    const seenBy = async (readerId: string) =>
      kindsOf(await list({ postId: questionId }, { scope: { ...EVERYTHING, readerId } }));
    expect(await seenBy(ada)).toEqual([]);
    expect(await seenBy(ben)).toEqual([]);
    expect(await seenBy(past.newStudent())).toEqual(['PostReported', 'VoteCast']);
  });

  it('pages without gaps or duplicates while new entries are appended', async () => {
    const { spaceId, place, ada, vote, questionId } = open();
    const voters = Array.from({ length: 12 }, () => past.newStudent());
    for (const voter of voters) vote(voter, 'UP');
    past.invalidate(
      past.newModerator(),
      voters.map((voter) => past.voteData(voter, questionId, 'UP')),
    );
    const all = await list({ spaceId });
    const paged: AuditEntryView[] = [];
    for (let hasMore = true; hasMore;) {
      const options = { filter: { spaceId }, scope: EVERYTHING, limit: 5, after: paged.at(-1) };
      const page = await pageOfAudit(side.pool, options);
      paged.push(...page.entries);
      ({ hasMore } = page);
      past.vote(past.newStudent(), past.ask(ada, place), 'UP');
      await side.record(past);
    }
    expect(paged).toEqual(all);
  });

  it('is identical after a rebuild', async () => {
    const { spaceId, ben, vote } = open();
    vote(ben, 'UP');
    const before = await list({ spaceId });
    await side.rebuild('audit');
    expect(await list({ spaceId })).toEqual(before);
  });
});

describe('staff actions', () => {
  /** An event of each kind, without votes and reports. */
  const staffEvents = (
    ids: Record<'space' | 'subject' | 'student' | 'post', string>,
  ): readonly [string, DomainEvent][] => {
    const { space: spaceId, subject: subjectId, student: studentId, post } = ids;
    const subject = { spaceId, subjectId, subjectName: 'Optics', color: '123456' };
    const topic = {
      topicId: randomUUID(),
      spaceId,
      subjectId,
      topicName: 'Lenses',
      slug: 'lenses',
      imageS3Url: null,
    };
    const role = { studentId, role: 'MODERATOR', spaceId } as const;
    const own = { questionId: post, spaceId, authorId: studentId, reason: 'Not here' };
    const news = { newspostId: randomUUID(), spaceId, editorId: studentId };
    const text = { title: 'Open day', body: '<p>On Friday.</p>' };
    const avatar = { avatarId: randomUUID(), group: 'Animals', label: 'Owl', imageUrl: '/media/owl.webp' };
    const details = { name: 'Optics', description: '', bannerImageUrl: null, color: '000000' };
    return [
      [studentStream(studentId), { type: 'StudentUnblocked', data: { studentId } }],
      [studentStream(studentId), { type: 'StudentUnblocked', data: { studentId, reason: 'Not them' } }],
      [studentStream(studentId), { type: 'RoleGranted', data: role }],
      [studentStream(studentId), { type: 'RoleRevoked', data: role }],
      [
        spaceStream(spaceId),
        {
          type: 'SpaceChanged',
          data: {
            spaceId,
            scope: 'world',
            hiddenFromSearchEngines: false,
            entry: 'OPEN',
            publicPages: true,
            consentAge: null,
            ...details,
          },
        },
      ],
      [spaceStream(spaceId), { type: 'SubjectChanged', data: subject }],
      [
        topicStream(subjectId, 'lenses'),
        { type: 'TopicCreated', data: { ...topic, topicType: 'SECONDARY' } },
      ],
      [topicStream(subjectId, 'lenses'), { type: 'TopicChanged', data: { ...topic, topicType: 'PRIMARY' } }],
      [questionStream(post), { type: 'QuestionDeleted', data: own }],
      [answerStream(post), { type: 'AnswerDeleted', data: { ...own, answerId: post } }],
      [
        commentStream(post),
        { type: 'CommentDeleted', data: { ...own, commentId: post, parentType: 'ANSWER', parentId: post } },
      ],
      [
        commentStream(post),
        { type: 'CommentDeleted', data: { ...own, commentId: post, parentType: 'QUESTION', parentId: post } },
      ],
      [
        newspostStream(news.newspostId),
        {
          type: 'NewspostPublished',
          data: { newspostId: news.newspostId, spaceId, authorId: studentId, ...text },
        },
      ],
      [newspostStream(news.newspostId), { type: 'NewspostChanged', data: { ...news, ...text } }],
      [newspostStream(news.newspostId), { type: 'NewspostRemoved', data: news }],
      [newspostStream(news.newspostId), { type: 'NewspostRestored', data: news }],
      ...(['AvatarAdded', 'AvatarChanged', 'AvatarRetired', 'AvatarRestored'] as const).map(
        (type): [string, DomainEvent] => [AVATARS_STREAM, { type, data: avatar }],
      ),
    ];
  };

  it('have a reason and a subject, and do not include a student’s own topic', async () => {
    const { spaceId, place, ben, questionId } = open();
    const start = past.events.length;
    for (const [stream, event] of staffEvents({
      space: spaceId,
      subject: place.subjectId,
      student: ben,
      post: questionId,
    }))
      past.as({ kind: 'operator', operator: 'ada' }, () => past.append(stream, event));
    const entries = await list({ actsOnly: true, fromOrdinal: start + 1 });
    expect(
      entries.map(({ kind, about, reason, post }) => [kind, about, reason, post?.postType ?? null]),
    ).toEqual(
      [
        ['StudentUnblocked', null, null, null],
        ['StudentUnblocked', null, 'Not them', null],
        ['RoleGranted', 'MODERATOR', null, null],
        ['RoleRevoked', 'MODERATOR', null, null],
        ['SpaceChanged', 'Optics', null, null],
        ['SubjectChanged', 'Optics', null, null],
        ['TopicChanged', 'Lenses', null, null],
        ['QuestionDeleted', null, 'Not here', 'QUESTION'],
        ['AnswerDeleted', null, 'Not here', 'ANSWER'],
        ['CommentDeleted', null, 'Not here', 'COMMENT'],
        ['CommentDeleted', null, 'Not here', 'QUESTION_COMMENT'],
        ['NewspostPublished', 'Open day', null, null],
        ['NewspostChanged', 'Open day', null, null],
        ['NewspostRemoved', null, null, null],
        ['NewspostRestored', null, null, null],
        ['AvatarAdded', 'Owl', null, null],
        ['AvatarChanged', 'Owl', null, null],
        ['AvatarRetired', 'Owl', null, null],
        ['AvatarRestored', 'Owl', null, null],
      ].reverse(),
    );
    expect(
      entries.every(
        ({ actorKind, operator, points }) =>
          actorKind === 'operator' && operator === 'ada' && points.length === 0,
      ),
    ).toBe(true);
  });

  it('name the operator only if there was one', async () => {
    const { ben } = open();
    const start = past.events.length;
    const block = (reason: string) =>
      past.append(studentStream(ben), {
        type: 'StudentBlocked',
        data: { studentId: ben, reason, rank: 'OPERATOR' },
      });
    past.as({ kind: 'operator', operator: 'bob' }, () => block('typed'));
    past.as({ kind: 'import', id: ben, operator: 'ada' }, () => block('imported'));
    past.as({ kind: 'system' }, () => block('automatic'));
    expect(
      (await list({ fromOrdinal: start + 1 })).map(({ reason, operator }) => [reason, operator]),
    ).toEqual([
      ['automatic', null],
      ['imported', 'ada'],
      ['typed', 'bob'],
    ]);
  });

  it('include upheld reports, erasures and published rules', async () => {
    const { ada, ben, questionId } = open();
    const start = past.events.length;
    past.report(ben, questionId);
    past.uphold(past.newModerator(), questionId);
    const [upheld] = await list({ actsOnly: true, kinds: ['ReportsUpheld'], fromOrdinal: start + 1 });
    expect(upheld).toMatchObject({ reason: 'Right', staffWords: 'Right' });
    past.erase(ada);
    past.publishRules({ note: 'Kinder' });
    past.withdrawRules(2, 'Too kind');
    const entries = await list({ actsOnly: true, fromOrdinal: start + 1 });
    expect(entries).toMatchObject([
      { kind: 'ScoringRulesWithdrawn', about: '2', reason: 'Too kind', streamId: SCORING_RULES_STREAM },
      { kind: 'ScoringRulesPublished', about: '2: Kinder', space: null, streamId: SCORING_RULES_STREAM },
      { kind: 'StudentErased', receiver: { _id: ada, isErased: true } },
      // The erasure deletes what staff wrote about the student.
      { kind: 'ReportsUpheld', reason: null, staffWords: null, post: { _id: questionId }, points: [] },
      { kind: 'RoleGranted' },
    ]);
  });

  it('show why a request was refused, a member removed and a deletion scheduled, until the erasure', async () => {
    const { spaceId, ada } = open();
    const start = past.events.length;
    const [stream, data] = [membershipStream(spaceId, ada), { spaceId, studentId: ada }];
    past.append(stream, { type: 'EntryRequestRefused', data: { ...data, reason: 'For 7b' } });
    past.append(stream, { type: 'MemberRemoved', data: { ...data, reason: 'Left the school' } });
    const dueAt = '2026-01-08T00:00:00.000Z';
    past.append(studentStream(ada), {
      type: 'ErasureAsked',
      data: { studentId: ada, withWords: false, reason: 'Asked by letter', dueAt },
    });
    const reasons = async () =>
      (await list({ actsOnly: true, fromOrdinal: start + 1 })).map(({ kind, reason }) => [kind, reason]);
    expect(await reasons()).toEqual([
      ['ErasureAsked', 'Asked by letter'],
      ['MemberRemoved', 'Left the school'],
      ['EntryRequestRefused', 'For 7b'],
    ]);
    past.erase(ada);
    expect((await reasons()).map(([, reason]) => reason)).toEqual([null, null, null, null]);
  });

  it('include a reassignment and a reversal that removes the penalty', async () => {
    const { questionId, vote } = open();
    // 250 points, so that the minimum does not soften the penalty of 200.
    for (let count = 0; count < 5; count += 1) vote(past.newStudent(), 'UP');
    for (const reporter of [1, 2, 3].map(() => past.newStudent())) past.report(reporter, questionId);
    const [first, second] = [past.newModerator(), past.newModerator()];
    past.handOver(first, questionId, second);
    past.uphold(second, questionId);
    past.reverseUpholding(second, questionId);
    const entries = await list({ postId: questionId });
    expect(entries.slice(0, 4)).toMatchObject([
      { kind: 'UpholdingReversed', reason: 'Wrong', points: [{ merit: 200 }] },
      { kind: 'ReportsUpheld', points: [] },
      { kind: 'ReportsHandedOver', reason: 'Yours', class: 'ACT', points: [] },
      { kind: 'PostReported', points: [{ merit: -200 }] },
    ]);
  });

  it('have kinds that filters can use', () => {
    expect(AUDIT_KINDS).toEqual(expect.arrayContaining(['VoteCast', 'PostReported', 'VotesInvalidated']));
    expect(AUDIT_KINDS).not.toContain('QuestionAsked');
  });
});

describe('the audit', () => {
  it('discards changes made directly to its table on a rebuild', async () => {
    const { spaceId, ben, questionId, vote } = open();
    vote(ben, 'UP');
    past.report(ben, questionId);
    const before = await list({ spaceId });
    await side.pool.query("update read.audit_entries set reason = 'never said' where space_id = $1", [
      spaceId,
    ]);
    await side.pool.query("delete from read.audit_entries where space_id = $1 and class = 'VOTE'", [spaceId]);
    expect(await list({ spaceId })).not.toEqual(before);
    await side.rebuild('audit');
    expect(await list({ spaceId })).toEqual(before);
  });
});

describe('access log entries', () => {
  const recordRead = (what: ConfidentialKind, read: Partial<EventOf<'ConfidentialDataRead'>['data']>) => {
    const readId = randomUUID();
    const scope = { spaceIds: [], studentIds: [], post: null, caseId: null, filter: null, rows: 1, ...read };
    past.append(readStream(readId), { type: 'ConfidentialDataRead', data: { readId, what, ...scope } });
  };
  const scopeOf = (readerId: string, spaces: 'all' | readonly string[], all = false): AuditScope => ({
    spaces,
    withoutSpace: all ? 'all' : [],
    actionsInAllSpaces: all,
    readerId,
  });

  it('are listed only on request', async () => {
    const { spaceId, ada, ben, questionId } = open();
    const post = {
      postType: 'QUESTION',
      postId: questionId,
      questionId,
      spaceId,
      postAuthorId: ada,
    } as const;
    const since = { spaceId, fromOrdinal: past.events.length + 1 };
    past.as({ kind: 'student', id: ben }, () =>
      recordRead('REPORTERS', { spaceIds: [spaceId], studentIds: [ada], post }),
    );
    expect(await list(since)).toEqual([]);
    const [read, ...more] = await list({ ...since, readsOnly: true });
    expect(more).toEqual([]);
    expect(read).toMatchObject({
      kind: 'ConfidentialDataRead',
      class: 'READ',
      about: 'REPORTERS',
      actor: { _id: ben },
      receiver: { _id: ada },
      space: { _id: spaceId },
      post: { _id: questionId, title: 'How far?' },
      points: [],
    });
    expect(await list({ ...since, kinds: ['ConfidentialDataRead'] })).toEqual([read]);
    expect(await list({ ...since, withReads: true })).toEqual([read]);
    expect(await list({ ...since, actsOnly: true })).toEqual([]);
  });

  it('are visible to moderators of the space and to maintainers, but not to their subjects', async () => {
    const [here, there] = [open(), open()];
    const start = past.events.length;
    const reader = past.newModerator();
    past.as({ kind: 'student', id: reader }, () => {
      recordRead('VOTES', { spaceIds: [here.spaceId, there.spaceId], studentIds: [here.ada, here.ben] });
      recordRead('PEOPLE', {});
    });
    const readsIn = async (scope: AuditScope) =>
      (await list({ fromOrdinal: start + 1, readsOnly: true }, { scope })).map(({ about, space }) => [
        about,
        space?._id ?? null,
      ]);
    const votes = (spaceId: string) => ['VOTES', spaceId];
    expect(await readsIn(scopeOf(here.questionId, [here.spaceId]))).toEqual([votes(here.spaceId)]);
    expect(await readsIn(scopeOf(there.ada, [there.spaceId]))).toEqual([votes(there.spaceId)]);
    // The other line of the same event is hidden from its subject too.
    expect(await readsIn(scopeOf(here.ben, [here.spaceId, there.spaceId], true))).toEqual([['PEOPLE', null]]);
    expect(await readsIn(scopeOf(there.ben, [], true))).toEqual([
      ['PEOPLE', null],
      votes(there.spaceId),
      votes(here.spaceId),
    ]);
    expect(await readsIn(scopeOf(reader, [here.spaceId]))).toEqual([votes(here.spaceId)]);
  });
});
