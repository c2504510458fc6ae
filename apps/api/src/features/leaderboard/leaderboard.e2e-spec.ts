import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
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

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let cyd: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 3);
  const [first, second, third] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second || !third) throw new Error('missing members');
  [ada, bob, cyd] = [first, second, third];
});

const own = (who: Participant): Promise<{ scores: Row | null; rank: number | null }> =>
  who.query(`getLeaderboardScores(space: "${community.spaceId}") { scores { ${FIELDS} } rank }`);
const board = (who: Participant): Promise<{ docs: Row[]; totalPages: number }> =>
  who.query(`getPaginatedLeaderboardScores(space: "${community.spaceId}") { docs { ${FIELDS} } totalPages }`);

describe('leaderboard', () => {
  it('is empty before anyone is active', async () => {
    expect(await own(ada)).toEqual({ scores: null, rank: null });
    expect(await board(ada)).toMatchObject({ docs: [] });
  });

  it('awards the points of the specification', async () => {
    const questionId = await ada.ask(); // ada: impact 10
    const answerId = await bob.answer(questionId); // bob: impact 10
    await cyd.commentOnAnswer(answerId); // cyd: impact 2
    await cyd.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`); // ada +50, cyd impact 1
    await cyd.perform(`upvoteAnswer(answerId: "${answerId}") { _id }`); // bob +70, cyd impact 1
    await ada.perform(`acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`); // bob +100, ada +15
    await bob.perform(`downvoteQuestion(questionId: "${questionId}") { _id }`); // ada -50, bob -5
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

  it('shows every reader the same score of a voter right after the vote', async () => {
    const { spaceId } = community;
    const dora = new Participant(app, await newMember(app, spaceId), community);
    const moderator = new Participant(app, await app.signUp(), community);
    await app.grantRole(moderator.student.studentId, 'MODERATOR', spaceId);
    const { studentId } = dora.student;
    const voted = await ada.ask();
    await bob.perform(`upvoteQuestion(questionId: "${await dora.ask()}") { _id }`);
    await dora.perform(`downvoteQuestion(questionId: "${voted}") { _id }`);
    await app.caughtUp();
    // Merit 1 + 50 - 5, impact 10.
    const points = { score: 56, reputations: 46, commitments: 10 };
    const place = `${Object.keys(points).join(' ')} rank`;
    const { rank } = await own(dora);
    const shown = { ...points, rank };
    expect((await own(dora)).scores).toMatchObject(shown);
    const { docs } = await board(bob);
    expect(docs.find(({ student }) => student._id === studentId)).toMatchObject(shown);
    const ofDora = `space: "${spaceId}", studentId: "${studentId}"`;
    for (const reader of [dora, bob, moderator])
      expect(await reader.query(`getStudentDetail(${ofDora}) { ${place} }`)).toEqual(shown);
    expect(await bob.query(`getLeaderboardScores(${ofDora}) { scores { ${place} } rank }`)).toEqual({
      scores: shown,
      rank,
    });
    expect(await dora.query(`getStudent { leaderboardScores { ${place} } }`)).toEqual({
      leaderboardScores: [shown],
    });
    for (const reader of [dora, moderator])
      expect(
        await reader.query(`getScoreExplanation(${ofDora}) { ${Object.keys(points).join(' ')} }`),
      ).toEqual(points);
    const history = await dora.query<{ scoreAfter: number }[]>(
      `getOwnScoreHistory(space: "${spaceId}") { scoreAfter }`,
    );
    expect(history.at(-1)).toEqual({ scoreAfter: points.score });
    const { lastOrdinal } = await moderator.query<{ lastOrdinal: number }>(
      `getHistoryRange(space: "${spaceId}") { lastOrdinal }`,
    );
    expect(
      await moderator.query(`getScoreAsOf(${ofDora}, asOf: { ordinal: ${lastOrdinal} }) { ${place} }`),
    ).toEqual(shown);
    const { effect } = await moderator.query<{
      effect: { students: { student: { _id: string }; before: object; after: object }[] };
    }>(
      `previewInvalidation(votes: [{ postId: "${voted}", voterId: "${studentId}" }]) {
        effect { students { student { _id } before { ${place} } after { ${Object.keys(points).join(' ')} } } } }`,
    );
    const previewed = effect.students.find(({ student }) => student._id === studentId);
    expect(previewed?.before).toEqual(shown);
    expect(previewed?.after).toEqual({ score: 61, reputations: 51, commitments: 10 });
  });

  it('awards the impact of an upvote once and revokes points with the vote', async () => {
    const questionId = await bob.ask();
    await app.caughtUp();
    const before = (await own(cyd)).scores;
    for (let time = 0; time < 6; time++)
      await cyd.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await app.caughtUp();
    expect((await own(cyd)).scores).toMatchObject({
      commitments: (before?.commitments ?? 0) + 1,
      reputations: before?.reputations,
    });
    expect((await own(bob)).scores?.reputations).toBe(166);
  });

  it('never drops merit below 1', async () => {
    const unlucky = new Participant(app, await newMember(app, community.spaceId), community);
    const questionId = await unlucky.ask();
    for (const voter of [ada, bob, cyd])
      await voter.perform(`downvoteQuestion(questionId: "${questionId}") { _id }`);
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

  it('rejects non-members', async () => {
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
