import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { newDayClock } from '../../../../../test/day-clock.js';
import { Days } from '../../platform/commands/days.js';
import { Participant } from '../../../../../test/participant.js';

interface Row {
  readonly rank: number;
  readonly score: number;
  readonly reputations: number;
  readonly commitments: number;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
  readonly student: { readonly _id: string };
}
const FIELDS =
  'rank score reputations commitments questionsAsked questionsAnswered answersAccepted student { _id }';

const clock = newDayClock();
let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let cyd: Participant;
beforeAll(async () => {
  app = await bootApp({}, { clock: clock.now });
  community = await newCommunity(app, 3);
  const [first, second, third] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second || !third) throw new Error('there are no members');
  [ada, bob, cyd] = [first, second, third];
});
afterAll(() => app.close());

const own = (who: Participant): Promise<{ scores: Row | null; rank: number | null }> =>
  who.query(`getLeaderboardScores(space: "${community.spaceId}") { scores { ${FIELDS} } rank }`);
const board = (who: Participant): Promise<{ docs: Row[]; totalPages: number }> =>
  who.query(`getPaginatedLeaderboardScores(space: "${community.spaceId}") { docs { ${FIELDS} } totalPages }`);

describe('the leaderboard', () => {
  it('is empty until somebody does something', async () => {
    expect(await own(ada)).toEqual({ scores: null, rank: null });
    expect(await board(ada)).toMatchObject({ docs: [] });
  });

  it('gives the points of the specification', async () => {
    const questionId = await ada.ask(); // ada: impact 10
    const answerId = await bob.answer(questionId); // bob: impact 10
    await cyd.commentOnAnswer(answerId); // cyd: impact 2
    await cyd.does(`upvoteQuestion(questionId: "${questionId}") { _id }`); // ada +50, cyd impact 1
    await cyd.does(`upvoteAnswer(answerId: "${answerId}") { _id }`); // bob +70, cyd impact 1
    await ada.does(`acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`); // bob +100, ada +15
    await bob.does(`downvoteQuestion(questionId: "${questionId}") { _id }`); // ada -50, bob -5
    await app.caughtUp();
    // What voting cost bob and gave cyd is theirs at once, and everybody's from the next day on.
    expect((await own(bob)).scores).toMatchObject({ reputations: 166, commitments: 10 });
    expect((await own(cyd)).scores).toMatchObject({ reputations: 1, commitments: 4 });
    const today = (await board(ada)).docs.map(({ student, score }) => [student._id, score]);
    expect(today).toEqual([
      [bob.student.studentId, 181],
      [ada.student.studentId, 26],
      [cyd.student.studentId, 3],
    ]);
    clock.passADay();
    await app.worker?.get(Days).beginWhenDue();
    await app.caughtUp();
    const { docs } = await board(ada);
    expect(docs).toHaveLength(3);
    const rowOf = (who: Participant) => docs.find(({ student }) => student._id === who.student.studentId);
    expect(rowOf(ada)).toMatchObject({
      reputations: 16,
      commitments: 10,
      score: 26,
      rank: 2,
      questionsAsked: 1,
    });
    expect(rowOf(bob)).toMatchObject({
      reputations: 166,
      commitments: 10,
      score: 176,
      rank: 1,
      questionsAnswered: 1,
      answersAccepted: 1,
    });
    expect(rowOf(cyd)).toMatchObject({ reputations: 1, commitments: 4, score: 5, rank: 3 });
    expect((await own(bob)).rank).toBe(1);
  });

  it('earns an upvote’s impact once, and takes the points of a vote back with it', async () => {
    const questionId = await bob.ask();
    await app.caughtUp();
    const before = (await own(cyd)).scores;
    for (let time = 0; time < 6; time++)
      await cyd.does(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await app.caughtUp();
    expect((await own(cyd)).scores).toMatchObject({
      commitments: (before?.commitments ?? 0) + 1,
      reputations: before?.reputations,
    });
    expect((await own(bob)).scores?.reputations).toBe(166);
  });

  it('never falls below one merit', async () => {
    const unlucky = new Participant(app, await newMember(app, community.spaceId), community);
    const questionId = await unlucky.ask();
    for (const voter of [ada, bob, cyd])
      await voter.does(`downvoteQuestion(questionId: "${questionId}") { _id }`);
    await app.caughtUp();
    expect((await own(unlucky)).scores).toMatchObject({
      ...{ questionsAsked: 1, reputations: 1 },
      ...{ commitments: 10, score: 11 },
    });
  });

  it('ranks without gaps', async () => {
    const { docs } = await board(ada);
    expect(docs.map(({ rank }) => rank)).toEqual(docs.map((_, index) => index + 1));
    const scores = docs.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((left, right) => right - left));
  });

  it('is for members of the space', async () => {
    const eve = new Participant(app, await app.signUp(), community);
    const closed = { message: 'Join the space to take part.', code: 'FORBIDDEN' };
    const { spaceId } = community;
    expect(await eve.refusal(`{ getLeaderboardScores(space: "${spaceId}") { rank } }`)).toEqual(closed);
    expect(await eve.refusal(`{ getPaginatedLeaderboardScores(space: "${spaceId}") { page } }`)).toEqual(
      closed,
    );
    expect(
      await ada.refusal(
        `{ getPaginatedLeaderboardScores(space: "${spaceId}", paginateOptions: {page: -3}) { page } }`,
      ),
    ).toMatchObject({ code: 'VALIDATION_FAILED', field: 'page' });
  });
});
