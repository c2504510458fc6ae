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
/** Seen by the moderators: every projection has passed the reports. */
async function arrived(postId: string, count = 1): Promise<{ readonly revision: number }> {
  await app.caughtUp();
  const found = await moderator.query<{ revision: number; openReports: number }>(
    `getModerationCase(postId: "${postId}") { revision openReports }`,
  );
  expect(found.openReports).toBe(count);
  return found;
}

/** Whatever a student can read that a report might colour. */
const looks = (postId: string): readonly string[] => {
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
const seenBy = async (who: Participant, postId: string) => {
  const answers = [];
  for (const look of looks(postId))
    answers.push(await app.graphql(`{ done: ${look} }`, {}, who.student.token));
  return answers;
};

describe('a report', () => {
  it('changes nothing that the author, another student, or the public can read', async () => {
    const postId = await author.ask({ title: 'Reported' });
    const readers = [author, bystander];
    // What comes of the question itself settles first.
    await app.caughtUp();
    const page = async () => (await app.http().get(`/question/${postId}`)).text.replace(/nonce="[^"]*"/g, '');
    const before = [await seenBy(author, postId), await seenBy(bystander, postId), await page()];
    expect((await report(reporter, postId)).errors).toBeUndefined();
    await arrived(postId);
    expect([await seenBy(author, postId), await seenBy(bystander, postId), await page()]).toEqual(before);
    expect(JSON.stringify(await Promise.all(readers.map((who) => seenBy(who, postId))))).not.toContain(
      reporter.student.studentId,
    );
  });

  it('and its dismissal are silent: the bell does not ring, and nothing new stands in it', async () => {
    const postId = await author.ask();
    await report(reporter, postId);
    const { revision } = await arrived(postId);
    const before = await seenBy(author, postId);
    await moderator.does(
      `dismissReports(postId: "${postId}", reason: "Fine", seen: { revision: ${revision}, openReports: 1 }) { _id }`,
    );
    await app.caughtUp();
    expect(await seenBy(author, postId)).toEqual(before);
  });

  it('is answered alike whether or not others reported before', async () => {
    const [fresh, known] = [await author.ask(), await author.ask()];
    await report(reporter, known);
    await arrived(known);
    const [one, other] = [await report(bystander, fresh), await report(bystander, known)];
    expect({ ...one, data: null }).toEqual({ ...other, data: null });
    // Only one's own report is told of.
    expect((await report(bystander, known)).errors?.[0]?.message).toBe(
      'You have already reported this post.',
    );
  });

  it('is heard live by moderators of the space alone: neither of the question nor of the bell, nor by those who may not listen', async () => {
    const postId = await author.ask();
    const space = community.spaceId;
    const question = `questionUpdated(questionId: "${postId}") { questionId ordinal }`;
    const bell = `notificationArrived(space: "${space}") { space }`;
    const queue = 'moderationChanged { postId }';
    const listeners: Listener[] = [];
    const hears = (what: string, who?: Participant): Listener => {
      const listener = listenTo(app, what, who?.student.token);
      listeners.push(listener);
      return listener;
    };
    try {
      const open = [hears(question), hears(question, author), hears(question, bystander)];
      const quiet = [...open, hears(bell, author), hears(bell, bystander), hears(queue, elsewhere)];
      const refused = [hears(queue), hears(queue, author), hears(queue, bystander)];
      const moderating = hears(queue, moderator);
      await untilListening(...quiet, moderating);
      // The bells and the queues tell at once that they are there.
      await eventually(() => [...quiet.slice(3), moderating].every(({ heard }) => heard.length > 0));
      await eventually(() => refused.every(({ errors }) => errors.length > 0));
      const before = quiet.map(({ heard }) => heard.length);

      await report(reporter, postId);
      await eventually(() => JSON.stringify(moderating.heard).includes(postId));
      expect(JSON.stringify(moderating.heard)).not.toContain(reporter.student.studentId);
      // What comes behind the report on the same ways has arrived: so has all that there was of the report.
      const answerId = await bystander.answer(postId);
      expect(answerId).toBeTruthy();
      for (const listener of [...open, ...quiet.slice(3, 4)])
        await eventually(() => listener.heard.length > (before[quiet.indexOf(listener)] ?? 0));
      expect(quiet.map(({ heard }, index) => heard.length - (before[index] ?? 0))).toEqual([
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

  it('shows in no answer to what the author does: the same fields, notes and refusals as for a quiet post', async () => {
    const posts = [await author.ask({ title: 'Mine' }), await author.ask({ title: 'Mine' })] as const;
    await report(reporter, posts[0]);
    await report(bystander, posts[0]);
    await arrived(posts[0], 2);
    const actsOn = (id: string): readonly string[] => [
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
      const answered = [];
      for (const act of actsOn(id)) answered.push(await app.graphql(act, {}, author.student.token));
      answers.push(JSON.parse(JSON.stringify(answered).replaceAll(id, 'the post')) as unknown);
    }
    expect(answers[0]).toEqual(answers[1]);
    // They were acts, and no mistakes of this test.
    expect(JSON.stringify(answers[0])).toContain('Other words');
    expect(JSON.stringify(answers[0])).not.toContain('GRAPHQL_VALIDATION');
  });

  it('is found by no moderation operation, whoever guesses its post', async () => {
    const [reported, quiet] = [await author.ask(), await author.ask()];
    await report(reporter, reported);
    await arrived(reported);
    for (const who of [author, bystander, elsewhere]) {
      const answers = [];
      for (const postId of [reported, quiet]) {
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
