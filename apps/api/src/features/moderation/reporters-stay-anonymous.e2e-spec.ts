import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { listenTo, type Listener, untilListening } from '../../../../../test/servers/listener.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
let community: Community;
let author: Participant;
let bystander: Participant;
let reporter: Participant;
let elsewhere: Participant;
let moderator: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 4);
  [author, bystander, reporter, moderator] = community.members.map(
    (student) => new Participant(app, student, community),
  ) as [Participant, Participant, Participant, Participant];
  await app.grantRole(moderator.student.studentId, 'MODERATOR', community.spaceId);
  const other = await newSpace(app);
  elsewhere = new Participant(app, await newMember(app, other), community);
  await app.grantRole(elsewhere.student.studentId, 'MODERATOR', other);
});

const report = (by: Participant, postId: string) =>
  by.mutate(`reportPost(postId: "${postId}", postType: QUESTION, reason: "Scam or fraud") { _id }`);
/** Waits until every projection has passed the reports. */
async function untilReported(postId: string, count = 1): Promise<{ readonly revision: number }> {
  await app.caughtUp();
  const found = await moderator.query<{ revision: number; openReports: number }>(
    `getModerationCase(postId: "${postId}") { revision openReports }`,
  );
  expect(found.openReports).toBe(count);
  return found;
}

/** Queries whose results a report could affect. */
const observableQueries = (postId: string): readonly string[] => {
  const space = `space: "${community.spaceId}"`;
  const about = `studentId: "${author.student.studentId}", ${space}`;
  return [
    `getQuestionById(questionId: "${postId}") { _id title body editedAt createdAt upvoteCount downvoteCount commentsCount answerCount }`,
    `getPaginatedQuestions(queryVals: { ${space} }) { docs { _id upvoteCount answerCount } page totalPages }`,
    `getPaginatedNotifications(${space}) { docs { _id type createdAt body } totalPages }`,
    `getNewNotificationCount(${space})`,
    `getPaginatedStudentActivities(${space}) { docs { _id } totalPages }`,
    `getStudentDetail(${about}) { reputations commitments score rank accountStatus isBlockable }`,
    `getScoreExplanation(${space}) { __typename }`,
    `getLeaderboardScores(${space}) { scores { reputations commitments score } }`,
    `searchQuestions(search: "Reported", queryVals: { ${space} }) { docs { _id } }`,
    `getPaginatedPostReports(postType: QUESTION) { docs { _id post reason } totalPages }`,
  ];
};
const observe = async (who: Participant, postId: string) => {
  const answers = [];
  for (const query of observableQueries(postId))
    answers.push(await app.graphql(`{ done: ${query} }`, {}, who.student.token));
  return answers;
};

describe('report', () => {
  it('changes nothing that the author, another student or the public can read', async () => {
    const postId = await author.ask({ title: 'Reported' });
    const readers = [author, bystander];
    // Let the effects of the question itself settle first.
    await app.caughtUp();
    const page = async () => (await app.http().get(`/question/${postId}`)).text.replace(/nonce="[^"]*"/g, '');
    const before = [await observe(author, postId), await observe(bystander, postId), await page()];
    expect((await report(reporter, postId)).errors).toBeUndefined();
    await untilReported(postId);
    expect([await observe(author, postId), await observe(bystander, postId), await page()]).toEqual(before);
    expect(JSON.stringify(await Promise.all(readers.map((who) => observe(who, postId))))).not.toContain(
      reporter.student.studentId,
    );
  });

  it('and its dismissal do not notify the author', async () => {
    const postId = await author.ask();
    await report(reporter, postId);
    const { revision } = await untilReported(postId);
    const before = await observe(author, postId);
    await moderator.perform(
      `dismissReports(postId: "${postId}", reason: "Fine", seen: { revision: ${revision}, openReports: 1 }) { _id }`,
    );
    await app.caughtUp();
    expect(await observe(author, postId)).toEqual(before);
  });

  it('gets the same response whether or not others reported before', async () => {
    const [fresh, known] = [await author.ask(), await author.ask()];
    await report(reporter, known);
    await untilReported(known);
    const [one, other] = [await report(bystander, fresh), await report(bystander, known)];
    expect({ ...one, data: null }).toEqual({ ...other, data: null });
    // Only the student's own earlier report is revealed.
    expect((await report(bystander, known)).errors?.[0]?.message).toBe(
      'You have already reported this post.',
    );
  });

  it('signals only moderators of the space', async () => {
    const postId = await author.ask();
    const space = community.spaceId;
    const question = `questionUpdated(questionId: "${postId}") { questionId ordinal }`;
    const bell = `notificationArrived(space: "${space}") { space }`;
    const queue = 'moderationChanged { postId }';
    const listeners: Listener[] = [];
    const subscribe = (subscription: string, who?: Participant): Listener => {
      const listener = listenTo(app, subscription, who?.student.token);
      listeners.push(listener);
      return listener;
    };
    try {
      const open = [subscribe(question), subscribe(question, author), subscribe(question, bystander)];
      const silent = [
        ...open,
        subscribe(bell, author),
        subscribe(bell, bystander),
        subscribe(queue, elsewhere),
      ];
      const refused = [subscribe(queue), subscribe(queue, author), subscribe(queue, bystander)];
      const moderatorQueue = subscribe(queue, moderator);
      await untilListening(...silent, moderatorQueue);
      // Notifications and queues signal on subscription.
      await eventually(() => [...silent.slice(3), moderatorQueue].every(({ heard }) => heard.length > 0));
      await eventually(() => refused.every(({ errors }) => errors.length > 0));
      const before = silent.map(({ heard }) => heard.length);

      await report(reporter, postId);
      await eventually(() => JSON.stringify(moderatorQueue.heard).includes(postId));
      expect(JSON.stringify(moderatorQueue.heard)).not.toContain(reporter.student.studentId);
      // Signals arrive in order: once a later answer has arrived, so would have anything about the report.
      const answerId = await bystander.answer(postId);
      expect(answerId).toBeTruthy();
      for (const listener of [...open, ...silent.slice(3, 4)])
        await eventually(() => listener.heard.length > (before[silent.indexOf(listener)] ?? 0));
      expect(silent.map(({ heard }, index) => heard.length - (before[index] ?? 0))).toEqual([
        1, 1, 1, 1, 0, 0,
      ]);
      expect(refused.map(({ heard }) => heard)).toEqual([[], [], []]);
      expect(refused.map(({ errors }) => errors)).toMatchObject([
        [{ extensions: { code: 'UNAUTHENTICATED' } }],
        [{ extensions: { code: 'FORBIDDEN' } }],
        [{ extensions: { code: 'FORBIDDEN' } }],
      ]);
    } finally {
      for (const listener of listeners) await listener.close();
    }
  });

  it('does not affect any response to the author', async () => {
    const posts = [await author.ask({ title: 'Mine' }), await author.ask({ title: 'Mine' })] as const;
    await report(reporter, posts[0]);
    await report(bystander, posts[0]);
    await untilReported(posts[0], 2);
    const operationsOn = (id: string): readonly string[] => [
      `{ getQuestionById(questionId: "${id}") { title body editedAt isAuthorizedToInteract __typename } }`,
      `mutation { reportPost(postId: "${id}", postType: QUESTION, reason: "Its spam") { _id } }`,
      `mutation { upvoteQuestion(questionId: "${id}") { _id } }`,
      `mutation { updateQuestion(id: "${id}", title: "Mine", body: "<p>Other words</p>") { _id title body } }`,
      `mutation { createAnswer(questionId: "${id}", body: "<p>I know it</p>") { body author { _id } } }`,
      `mutation { deleteQuestionById(id: "${id}") { _id } }`,
      `{ getQuestionById(questionId: "${id}") { title } }`,
    ];
    const answers = [];
    for (const id of posts) {
      const responses = [];
      for (const operation of operationsOn(id))
        responses.push(await app.graphql(operation, {}, author.student.token));
      answers.push(JSON.parse(JSON.stringify(responses).replaceAll(id, 'the post')) as unknown);
    }
    expect(answers[0]).toEqual(answers[1]);
    // The operations succeeded rather than failing validation.
    expect(JSON.stringify(answers[0])).toContain('Other words');
    expect(JSON.stringify(answers[0])).not.toContain('GRAPHQL_VALIDATION');
  });

  it('cannot be detected by unauthorised moderation operations', async () => {
    const [reported, silent] = [await author.ask(), await author.ask()];
    await report(reporter, reported);
    await untilReported(reported);
    for (const who of [author, bystander, elsewhere]) {
      const answers = [];
      for (const postId of [reported, silent]) {
        const seen = 'seen: { revision: 0, openReports: 1 }';
        answers.push([
          await who.refusal(`{ getModerationCase(postId: "${postId}") { _id } }`),
          await who.refusal(`mutation { dismissReports(postId: "${postId}", reason: "x", ${seen}) { _id } }`),
          await who.refusal(`mutation { handOverReports(postId: "${postId}", ${seen}) { _id } }`),
        ]);
      }
      expect(answers[0]).toEqual(answers[1]);
    }
  });
});
