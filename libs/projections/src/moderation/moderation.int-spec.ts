import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answerStream,
  caseRank,
  commentStream,
  questionStream,
  REASON_SEVERITY,
  reportPoints,
  moderationStream,
  studentStream,
  type DomainEvent,
  type ReportReason,
} from '@nimo/domain';
import { historySeed } from '@nimo/testing';
import { READ_TYPES } from '@nimo/projection-engine';
import { allEvents, replay, storeOf } from '@nimo/projection-engine/testing';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import {
  findAuthorRecord,
  findCaseSummary,
  findModerationCase,
  listAuthorDecisions,
  listCaseDecisions,
  listCaseReports,
  listVoteDays,
} from './moderation-case.queries.js';
import { moderationProjection } from './moderation.projection.js';
import { findLeaderboardScore } from '../leaderboard/leaderboard.queries.js';
import { findPenaltyEffects } from '../leaderboard/penalty-effects.queries.js';
import { listOwnRemovals } from './own-removals.queries.js';
import { countOpenCases, pageOfModerationQueue, type QueueOptions } from './moderation-queue.queries.js';

const seed = historySeed();

let side: ReadSide;
let past: EventHistory;
beforeAll(async () => {
  side = await openReadSide();
  past = randomHistory(seed, 700);
  await side.record(past);
});
afterAll(() => side.close());

const NOW = '2026-06-01T00:00:00.000Z';
/** A separate space for each test: they share one log. */
function open() {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const [author, ann, ben, cid] = [
    past.newStudent(),
    past.newStudent(),
    past.newStudent(),
    past.newStudent(),
  ];
  return { spaceId, place, author, ann, ben, cid, moderator: past.newModerator() };
}
const queueOf = (spaceId: string, changes: Partial<QueueOptions> = {}) =>
  pageOfModerationQueue(side.pool, {
    moderatorId: 'other',
    spaces: [spaceId],
    state: 'OPEN',
    isMine: false,
    now: NOW,
    limit: 50,
    after: null,
    ...changes,
  });
const idsOf = ({ docs }: { readonly docs: readonly { readonly postId: string }[] }) =>
  docs.map(({ postId }) => postId);

interface StoredCase {
  readonly post_id: string;
  readonly space_id: string;
  readonly author_id: string;
  readonly round: number;
  readonly is_upheld: boolean;
  readonly first_reported_at: string | null;
  readonly reports: readonly {
    readonly reporterId: string;
    readonly reason: ReportReason;
    readonly round: number;
  }[];
}

/** Compares the queue and the totals with a calculation from the reports by the domain's functions. */
async function expectQueueToHold(): Promise<void> {
  const { rows: cases } = await side.pool.query<StoredCase>({
    types: READ_TYPES,
    text: 'select * from read.moderation_cases',
  });
  const records = new Map<string, { upheld: number; dismissed: number }>();
  const recordOf = (spaceId: string, reporterId: string) =>
    records.get(`${spaceId} ${reporterId}`) ?? { upheld: 0, dismissed: 0 };
  for (const found of cases) {
    for (const { reporterId, round } of found.reports) {
      const known = recordOf(found.space_id, reporterId);
      const isDismissed = round < found.round;
      records.set(`${found.space_id} ${reporterId}`, {
        upheld: known.upheld + Number(!isDismissed && found.is_upheld),
        dismissed: known.dismissed + Number(isDismissed),
      });
    }
  }
  const expected = cases.flatMap(({ post_id, space_id, round, is_upheld, reports, first_reported_at }) => {
    const open = is_upheld ? [] : reports.filter((report) => report.round === round);
    if (open.length === 0 || first_reported_at === null) return [];
    const points = open.reduce(
      (sum, { reporterId, reason }) =>
        sum + reportPoints(REASON_SEVERITY[reason], recordOf(space_id, reporterId)),
      0,
    );
    return [{ post_id, space_id, rank: caseRank(points, first_reported_at) }];
  });
  const { rows: queue } = await side.pool.query<{ post_id: string }>({
    types: READ_TYPES,
    text: 'select * from read.moderation_queue order by post_id',
  });
  expect(queue).toEqual(expected.sort((left, right) => (left.post_id < right.post_id ? -1 : 1)));
  const { rows: totals } = await side.pool.query<{ open: number }>({
    types: READ_TYPES,
    text: 'select coalesce(sum(open), 0)::int as open from read.moderation_totals',
  });
  expect(totals[0]?.open).toBe(expected.length);
}

describe(`the moderation queue (NIMO_HISTORY_SEED=${seed})`, () => {
  it('matches the domain’s formula in a random history and after a rebuild', async () => {
    await expectQueueToHold();
    await side.rebuild('moderation');
    await expectQueueToHold();
  });

  it('weighs reporters by the outcomes of their earlier reports in the space', async () => {
    const { place, spaceId, author, ann, ben, moderator } = open();
    const [first, second, ofAnn, ofBen] = [
      past.ask(author, place),
      past.ask(author, place),
      past.ask(author, place),
      past.ask(author, place),
    ];
    past.report(ben, ofBen);
    past.report(ann, ofAnn);
    past.report(ann, first);
    past.report(ben, second);
    await side.record(past);
    const weightsOf = async () => {
      const { docs } = await queueOf(spaceId);
      return [ofAnn, ofBen].map((post) => docs.find(({ postId }) => postId === post)?.weight ?? 0) as [
        number,
        number,
      ];
    };
    const [annAtFirst, benAtFirst] = await weightsOf();
    expect(Math.abs(annAtFirst - benAtFirst)).toBeLessThanOrEqual(1);
    past.uphold(moderator, first);
    past.dismiss(moderator, second);
    await side.record(past);
    // The open cases did not change, but their reporters' records did.
    expect(idsOf(await queueOf(spaceId))).toEqual([ofAnn, ofBen]);
    expect(await weightsOf()).toEqual([annAtFirst + 66, benAtFirst - 67]);
    const { rows } = await side.pool.query(
      'select * from read.reporter_records where space_id = $1 order by upheld desc',
      [spaceId],
    );
    expect(rows).toMatchObject([
      { reporter_id: ann, upheld: expect.anything() },
      { reporter_id: ben, dismissed: expect.anything() },
    ]);
    past.reverseUpholding(moderator, first);
    await side.record(past);
    expect(await weightsOf()).toEqual([annAtFirst - 67, benAtFirst - 67]);
    await expectQueueToHold();
  });

  it('shows an excerpt of a comment as typed, with names for mentions', async () => {
    const { place, spaceId, author, ann, ben } = open();
    const questionId = past.ask(author, place, { body: '<p>x &lt; <b>y</b></p>' });
    const text = 'a < b and c > d, @[0], @[constructor]';
    const mentioning = past.comment(author, questionId, `@[${ann}]: ${text}`);
    const long = past.comment(author, questionId, `${'a'.repeat(159)}👨‍👩‍👧‍👦!`);
    for (const postId of [questionId, mentioning, long]) past.report(ben, postId);
    await side.record(past);
    const { docs } = await queueOf(spaceId);
    const shown = new Map(docs.map(({ postId, excerpt }) => [postId, excerpt]));
    expect(shown).toEqual(
      new Map([
        [questionId, 'x < y'],
        [mentioning, `@user_${ann.slice(0, 8)}: ${text}`],
        [long, `${'a'.repeat(159)}…`],
      ]),
    );
  });

  it.each(['upheld', 'dismissed'] as const)(
    'gives the same weights for any batch size when a report arrives after reports were %s',
    async (outcome) => {
      const story = new EventHistory();
      const spaceId = story.newSpace();
      const place = story.newTopic(spaceId, story.newSubject(spaceId));
      const [author, ann, ben] = [story.newStudent(), story.newStudent(), story.newStudent()];
      const moderator = story.newModerator();
      const [decided, open] = [story.ask(author, place), story.ask(author, place)];
      story.report(ann, open);
      story.report(ben, decided);
      const reported = story.events.at(-1);
      if (reported?.type !== 'PostReported') throw new Error('nothing was reported');
      if (outcome === 'upheld') story.uphold(moderator, decided);
      else story.dismiss(moderator, decided);
      // Another process decided just before.
      story.append(moderationStream(decided), {
        type: 'PostReported',
        data: { ...reported.data, reporterId: ann },
      });
      const events = await allEvents(await storeOf(story.appends));
      const hashOf = (sizes: readonly number[]) => replay(side.pool, moderationProjection, events, sizes);
      const expected = await hashOf([events.length]);
      for (const size of [1, 2, 3, events.length - 1]) {
        expect({ size, hash: await hashOf([size]) }).toEqual({ size, hash: expected });
      }
    },
  );

  it('pages without gaps, in one or all spaces, and leaves out the moderator’s own posts', async () => {
    const { place, spaceId, author, ann, ben } = open();
    const posts = Array.from({ length: 5 }, () => past.ask(author, place));
    const own = past.ask(ben, place);
    for (const post of [...posts, own]) past.report(ann, post);
    await side.record(past);
    const all = idsOf(await queueOf(spaceId));
    expect([...all].sort()).toEqual([...posts, own].sort());
    for (const spaces of [[spaceId], 'all'] as const) {
      const paged: string[] = [];
      let after: QueueOptions['after'] = null;
      do {
        const page: Awaited<ReturnType<typeof queueOf>> = await queueOf(spaceId, { spaces, limit: 2, after });
        paged.push(...idsOf(page));
        after = page.next;
      } while (after);
      expect(paged.filter((id) => all.includes(id))).toEqual(all);
      expect(new Set(paged).size).toBe(paged.length);
    }
    expect(idsOf(await queueOf(spaceId, { moderatorId: ben }))).not.toContain(own);
    expect(await countOpenCases(side.pool, { moderatorId: ben, spaces: [spaceId] })).toBe(5);
    expect(await countOpenCases(side.pool, { moderatorId: 'other', spaces: [spaceId] })).toBe(6);
    const everywhere = { moderatorId: 'other', spaces: 'all' } as const;
    expect(await countOpenCases(side.pool, everywhere)).toBeGreaterThanOrEqual(6);
  });

  it('counts the cases it lists, without those that the moderator reported in an earlier round', async () => {
    const { place, spaceId, author, ann, ben, moderator } = open();
    const post = past.ask(author, place);
    past.report(ann, post);
    past.dismiss(moderator, post);
    past.report(ben, post);
    await side.record(past);
    for (const [moderatorId, expected] of [
      [ann, []],
      [author, []],
      [moderator, [post]],
    ] as const) {
      expect(idsOf(await queueOf(spaceId, { moderatorId }))).toEqual(expected);
      expect(await countOpenCases(side.pool, { moderatorId, spaces: [spaceId] })).toBe(expected.length);
    }
  });

  it('lists decided cases in pages, latest first', async () => {
    const { place, spaceId, author, ann, moderator } = open();
    const posts = Array.from({ length: 3 }, () => past.ask(author, place));
    for (const post of posts) past.report(ann, post);
    for (const post of posts) past.dismiss(moderator, post);
    await side.record(past);
    const first = await queueOf(spaceId, { state: 'DECIDED', limit: 2 });
    expect(idsOf(first)).toEqual([posts[2], posts[1]]);
    expect(first.docs[0]).toMatchObject({
      lastDecision: 'DISMISSED',
      decidedBy: { _id: moderator },
      weight: null,
    });
    expect(idsOf(await queueOf(spaceId, { state: 'DECIDED', limit: 2, after: first.next }))).toEqual([
      posts[0],
    ]);
    expect(idsOf(await queueOf(spaceId, { state: 'DECIDED', spaces: 'all', limit: 100 }))).toEqual(
      expect.arrayContaining(posts),
    );
    expect(idsOf(await queueOf(spaceId))).toEqual([]);
  });
});

describe('a report case', () => {
  it('shows which penalty was chosen, and tells beforehand what each would cost', async () => {
    past.publishRules({ upheldReportsCount: false });
    const { place, spaceId, author, ann, ben, moderator } = open();
    const [good, post] = [past.ask(author, place), past.ask(author, place)];
    for (const voter of [ann, ben]) past.vote(voter, good, 'UP');
    past.report(ann, post);
    past.uphold(moderator, post);
    past.reverseUpholding(moderator, post);
    past.report(ben, post);
    await side.record(past);
    const found = await findModerationCase(side.pool, post);
    if (!found) throw new Error('no case');
    const effects = await findPenaltyEffects(side.pool, { ...found, now: NOW });
    const scoreOf = () => findLeaderboardScore(side.pool, { spaceId, studentId: author, viewerId: author });
    const before = (await scoreOf())?.score ?? 0;
    past.uphold(moderator, post, 'FULL');
    await side.record(past);
    const after = (await scoreOf())?.score ?? 0;
    expect(effects).toEqual([
      { penalty: 'RULES', points: 0 },
      { penalty: 'NONE', points: 0 },
      { penalty: 'FULL', points: after - before },
    ]);
    // Merit of 101 cannot drop by 200.
    expect(after - before).toBe(-100);
    expect(
      (await listCaseDecisions(side.pool, post)).map(({ decision, penalty }) => [decision, penalty]),
    ).toEqual([
      ['UPHELD', 'FULL'],
      ['REVERSED', null],
      ['UPHELD', 'RULES'],
    ]);
  });

  it('shows the outcome of each report across several rounds', async () => {
    const { place, spaceId, author, ann, ben, cid, moderator } = open();
    const post = past.ask(author, place);
    expect(await findCaseSummary(side.pool, post)).toBeNull();
    past.report(ann, post);
    past.handOver(moderator, post, ben);
    await side.record(past);
    expect(await findModerationCase(side.pool, post)).toMatchObject({
      assigneeId: ben,
      revision: 1,
      openReports: 1,
    });
    past.dismiss(moderator, post);
    past.report(ben, post);
    past.uphold(moderator, post);
    await side.record(past);
    const upheld = await findModerationCase(side.pool, post);
    expect(upheld).toMatchObject({
      isUpheld: true,
      assigneeId: null,
      revision: 3,
      round: 1,
      openReports: 0,
      rank: null,
    });
    if (!upheld) throw new Error('no case');
    expect((await listCaseReports(side.pool, upheld)).map(({ outcome }) => outcome)).toEqual([
      'UPHELD',
      'DISMISSED',
    ]);
    expect(await findAuthorRecord(side.pool, { authorId: author, spaceId })).toMatchObject({
      reportedPosts: 1,
      removedPosts: 1,
      upheldReports: 1,
      dismissedReports: 1,
    });
    past.reverseUpholding(moderator, post);
    past.report(cid, post);
    await side.record(past);
    expect(await findModerationCase(side.pool, post)).toMatchObject({
      isUpheld: false,
      round: 2,
      openReports: 1,
    });
    expect((await listCaseDecisions(side.pool, post)).map(({ decision }) => decision)).toEqual([
      'REVERSED',
      'UPHELD',
      'DISMISSED',
      'HANDED_OVER',
    ]);
  });

  it('treats a report of an earlier round as dismissed and counts each reporter once', async () => {
    const { place, author, ann, ben, moderator } = open();
    const post = past.ask(author, place);
    past.report(ann, post);
    const first = past.events.at(-1);
    past.dismiss(moderator, post);
    if (first?.type !== 'PostReported') throw new Error('nothing was reported');
    const late: DomainEvent = { type: 'PostReported', data: { ...first.data, reporterId: ben } };
    past.append(moderationStream(post), late, late);
    await side.record(past);
    const found = await findModerationCase(side.pool, post);
    expect(found).toMatchObject({ openReports: 0 });
    expect(found?.reports).toHaveLength(2);
  });

  it('lists deletions by moderators, and the author’s blocks until the author is erased', async () => {
    const { place, spaceId, author, ann, moderator } = open();
    const question = past.ask(author, place);
    const answer = past.answer(author, question);
    const comments = [past.comment(author, question), past.comment(author, answer)];
    const post = past.ask(author, place);
    past.report(ann, post);
    const stream = studentStream(author);
    past.append(stream, {
      type: 'StudentBlocked',
      data: { studentId: author, reason: 'Spam', rank: 'MAINTAINER' },
    });
    past.append(stream, { type: 'StudentUnblocked', data: { studentId: author } });
    past.append(stream, { type: 'StudentUnblocked', data: { studentId: author, reason: 'Not them' } });
    const gone = { questionId: question, spaceId, authorId: author, reason: 'Rude' };
    past.append(questionStream(question), { type: 'QuestionDeleted', data: gone });
    past.append(answerStream(answer), { type: 'AnswerDeleted', data: { ...gone, answerId: answer } });
    for (const [index, commentId] of comments.entries()) {
      const parent = {
        parentType: index === 0 ? 'QUESTION' : 'ANSWER',
        parentId: index === 0 ? question : answer,
      } as const;
      past.append(commentStream(commentId), {
        type: 'CommentDeleted',
        data: { ...gone, ...parent, commentId },
      });
    }
    past.deleteQuestion(past.ask(author, place));
    await side.record(past);
    const { blocks } = await findAuthorRecord(side.pool, { authorId: author, spaceId });
    expect(blocks).toMatchObject([
      { kind: 'BLOCKED', reason: 'Spam' },
      { kind: 'UNBLOCKED', reason: null },
      { kind: 'UNBLOCKED', reason: 'Not them' },
    ]);
    const decisions = await listAuthorDecisions(side.pool, { authorId: author, spaceId, exceptPostId: post });
    expect(decisions.map(({ decision }) => decision)).toEqual(['DELETED', 'DELETED', 'DELETED', 'DELETED']);
    past.erase(author);
    await side.record(past);
    expect((await findAuthorRecord(side.pool, { authorId: author, spaceId })).blocks).toEqual([]);
    expect(moderator).toBeDefined();
  });

  it('shows authors only their own removed posts, with the reason', async () => {
    const { place, author, ann, moderator } = open();
    const question = past.ask(author, place, { title: 'Buy this?' });
    const [answer, kept] = [past.answer(author, question, '<p>Mine</p>'), past.answer(author, question)];
    const [comment, other] = [past.comment(author, answer, `For @[${ann}]`), past.answer(ann, question)];
    const elsewhere = past.ask(author, place);
    for (const post of [answer, comment, kept, other, elsewhere, question]) {
      past.report(post === other ? author : ann, post);
      past.uphold(moderator, post);
    }
    past.reverseUpholding(moderator, kept);
    await side.record(past);
    const own = await listOwnRemovals(side.pool, { questionId: question, authorId: author });
    expect(own.map(({ postId }) => postId)).toEqual([question, answer, comment]);
    expect(own[0]).toMatchObject({ postType: 'QUESTION', title: 'Buy this?', reason: 'Right' });
    expect(own[1]).toMatchObject({ postType: 'ANSWER', body: '<p>Mine</p>' });
    expect(own[2]?.body).toBe(`For @user_${ann.slice(0, 8)}`);
    expect(own[2]?.body).not.toContain(ann);
    const others = await listOwnRemovals(side.pool, { questionId: question, authorId: ann });
    expect(others.map(({ postId }) => postId)).toEqual([other]);
  });

  it('counts votes by day', async () => {
    const { place, author, ann, ben } = open();
    const post = past.ask(author, place);
    past.vote(ann, post, 'UP');
    past.vote(ben, post, 'DOWN');
    past.vote(ben, post, 'UP');
    await side.record(past);
    const days = await listVoteDays(side.pool, post);
    const sum = (counter: 'up' | 'down' | 'withdrawn') =>
      days.reduce((total, day) => total + day[counter], 0);
    expect([sum('up'), sum('down'), sum('withdrawn')]).toEqual([2, 1, 1]);
  });
});
