import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { type Community, newCommunity } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

/** Default page sizes from section 9 of the specification. */
const SIZES = {
  questions: 20,
  unsolved: 10,
  answers: 100,
  answerComments: 100,
  questionComments: 10,
  notifications: 50,
  activities: 100,
  reports: 100,
  leaderboard: 20,
  hits: 10,
} as const;

interface Hits {
  readonly hits: readonly unknown[];
}

interface Counted {
  readonly docs: readonly unknown[];
  readonly totalPages: number;
}

let app: TestApp;
let community: Community;
let asker: Participant;
let other: Participant;
let questionId: string;
let answerId: string;

const repeat = (count: number, action: (index: number) => Promise<unknown>): Promise<unknown> =>
  concurrently([...Array(count).keys()], action);

beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members.map((member) => new Participant(app, member, community));
  if (!first || !second) throw new Error('no members');
  [asker, other] = [first, second];
  await repeat(SIZES.notifications, (index) => asker.ask({ title: `Question ${index}` }));
  questionId = await asker.ask();
  await repeat(SIZES.answers, (index) => other.answer(questionId, `<p>Answer ${index}</p>`));
  answerId = await other.answer(questionId);
  await repeat(SIZES.answerComments + 1, (index) => asker.commentOnAnswer(answerId, `Comment ${index}`));
  await repeat(SIZES.questionComments + 1, (index) =>
    asker.commentOnQuestion(questionId, `Comment ${index}`),
  );
  await app.caughtUp();
});

describe('a page', () => {
  const pageOf = (operation: string): Promise<Counted> =>
    other.query(`${operation} { docs { _id } totalPages }`);

  it.each<[keyof typeof SIZES, () => string]>([
    ['questions', () => `getPaginatedQuestions(queryVals: { space: "${community.spaceId}" })`],
    ['unsolved', () => `getUnsolvedQuestions(spaceId: "${community.spaceId}")`],
    ['answers', () => `getPaginatedAnswers(questions: ["${questionId}"])`],
    ['answerComments', () => `getPaginatedComments(answers: ["${answerId}"])`],
    ['questionComments', () => `getPaginatedQuestionComments(question: "${questionId}")`],
    ['notifications', () => `getPaginatedNotifications(space: "${community.spaceId}")`],
    ['activities', () => `getPaginatedStudentActivities(space: "${community.spaceId}")`],
  ])('of %s has the default size, and there is a next one', async (list, operation) => {
    const { docs, totalPages } = await pageOf(operation());
    expect(docs).toHaveLength(SIZES[list]);
    expect(totalPages).toBeGreaterThan(1);
  });

  it('of reports has the default size, and there is a next one', async () => {
    const firstPage: { _id: string }[] = (
      await asker.query<{ docs: { _id: string }[] }>(
        `getPaginatedAnswers(questions: ["${questionId}"], paginateOptions: { limit: 100 }) { docs { _id } }`,
      )
    ).docs;
    const secondPage = await asker.query<{ docs: { _id: string }[] }>(
      `getPaginatedAnswers(questions: ["${questionId}"], paginateOptions: { page: 2 }) { docs { _id } }`,
    );
    const all = [...firstPage, ...secondPage.docs];
    await repeat(all.length, (index) =>
      asker.perform(
        `reportPost(postId: "${all[index]?._id ?? ''}", postType: ANSWER, reason: "Its spam") { _id }`,
      ),
    );
    const page = await asker.query<Counted>(
      'getPaginatedPostReports(postType: ANSWER) { docs { _id } totalPages }',
    );
    expect(page.docs).toHaveLength(SIZES.reports);
    expect(page.totalPages).toBe(2);
  });

  it('of the leaderboard has twenty entries, and of users all', async () => {
    const more = await newCommunity(app, SIZES.leaderboard + 1);
    const members = more.members.map((member) => new Participant(app, member, more));
    await repeat(members.length, (index) => (members[index] ?? asker).ask());
    await app.caughtUp();
    const [reader] = members;
    if (!reader) throw new Error('no members');
    const { docs, totalPages } = await reader.query<Counted>(
      `getPaginatedLeaderboardScores(space: "${more.spaceId}") { docs { _id } totalPages }`,
    );
    expect([docs.length, totalPages]).toEqual([SIZES.leaderboard, 2]);
    // The limit for users is one thousand.
    const { hits } = await reader.query<Hits>(
      `searchUsers(space: "${more.spaceId}", search: "") { hits { _id } }`,
    );
    expect(hits).toHaveLength(SIZES.leaderboard + 1);
  });

  it.each([
    'searchQuestions(queryVals: { space: "S" }, search: "question")',
    'searchTopics(space: "S", search: "optics")',
  ])('of %s has the first ten hits', async (operation) => {
    await repeat(SIZES.hits + 1, (index) =>
      asker.perform(`createTopic(topicName: "Optics ${index}", subject: "${community.subjectId}") { _id }`),
    );
    const query = operation.replace('S', community.spaceId);
    const hitsOf = async (more: string): Promise<readonly unknown[]> =>
      (await other.query<Hits>(`${query.slice(0, -1)}${more}) { hits { _id } }`)).hits;
    await eventually(
      () => hitsOf(', limit: 100'),
      (hits) => hits.length > SIZES.hits,
    );
    const first = await hitsOf('');
    expect(first).toHaveLength(SIZES.hits);
    expect(await hitsOf(', skip: 0, limit: 10')).toEqual(first);
  });
});
