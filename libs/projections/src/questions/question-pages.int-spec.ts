import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { membershipStream, spaceStream } from '@nimo/domain';
import { listPopularTopics } from '../spaces/spaces.queries.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findAnswerById, pageOfAnswers } from './answers.queries.js';
import { findCommentById, listCommentsOf, pageOfComments } from './comments.queries.js';
import { pageOfOwnPostReports, readPublicQuestion } from './public-question.queries.js';
import {
  findQuestionById,
  listSavedQuestionIds,
  pageOfQuestions,
  pageOfUnsolvedQuestions,
  type QuestionListOptions,
} from './question-pages.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
/** Creates a space per test, because all tests share one log. */
function open() {
  const spaceId = past.newSpace();
  const algebra = past.newTopic(spaceId, past.newSubject(spaceId));
  const optics = past.newTopic(spaceId, past.newSubject(spaceId, 'Physics'), 'Optics');
  const [ada, ben] = [past.newStudent(), past.newStudent()];
  past.join(ada, spaceId);
  return { spaceId, algebra, optics, ada, ben };
}
const ids = ({ docs }: { readonly docs: readonly { readonly _id: string }[] }) => docs.map(({ _id }) => _id);

describe('isAuthorizedToInteract', () => {
  it('is false for a suspended member until the suspension ends or is lifted, and in an archived space', async () => {
    const { spaceId, algebra, ada, ben } = open();
    const questionId = past.ask(ben, algebra);
    const stream = membershipStream(spaceId, ada);
    const isAuthorized = async () => {
      await side.record(past);
      return (await findQuestionById(side.pool, questionId, ada))?.isAuthorizedToInteract;
    };
    const suspend = (until?: string) =>
      past.append(stream, {
        type: 'MemberSuspended',
        data: { spaceId, studentId: ada, reason: 'Spam', rank: 'MODERATOR', ...(until && { until }) },
      });
    expect(await isAuthorized()).toBe(true);
    suspend('2026-01-02T00:00:00.000Z');
    expect(await isAuthorized()).toBe(true);
    suspend('9999-01-01T00:00:00.000Z');
    expect(await isAuthorized()).toBe(false);
    suspend();
    expect(await isAuthorized()).toBe(false);
    past.append(stream, { type: 'SuspensionLifted', data: { spaceId, studentId: ada, reason: null } });
    expect(await isAuthorized()).toBe(true);
    past.append(spaceStream(spaceId), { type: 'SpaceArchived', data: { spaceId, name: 'Space' } });
    expect(await isAuthorized()).toBe(false);
  });
});

/** Cartesian product of all filter values. */
function allFilters(place: {
  readonly subjectId: string;
  readonly topicId: string;
}): Partial<QuestionListOptions>[] {
  const choices: readonly (readonly Partial<QuestionListOptions>[])[] = [
    [{}, { subjectId: place.subjectId }],
    [{}, { topicId: place.topicId }],
    [{}, { isMine: true }],
    [{}, { isSaved: true }],
    [{}, { isSolved: true }, { isSolved: false }],
    [{ sort: 'NEWEST' }, { sort: 'MOST_ANSWERED' }],
  ];
  return choices.reduce<Partial<QuestionListOptions>[]>(
    (filters, next) => filters.flatMap((filter) => next.map((choice) => ({ ...filter, ...choice }))),
    [{}],
  );
}

describe('pages of questions', () => {
  it('filters by subject, topic, author and solution, with matching totals', async () => {
    const { spaceId, algebra, optics, ada, ben } = open();
    const mine = past.ask(ada, algebra);
    const solved = past.ask(ben, algebra);
    const other = past.ask(ben, optics);
    past.accept(past.answer(ada, solved));
    past.deleteQuestion(past.ask(ada, algebra));
    await side.record(past);
    const list = async (filter: Partial<QuestionListOptions>) => {
      const page = await pageOfQuestions(side.pool, { spaceId, viewerId: ada, limit: 1, ...filter });
      const all = await pageOfQuestions(side.pool, { spaceId, viewerId: ada, ...filter });
      expect(page.totalPages).toBe(all.docs.length);
      expect(ids(page)).toEqual(ids(all).slice(0, 1));
      return ids(all);
    };
    expect(await list({})).toEqual([other, solved, mine]);
    expect(await list({ sort: 'MOST_ANSWERED' })).toEqual([solved, other, mine]);
    expect(await list({ subjectId: algebra.subjectId })).toEqual([solved, mine]);
    expect(await list({ topicId: optics.topicId })).toEqual([other]);
    expect(await list({ subjectId: algebra.subjectId, topicId: optics.topicId })).toEqual([]);
    expect(await list({ isMine: true })).toEqual([mine]);
    expect(await list({ isSolved: true })).toEqual([solved]);
    expect(await list({ isSolved: false })).toEqual([other, mine]);
    expect(await list({ isSolved: false, subjectId: algebra.subjectId, isMine: true })).toEqual([mine]);
    expect(await list({ viewerId: ben, isMine: true, isSolved: false })).toEqual([other]);
    const { subjectId } = algebra;
    expect(ids(await pageOfUnsolvedQuestions(side.pool, { spaceId, viewerId: ada }))).toEqual([other, mine]);
    expect(
      ids(await pageOfUnsolvedQuestions(side.pool, { spaceId, viewerId: ada, subjectIds: [subjectId] })),
    ).toEqual([mine]);
    const both = [subjectId, optics.subjectId];
    const unsolved = { spaceId, viewerId: ada, subjectIds: both, limit: 1 };
    expect(await pageOfUnsolvedQuestions(side.pool, { ...unsolved, page: 2 })).toMatchObject({
      docs: [{ _id: mine }],
      page: 2,
      totalPages: 2,
      total: 2,
    });
    const popular = await listPopularTopics(side.pool, { spaceId });
    expect(popular.map(({ topicName }) => topicName)).toEqual(['Algebra', 'Optics']);
  });

  it('is consistent for every combination of filters, sorts and pages', async () => {
    const { spaceId, algebra, optics, ada, ben } = open();
    for (const [author, place] of [
      [ada, algebra],
      [ben, algebra],
      [ada, optics],
      [ben, optics],
    ] as const) {
      const [plain, solved] = [past.ask(author, place), past.ask(author, place)];
      past.accept(past.answer(author === ada ? ben : ada, solved));
      for (const questionId of [plain, solved]) past.save(ada, questionId);
    }
    await side.record(past);
    for (const filter of allFilters(algebra)) {
      const { subjectId, topicId, isMine, isSolved } = filter;
      const halvings = [subjectId ?? topicId, isMine, isSolved].filter(
        (choice) => choice !== undefined,
      ).length;
      const pages = await Promise.all(
        [1, 2].map((page) =>
          pageOfQuestions(side.pool, {
            spaceId,
            viewerId: ada,
            ...filter,
            page,
            limit: 4,
            parts: { body: page === 1, details: page === 2 },
          }),
        ),
      );
      const found = new Set(pages.flatMap(ids)).size;
      expect({ filter, found }).toEqual({ filter, found: 8 / 2 ** halvings });
      expect(pages.map(({ totalPages }) => totalPages)).toEqual([1, 1].map(() => Math.ceil(found / 4)));
    }
  });

  it('returns empty pages past the end and in an empty space, and pages without gaps', async () => {
    const { spaceId, algebra, ada } = open();
    await side.record(past);
    expect(await pageOfQuestions(side.pool, { spaceId, viewerId: ada })).toEqual({
      docs: [],
      page: 1,
      totalPages: 0,
      total: 0,
      isViewerMember: true,
    });
    const asked = Array.from({ length: 5 }, () => past.ask(ada, algebra)).reverse();
    await side.record(past);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => pageOfQuestions(side.pool, { spaceId, viewerId: ada, page, limit: 2 })),
    );
    expect(pages.flatMap(ids)).toEqual(asked);
    expect(pages.map(({ totalPages }) => totalPages)).toEqual([3, 3, 3, 3]);
  });

  it('lists saved questions until they are removed or unsaved', async () => {
    const { spaceId, algebra, ada, ben } = open();
    const [kept, deleted, unsaved] = [past.ask(ben, algebra), past.ask(ben, algebra), past.ask(ben, algebra)];
    for (const questionId of [kept, deleted, unsaved]) past.save(ada, questionId);
    past.deleteQuestion(deleted);
    past.unsave(ada, unsaved);
    await side.record(past);
    const page = await pageOfQuestions(side.pool, { spaceId, viewerId: ada, isSaved: true });
    expect(page).toMatchObject({ docs: [{ _id: kept, isSaved: true }], totalPages: 1 });
    expect(ids(await pageOfQuestions(side.pool, { spaceId, viewerId: ben, isSaved: true }))).toEqual([]);
    expect(await listSavedQuestionIds(side.pool, ada, spaceId)).toEqual([kept]);
    expect(await listSavedQuestionIds(side.pool, ada)).toEqual([kept]);
    expect(await listSavedQuestionIds(side.pool, ben)).toEqual([]);
  });

  it('shows the whole card, and only the viewer’s own vote', async () => {
    const { spaceId, algebra, ada, ben } = open();
    const questionId = past.ask(ben, algebra, { title: 'A & B', body: '<p>One &lt; two</p><p>three</p>' });
    past.vote(ada, questionId, 'UP');
    past.vote(past.newStudent(), questionId, 'DOWN');
    await side.record(past);
    const { docs } = await pageOfQuestions(side.pool, { spaceId, viewerId: ada });
    expect(docs).toEqual([await findQuestionById(side.pool, questionId, ada)]);
    expect(docs[0]).toMatchObject({
      title: 'A & B',
      excerpt: 'One < two three',
      tags: ['Algebra'],
      upvoteCount: 1,
      downvoteCount: 1,
      upvotedBy: [{ _id: ada }],
      downvotedBy: [],
      author: { _id: ben, firstName: 'Ada' },
      topic: { topicName: 'Algebra', subject: { subjectName: 'Mathematics' } },
      space: { _id: spaceId, joined: true, memberCount: 1 },
      isSaved: false,
      isAuthorizedToInteract: true,
      createdAt: expect.stringMatching(/^2026-01-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      editedAt: null,
    });
    expect(await findQuestionById(side.pool, questionId, null)).toMatchObject({
      upvotedBy: [],
      isAuthorizedToView: true,
      isAuthorizedToInteract: false,
    });
    const listed = { spaceId, viewerId: ada };
    const [short] = (await pageOfQuestions(side.pool, { ...listed, parts: { body: false, details: true } }))
      .docs;
    expect(short).toEqual({ ...docs[0], body: '' });
    const [card] = (await pageOfQuestions(side.pool, { ...listed, parts: { body: false, details: false } }))
      .docs;
    const {
      space: _space,
      upvotedBy: _up,
      downvotedBy: _down,
      isSaved: _saved,
      isAuthorAway: _away,
      ...rest
    } = short ?? {};
    expect(card).toMatchObject(rest);
  });

  it('clears the names of an erased author and keeps the post', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ben, algebra);
    past.append(`student-${ben}`, { type: 'StudentErased', data: { studentId: ben, withWords: false } });
    await side.record(past);
    expect(await findQuestionById(side.pool, questionId, ada)).toMatchObject({
      author: { _id: ben, userName: '', firstName: '', lastName: '', realProfilePicUrl: null },
    });
  });
});

describe('votes', () => {
  it('ignores invalidated votes until the case is reversed, even if toggled', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ben, algebra);
    const [withdrawn, turned] = [past.newStudent(), past.newStudent()];
    for (const voter of [ada, withdrawn, turned]) past.vote(voter, questionId, 'UP');
    const listed = [ada, withdrawn, turned].map((voter) => past.voteData(voter, questionId, 'UP'));
    past.vote(withdrawn, questionId, 'UP');
    past.vote(turned, questionId, 'DOWN');
    const moderator = past.newModerator();
    const cases = [past.invalidate(moderator, listed), past.invalidate(moderator, listed)];
    const counts = async () => {
      await side.record(past);
      const question = await findQuestionById(side.pool, questionId, ada);
      return [question?.upvoteCount, question?.downvoteCount, question?.upvotedBy.length];
    };
    expect(await counts()).toEqual([0, 1, 1]);
    past.vote(withdrawn, questionId, 'UP');
    expect(await counts()).toEqual([0, 1, 1]);
    past.reverse(cases[0] ?? '');
    expect(await counts()).toEqual([0, 1, 1]);
    past.reverse(cases[1] ?? '');
    expect(await counts()).toEqual([2, 1, 1]);
  });
});

describe('answers and comments', () => {
  it('puts the accepted answer first and counts visible answers', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ada, algebra);
    const [first, second, third] = [
      past.answer(ben, questionId),
      past.answer(ben, questionId),
      past.answer(ben, questionId),
    ];
    past.accept(third);
    past.deleteAnswer(second);
    past.uphold(past.newModerator(), second);
    await side.record(past);
    const page = await pageOfAnswers(side.pool, { questionIds: [questionId], viewerId: ada });
    expect(page).toMatchObject({ docs: [{ _id: third, title: 'How?' }, { _id: first }], totalPages: 1 });
    const question = await findQuestionById(side.pool, questionId, ada);
    expect(question).toMatchObject({ answerCount: 2, acceptedAnswer: { _id: third } });
    expect(
      await pageOfAnswers(side.pool, { questionIds: [questionId], viewerId: null, page: 2, limit: 1 }),
    ).toMatchObject({ docs: [{ _id: first }], totalPages: 2 });
  });

  describe('the first answers of a question', () => {
    const KILOBYTE = 1024;
    /** Incompressible. */
    const bodyOf = (kilobytes: number): string =>
      `<p>${randomBytes((kilobytes * KILOBYTE) / 2).toString('hex')}</p>`;

    it('are as many as fit, the accepted answer first, and are public', async () => {
      const { algebra, ada, ben } = open();
      const questionId = past.ask(ada, algebra);
      const [first, second, third] = ['<p>äöü</p>', '<p>2</p>', '<p>3</p>'].map((body) =>
        past.answer(ben, questionId, body),
      );
      past.accept(third ?? '');
      past.deleteAnswer(second ?? '');
      await side.record(past);
      const firstOf = async (limit: number, bodyBytes: number) =>
        (await readPublicQuestion(side.pool, { questionId, limit, bodyBytes }))?.view.answers.map(
          ({ answer }) => answer._id,
        );
      const own = Buffer.byteLength((await findQuestionById(side.pool, questionId, null))?.body ?? '');
      const bytes = own + Buffer.byteLength('<p>3</p><p>äöü</p>');
      expect(await firstOf(20, bytes)).toEqual([third, first]);
      expect(await firstOf(20, bytes - 1)).toEqual([third]);
      expect(await firstOf(1, bytes)).toEqual([third]);
      expect(await firstOf(20, own)).toEqual([]);
      const page = await pageOfAnswers(side.pool, { questionIds: [questionId], viewerId: null });
      const found = await readPublicQuestion(side.pool, { questionId, limit: 20, bodyBytes: bytes });
      expect(found?.view.answers.map(({ answer }) => answer)).toEqual(page.docs);
    });

    it('exclude bodies that do not fit without reading them', async () => {
      const { algebra, ada, ben } = open();
      const questionId = past.ask(ada, algebra);
      for (let count = 0; count < 5; count++) past.answer(ben, questionId, bodyOf(20));
      await side.record(past);
      const client = await side.pool.connect();
      // PostgreSQL counts a TOAST index scan for each long body. The counter includes earlier, unreported scans.
      const bodiesRead = async (): Promise<number> => {
        const { rows } = await client.query<{ read: number }>(
          `select stat.idx_scan::int as read from pg_class as of_table
           join pg_stat_xact_all_tables stat on stat.relid = of_table.reltoastrelid
           where of_table.oid = 'read.answers__g1'::regclass`,
        );
        return rows[0]?.read ?? NaN;
      };
      try {
        await client.query('begin');
        const before = await bodiesRead();
        await readPublicQuestion(client, { questionId, limit: 20, bodyBytes: 50 * KILOBYTE });
        expect((await bodiesRead()) - before).toBe(2);
        await pageOfAnswers(client, { questionIds: [questionId], viewerId: null });
        expect((await bodiesRead()) - before).toBe(7);
      } finally {
        await client.query('rollback');
        client.release();
      }
    });
  });

  it('leaves a question unsolved if its answer is removed, before or after the acceptance', async () => {
    const { algebra, ada, ben } = open();
    const [solved, late] = [past.ask(ada, algebra), past.ask(ada, algebra)];
    const [accepted, removed] = [past.answer(ben, solved), past.answer(ben, late)];
    past.accept(accepted);
    past.uphold(past.newModerator(), accepted);
    past.deleteAnswer(removed);
    past.accept(removed);
    await side.record(past);
    for (const questionId of [solved, late]) {
      const question = await findQuestionById(side.pool, questionId, null);
      expect(question).toMatchObject({ acceptedAnswer: null, answerCount: 0 });
    }
    expect(await findAnswerById(side.pool, accepted, null)).toBeNull();
  });

  it('restores posts and the accepted answer when an upheld report is reversed', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ada, algebra);
    const answerId = past.answer(ben, questionId);
    const commentId = past.comment(ben, questionId);
    past.accept(answerId);
    const moderator = past.newModerator();
    for (const post of [answerId, commentId, questionId]) past.uphold(moderator, post);
    await side.record(past);
    expect(await findQuestionById(side.pool, questionId, null)).toBeNull();
    for (const post of [questionId, answerId, commentId]) past.reverseUpholding(moderator, post);
    await side.record(past);
    expect(await findQuestionById(side.pool, questionId, null)).toMatchObject({
      answerCount: 1,
      acceptedAnswer: { _id: answerId },
    });
    expect(await findAnswerById(side.pool, answerId, null)).not.toBeNull();
    expect(await findCommentById(side.pool, commentId)).not.toBeNull();
    past.uphold(moderator, answerId);
    past.deleteAnswer(answerId);
    past.reverseUpholding(moderator, answerId);
    await side.record(past);
    expect(await findAnswerById(side.pool, answerId, null)).toBeNull();
  });

  it('hides everything below a removed post, and tolerates late events', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ada, algebra);
    const answerId = past.answer(ben, questionId);
    const [onAnswer, onQuestion] = [past.comment(ada, answerId), past.comment(ben, questionId)];
    await side.record(past);
    expect(await findCommentById(side.pool, onAnswer)).toMatchObject({
      answer: { _id: answerId },
      question: null,
    });
    expect(await findCommentById(side.pool, onQuestion)).toMatchObject({
      question: { _id: questionId },
      answer: null,
    });
    past.deleteQuestion(questionId);
    const late = past.answer(ben, questionId);
    past.vote(ben, questionId, 'UP');
    past.save(ben, questionId);
    await side.record(past);
    expect(await findQuestionById(side.pool, questionId, ada)).toBeNull();
    for (const id of [answerId, late]) expect(await findAnswerById(side.pool, id, ada)).toBeNull();
    for (const id of [onAnswer, onQuestion]) expect(await findCommentById(side.pool, id)).toBeNull();
    expect(await listCommentsOf(side.pool, [answerId, questionId])).toEqual([[], []]);
    const nothing = { docs: [], page: 1, totalPages: 0, total: 0 };
    expect(await pageOfAnswers(side.pool, { questionIds: [questionId], viewerId: ada })).toEqual(nothing);
    expect(await pageOfComments(side.pool, { parentIds: [questionId, answerId], viewerId: null })).toEqual(
      nothing,
    );
  });

  it('batches comments in the order of the parents, oldest first, with names for mentions', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ada, algebra);
    const [one, two] = [past.answer(ben, questionId), past.answer(ben, questionId)];
    const older = past.comment(ada, two, `Ask @[${ben}] or @[nobody], @[0], @[__proto__]`);
    const newer = past.comment(ben, two);
    past.deleteComment(past.comment(ben, two));
    past.comment(ben, questionId);
    await side.record(past);
    const [ofNone, ofTwo, ofOne] = await listCommentsOf(side.pool, ['none', two, one]);
    expect([ofNone, ofOne]).toEqual([[], []]);
    expect(ofTwo?.map(({ _id }) => _id)).toEqual([older, newer]);
    const name = `user_${ben.slice(0, 8)}`;
    expect(ofTwo?.[0]).toMatchObject({
      body: `Ask @[${name}] or @[nobody], @[0], @[__proto__]`,
      words: `Ask @${name} or @[nobody], @[0], @[__proto__]`,
      mentions: [name],
    });
    expect((await listCommentsOf(side.pool, [two], 1))[0]).toHaveLength(1);
    const few = await listCommentsOf(side.pool, [two, questionId], 100, 2);
    expect(few.map((comments) => comments.map(({ _id }) => _id))).toEqual([[older], [expect.any(String)]]);
    expect(
      await pageOfComments(side.pool, { parentIds: [two], viewerId: null, limit: 1, page: 2 }),
    ).toMatchObject({
      docs: [{ _id: newer }],
      totalPages: 2,
    });
    expect(await findQuestionById(side.pool, questionId, null)).toMatchObject({
      commentsCount: 1,
      answerCount: 2,
    });
    expect(await findAnswerById(side.pool, two, null)).toMatchObject({ commentsCount: 2 });
  });

  it('shows edits and when they were made', async () => {
    const { algebra, ada, ben } = open();
    const questionId = past.ask(ada, algebra);
    const answerId = past.answer(ben, questionId);
    past.editQuestion(questionId, 'Better', '<p>clearer</p>');
    past.editAnswer(answerId, '<p>better</p>');
    await side.record(past);
    expect(await findQuestionById(side.pool, questionId, null)).toMatchObject({
      title: 'Better',
      excerpt: 'clearer',
      imageUrls: ['a.webp'],
      editedAt: expect.any(String),
    });
    expect(await findAnswerById(side.pool, answerId, null)).toMatchObject({
      title: 'Better',
      body: '<p>better</p>',
    });
  });
});

it("lists a student's reports of one type of post", async () => {
  const { algebra, ada, ben } = open();
  const questionId = past.ask(ben, algebra);
  const commentId = past.comment(ben, questionId);
  past.report(ada, questionId);
  past.report(ada, commentId);
  await side.record(past);
  const own = await pageOfOwnPostReports(side.pool, { studentId: ada, postType: 'QUESTION' });
  expect(own).toEqual({
    docs: [
      expect.objectContaining({ student: ada, post: questionId, postType: 'QUESTION', reason: 'Its spam' }),
    ],
    page: 1,
    totalPages: 1,
    total: 1,
  });
  const comments = await pageOfOwnPostReports(side.pool, { studentId: ada, postType: 'QUESTION_COMMENT' });
  expect(comments.docs).toMatchObject([{ post: commentId }]);
  expect((await pageOfOwnPostReports(side.pool, { studentId: ben, postType: 'QUESTION' })).docs).toEqual([]);
});
