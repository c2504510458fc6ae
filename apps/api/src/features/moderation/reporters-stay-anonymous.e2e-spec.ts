import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, eventually, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let author: Participant;
let bystander: Participant;
let reporter: Participant;
let elsewhere: Participant;
let moderator: Participant;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 4);
  [author, bystander, reporter, moderator] = community.members.map(
    (student) => new Participant(app, student, community),
  ) as [Participant, Participant, Participant, Participant];
  await app.grantRole(moderator.student.studentId, 'MODERATOR', community.spaceId);
  const other = await newSpace(app);
  elsewhere = new Participant(app, await newMember(app, other), community);
  await app.grantRole(elsewhere.student.studentId, 'MODERATOR', other);
}, 60_000);
afterAll(() => app.close());

const report = (by: Participant, postId: string) =>
  by.mutate(`reportPost(postId: "${postId}", postType: QUESTION, reason: "Scam or fraud") { _id }`);
/** Seen by the moderators: every projection that shows reports has passed it. */
const arrived = (postId: string, count = 1) =>
  eventually(
    () =>
      moderator
        .query<{ revision: number; openReports: number }>(
          `getModerationCase(postId: "${postId}") { revision openReports }`,
        )
        .catch(() => null),
    (found) => found?.openReports === count,
  );

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
    // Search and notifications of the question itself settle first.
    await eventually(
      () => bystander.query<number>(`getNewNotificationCount(space: "${community.spaceId}")`),
      (count) => count > 0,
    );
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
    const found = await arrived(postId);
    const before = await seenBy(author, postId);
    await moderator.does(
      `dismissReports(postId: "${postId}", reason: "Fine", seen: { revision: ${found?.revision ?? 0}, openReports: 1 }) { _id }`,
    );
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
      'You have reported this post already.',
    );
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
