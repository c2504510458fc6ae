import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { eventually } from '@nimo/testing';

interface Explanation {
  readonly docs: readonly {
    readonly kind: string;
    readonly occurredAt: string | null;
    readonly count: number;
    readonly reputations: number;
    readonly commitments: number;
    readonly post: { readonly _id: string; readonly question: { readonly _id: string } | null };
  }[];
  readonly days: readonly { readonly heldByFloor: number; readonly scoreAfter: number }[];
  readonly totalPages: number;
  readonly score: number;
  readonly student: { readonly _id: string };
}
const FIELDS = `
  docs { _id kind day occurredAt count reputations commitments rulesVersion
    post { _id postType isRemoved question { _id title } } }
  days { day reputations commitments heldByFloor reputationsAfter commitmentsAfter scoreAfter }
  reasons { kind count reputations commitments }
  page totalPages startingReputations reputations commitments score rulesVersion student { _id userName }`;
const REFUSED = { code: 'FORBIDDEN' };

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await bootApp({}, { clock: newSteppingClock().now });
  community = await newCommunity(app, 2);
  const [first, second] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second) throw new Error('missing members');
  [ada, bob] = [first, second];
});
afterAll(() => app.close());

const operation = (args: string, fields = FIELDS) =>
  `getScoreExplanation(space: "${community.spaceId}"${args}) { ${fields} }`;
const explain = (who: Participant, args = ''): Promise<Explanation> => who.query(operation(args));
const newModerator = async ({ spaceId }: Community) => {
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', spaceId);
  return new Participant(app, student, community);
};
const newParticipant = async () => new Participant(app, await newMember(app, community.spaceId), community);

describe('score explanation', () => {
  it('lists every point and adds up to the leaderboard score', async () => {
    const questionId = await ada.ask();
    const answerId = await bob.answer(questionId);
    await bob.perform(`downvoteQuestion(questionId: "${questionId}") { _id }`);
    await ada.perform(`upvoteAnswer(answerId: "${answerId}") { _id }`);
    await ada.perform(`acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`);
    const { docs, days, score, student } = await eventually(
      () => explain(ada),
      ({ docs: points }) => points.length === 4,
    );
    expect(student._id).toBe(ada.student.studentId);
    expect(docs.map(({ kind, reputations, commitments }) => [kind, reputations, commitments])).toEqual([
      ['ACCEPTED_AN_ANSWER', 15, 0],
      ['UPVOTE_CAST', 0, 1],
      ['QUESTION_POSTED', 0, 10],
      ['QUESTION_DOWNVOTED', -50, 0],
    ]);
    expect(docs.map(({ occurredAt }) => occurredAt === null)).toEqual([false, false, false, true]);
    expect(docs.every(({ post }) => post.question?._id === questionId)).toBe(true);
    expect(days).toMatchObject([{ heldByFloor: 50, scoreAfter: score }]);
    const own = await ada.query<{ scores: { score: number } }>(
      `getLeaderboardScores(space: "${community.spaceId}") { scores { score } }`,
    );
    expect(score).toBe(own.scores.score);
  });

  it('filters by reason and paginates', async () => {
    const filtered = await explain(ada, ', kinds: [QUESTION_POSTED, QUESTION_DOWNVOTED]');
    expect(filtered.docs.map(({ kind }) => kind)).toEqual(['QUESTION_POSTED', 'QUESTION_DOWNVOTED']);
    const second = await explain(ada, ', paginateOptions: {page: 2, limit: 3}');
    expect(second).toMatchObject({ docs: [{ kind: 'QUESTION_DOWNVOTED' }], totalPages: 2 });
    expect(await ada.refusal(`{ ${operation(', paginateOptions: {limit: 101}', 'page')} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'limit',
    });
  });

  it('hides reports until they cost points, and never shows reporters or times', async () => {
    const author = await newParticipant();
    const questionId = await author.ask();
    const reporters = [await newParticipant(), await newParticipant(), await newParticipant()];
    const report = (who: Participant) =>
      who.perform(`reportPost(postId: "${questionId}", postType: QUESTION, reason: "Its spam") { _id }`);
    for (const reporter of reporters.slice(0, 2)) await report(reporter);
    // Once a later comment is visible, earlier reports would be too.
    await author.commentOnQuestion(questionId);
    const before = await eventually(
      () => explain(author),
      ({ docs }) => docs.some(({ kind }) => kind === 'COMMENT_POSTED'),
    );
    expect(before.docs.map(({ kind }) => kind)).toEqual(['COMMENT_POSTED', 'QUESTION_POSTED']);
    for (const reporter of reporters.slice(2)) await report(reporter);
    const after = await eventually(
      () => explain(author),
      ({ docs }) => docs.length === 3,
    );
    expect(after.docs.at(-1)).toMatchObject({ kind: 'POST_REPORTED', reputations: -200, occurredAt: null });
    const shown = JSON.stringify(after);
    expect(reporters.filter(({ student }) => shown.includes(student.studentId))).toEqual([]);
  });

  it('is visible only to the student and the moderators of the space', async () => {
    const ofAda = operation(`, studentId: "${ada.student.studentId}"`, 'score student { _id }');
    expect(await bob.refusal(`{ ${ofAda} }`)).toMatchObject(REFUSED);
    expect(await ada.query<Explanation>(ofAda)).toMatchObject({ student: { _id: ada.student.studentId } });
    const elsewhere = await newCommunity(app, 1);
    // New accounts, because a session caches its roles for a few seconds.
    const [stranger, moderator] = await Promise.all([newModerator(elsewhere), newModerator(community)]);
    expect(await stranger.refusal(`{ ${ofAda} }`)).toMatchObject(REFUSED);
    expect(await moderator.query<Explanation>(ofAda)).toMatchObject({
      student: { _id: ada.student.studentId },
    });
  });

  it('rejects guests and non-members', async () => {
    const eve = new Participant(app, await app.signUp(), community);
    const history = `getOwnScoreHistory(space: "${community.spaceId}") { day }`;
    for (const query of [operation('', 'score'), history]) {
      expect(await eve.refusal(`{ ${query} }`)).toMatchObject(REFUSED);
      expect(refusalOf(await app.graphql(`{ ${query} }`))).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    const rules = '{ getScoringRules { version } }';
    expect(refusalOf(await app.graphql(rules))).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('returns the daily history of one’s own score', async () => {
    const { score } = await explain(ada);
    const history = await ada.query<Explanation['days']>(
      `getOwnScoreHistory(space: "${community.spaceId}") { day reputationsAfter commitmentsAfter scoreAfter }`,
    );
    expect(history.at(-1)).toMatchObject({ scoreAfter: score });
  });

  it('returns the rules in force', async () => {
    const rules = await ada.query(
      'getScoringRules { version reportThreshold weights { kind merit impact } }',
    );
    expect(rules).toMatchObject({
      version: 1,
      reportThreshold: 3,
      weights: expect.arrayContaining([{ kind: 'ANSWER_UPVOTED', merit: 70, impact: 0 }]) as unknown,
    });
  });
});
