import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';
import { BlockStudent } from '../students/commands/block-student.js';

interface Row {
  readonly _id: string;
  readonly rank: number;
  readonly score: number;
  readonly now: { readonly rank: number; readonly score: number } | null;
}
interface Board {
  readonly docs: readonly Row[];
  readonly totalPages: number;
  readonly rulesVersion: number;
}
interface Range {
  readonly firstOrdinal: number;
  readonly lastOrdinal: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly marks: readonly { readonly ordinal: number; readonly at: string; readonly kind: string }[];
}
interface QuestionThen {
  readonly state: string;
  readonly question: { readonly title: string; readonly upvoteCount: number } | null;
  readonly answers: readonly {
    readonly body: string;
    readonly comments: readonly { readonly body: string }[];
  }[];
  readonly comments: readonly { readonly body: string }[];
}

const RANGE = '{ firstOrdinal firstAt lastOrdinal lastAt marks { ordinal at kind } }';
const ROW =
  '{ _id rank score reputations commitments questionsAsked now { rank score } student { userName } }';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let moderator: Participant;
let elsewhere: Participant;
let questionId: string;
beforeAll(async () => {
  app = await bootApp({}, { clock: newSteppingClock().now });
  community = await newCommunity(app, 2);
  const [first, second] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second) throw new Error('no members');
  [ada, bob] = [first, second];
  moderator = await newModerator(community.spaceId);
  elsewhere = await newModerator(await newSpace(app));
  questionId = await ada.ask({ title: 'Is every group a set?' });
  const answerId = await bob.answer(questionId);
  await ada.commentOnAnswer(answerId);
  await bob.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
  await ada.perform(`updateQuestion(id: "${questionId}", title: "Is every group a class?") { _id }`);
  await bob.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
  await ada.perform(`upvoteAnswer(answerId: "${answerId}") { _id }`);
  await app.caughtUp();
});
afterAll(() => app.close());

async function newModerator(spaceId: string): Promise<Participant> {
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', spaceId);
  return new Participant(app, student, community);
}

const rangeOfQuestion = (): Promise<Range> =>
  moderator.query(`getQuestionHistoryRange(questionId: "${questionId}") ${RANGE}`);
const questionAt = (asOf: string): Promise<QuestionThen> =>
  moderator.query(
    `getQuestionAsOf(questionId: "${questionId}", asOf: ${asOf}) { state question { title upvoteCount }
      answers { body comments { body } } comments { body } }`,
  );
const boardAt = (asOf: string, who = moderator): Promise<Board> =>
  who.query(
    `getLeaderboardAsOf(space: "${community.spaceId}", asOf: ${asOf}) { docs ${ROW} totalPages rulesVersion }`,
  );
const scoreAt = (who: Participant, asOf: string): Promise<Row | null> =>
  moderator.query(
    `getScoreAsOf(space: "${community.spaceId}", studentId: "${who.student.studentId}", asOf: ${asOf}) ${ROW}`,
  );

describe('a question at an earlier time', () => {
  it('is shown after each of its events as members saw it at the time', async () => {
    const { marks } = await rangeOfQuestion();
    expect(marks.map(({ kind }) => kind)).toEqual([
      'QuestionAsked',
      'AnswerPosted',
      'CommentPosted',
      'VoteCast',
      'QuestionEdited',
      'VoteWithdrawn',
      'VoteCast',
    ]);
    const pages = [];
    for (const { ordinal } of marks) pages.push(await questionAt(`{ ordinal: ${ordinal} }`));
    expect(pages.map(({ question }) => [question?.title, question?.upvoteCount])).toEqual([
      ['Is every group a set?', 0],
      ['Is every group a set?', 0],
      ['Is every group a set?', 0],
      ['Is every group a set?', 1],
      ['Is every group a class?', 1],
      ['Is every group a class?', 0],
      ['Is every group a class?', 0],
    ]);
    expect(pages[0]).toMatchObject({ state: 'VISIBLE', answers: [], comments: [] });
    expect(pages[2]?.answers).toMatchObject([{ body: '<p>Yes.</p>', comments: [{}] }]);
    expect(await questionAt(`{ ordinal: ${(marks[0]?.ordinal ?? 2) - 1} }`)).toMatchObject({
      state: 'NOT_ASKED_YET',
      question: null,
    });
  });

  it('is selected by time of occurrence when given a time', async () => {
    const { marks } = await rangeOfQuestion();
    const edited = marks.find(({ kind }) => kind === 'QuestionEdited');
    expect((await questionAt(`{ at: "${edited?.at}" }`)).question?.title).toBe('Is every group a class?');
    expect((await questionAt('{ at: "2001-01-01T00:00:00.000Z" }')).state).toBe('NOT_ASKED_YET');
  });

  it('is not found for an unknown id', async () => {
    expect(
      await moderator.refusal(
        `{ getQuestionAsOf(questionId: "${community.topicId}", asOf: { ordinal: 1 }) { state } }`,
      ),
    ).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the leaderboard at an earlier time', () => {
  it('shows past ranks and scores along with the current ones', async () => {
    const { marks } = await rangeOfQuestion();
    const [asked, , , voted] = marks.map(({ ordinal }) => ordinal);
    const first = await boardAt(`{ ordinal: ${asked} }`);
    expect(first).toMatchObject({ totalPages: 1, rulesVersion: 1 });
    expect(first.docs).toMatchObject([{ _id: ada.student.studentId, rank: 1, score: 11 }]);
    const then = await boardAt(`{ ordinal: ${voted} }`);
    expect(then.docs.map(({ _id, score }) => [_id, score])).toEqual([
      [ada.student.studentId, 1 + 50 + 10 + 2],
      [bob.student.studentId, 1 + 10 + 1],
    ]);
    const range = await moderator.query<Range>(`getHistoryRange(space: "${community.spaceId}") ${RANGE}`);
    const now = await boardAt(`{ ordinal: ${range.lastOrdinal} }`);
    for (const row of now.docs) expect(row.now).toEqual({ rank: row.rank, score: row.score });
    expect(range.firstOrdinal).toBe(asked);
  });

  it('returns the past score of one student', async () => {
    const { marks } = await rangeOfQuestion();
    const [asked = 0] = marks.map(({ ordinal }) => ordinal);
    expect(await scoreAt(ada, `{ ordinal: ${asked} }`)).toMatchObject({ rank: 1, score: 11 });
    expect(await scoreAt(bob, `{ ordinal: ${asked} }`)).toBeNull();
    expect(await scoreAt(bob, `{ at: "2001-01-01T00:00:00.000Z" }`)).toBeNull();
  });
});

describe('a point in the past', () => {
  it.each([
    ['{}', 'asOf'],
    ['{ ordinal: 1, at: "2001-01-01T00:00:00.000Z" }', 'asOf'],
    ['{ ordinal: 0 }', 'ordinal'],
    ['{ ordinal: 2000000000 }', 'ordinal'],
    ['{ at: "2999-01-01T00:00:00.000Z" }', 'at'],
  ])('rejects %s and names the field', async (asOf, field) => {
    const board = `getLeaderboardAsOf(space: "${community.spaceId}", asOf: ${asOf}) { page }`;
    expect(await moderator.refusal(`{ ${board} }`)).toMatchObject({ code: 'VALIDATION_FAILED', field });
    const page = `getQuestionAsOf(questionId: "${questionId}", asOf: ${asOf}) { state }`;
    expect(await moderator.refusal(`{ ${page} }`)).toMatchObject({ code: 'VALIDATION_FAILED', field });
  });
});

describe('history queries', () => {
  const operations = () => [
    `getLeaderboardAsOf(space: "${community.spaceId}", asOf: { ordinal: 1 }) { page }`,
    `getScoreAsOf(space: "${community.spaceId}", studentId: "${ada.student.studentId}", asOf: { ordinal: 1 }) { _id }`,
    `getHistoryRange(space: "${community.spaceId}") { lastOrdinal }`,
    `getQuestionAsOf(questionId: "${questionId}", asOf: { ordinal: 1 }) { state }`,
    `getQuestionHistoryRange(questionId: "${questionId}") { lastOrdinal }`,
  ];

  it('are available only to moderators of the space', async () => {
    const maintainer = await app.signUp();
    await app.grantRole(maintainer.studentId, 'MAINTAINER');
    const ended = await newModerator(community.spaceId);
    await app.execute(new BlockStudent(app.operator(), ended.student.studentId, 'spam'));
    for (const operation of operations()) {
      for (const who of [ada, elsewhere, new Participant(app, maintainer, community)])
        expect(await who.refusal(`{ ${operation} }`)).toMatchObject({ code: 'FORBIDDEN' });
      for (const token of [undefined, ended.student.token])
        expect(refusalOf(await app.graphql(`{ done: ${operation} }`, {}, token))).toMatchObject({
          code: 'UNAUTHENTICATED',
        });
    }
  });
});
