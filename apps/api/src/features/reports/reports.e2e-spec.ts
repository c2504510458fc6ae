import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

const REASONS = [
  'Its spam',
  'Nudity or sexual activity',
  'Hate picture or symbols',
  "I just don't like it",
  'Bullying or harassment',
  'Fasle information',
  'Violence or dangerous',
  'Scam or fraud',
  'Something else',
];

let app: TestApp;
let community: Community;
let ada: Participant;
let reporters: Participant[];
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 5);
  const [author, ...others] = community.members.map((student) => new Participant(app, student, community));
  if (!author) throw new Error('no members');
  ada = author;
  reporters = others;
});

const report = (postId: string, postType: string, reason = 'Its spam', more = ''): string =>
  `reportPost(postId: "${postId}", postType: ${postType}, reason: ${JSON.stringify(reason)}${more}) { _id }`;
const merit = async (): Promise<number | undefined> => {
  const own = await ada.query<{ scores: { reputations: number } | null }>(
    `getLeaderboardScores(space: "${community.spaceId}") { scores { reputations } }`,
  );
  return own.scores?.reputations;
};

describe('reporting', () => {
  it('accepts each of the nine reasons, for each kind of post', async () => {
    const [reporter] = reporters;
    for (const reason of REASONS) await reporter?.perform(report(await ada.ask(), 'QUESTION', reason));
    const questionId = await ada.ask();
    const answerId = await ada.answer(questionId);
    const posts = {
      ANSWER: answerId,
      QUESTION_COMMENT: await ada.commentOnQuestion(questionId),
      COMMENT: await ada.commentOnAnswer(answerId),
    };
    for (const [postType, postId] of Object.entries(posts)) {
      await reporter?.perform(report(postId, postType));
      expect(
        await reporter?.query(
          `getPaginatedPostReports(postType: ${postType}) { docs { post postType reason } }`,
        ),
      ).toEqual({ docs: [{ post: postId, postType, reason: 'Its spam' }] });
    }
  });

  it.each(['', 'its spam', 'False information', 'x'.repeat(2_000)])(
    'refuses any other reason: %.20j',
    async (reason) => {
      const id = await ada.ask();
      expect(await reporters[0]?.refusal(`mutation { ${report(id, 'QUESTION', reason)} }`)).toEqual({
        message: 'Please select a reason.',
        code: 'VALIDATION_FAILED',
        field: 'reason',
      });
    },
  );

  it('is allowed once per post, for members, on their own behalf and not on own posts', async () => {
    const id = await ada.ask();
    const [reporter, other] = reporters;
    await reporter?.perform(report(id, 'QUESTION'));
    expect(await reporter?.refusal(`mutation { ${report(id, 'QUESTION', 'Scam or fraud')} }`)).toEqual({
      message: 'You have already reported this post.',
      code: 'CONFLICT',
    });
    expect(await ada.refusal(`mutation { ${report(id, 'QUESTION')} }`)).toEqual({
      message: 'You can’t report your own post.',
      code: 'FORBIDDEN',
    });
    const eve = new Participant(app, await app.signUp(), community);
    expect(await eve.refusal(`mutation { ${report(id, 'QUESTION')} }`)).toMatchObject({
      message: 'Join the space to take part.',
    });
    const asAda = `, studentId: "${ada.student.studentId}"`;
    expect(await other?.refusal(`mutation { ${report(id, 'QUESTION', 'Its spam', asAda)} }`)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(
      await other?.refusal(
        `{ getPaginatedPostReports(postType: QUESTION, student: "${ada.student.studentId}") { page } }`,
      ),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('refuses unknown and deleted posts and the wrong kind of post', async () => {
    const id = await ada.ask();
    const gone = { message: 'This post no longer exists.', code: 'NOT_FOUND' };
    for (const [postId, postType] of [
      [randomUUID(), 'QUESTION'],
      [id, 'ANSWER'],
      [id, 'COMMENT'],
    ] as const)
      expect(await reporters[0]?.refusal(`mutation { ${report(postId, postType)} }`)).toEqual(gone);
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await reporters[0]?.refusal(`mutation { ${report(id, 'QUESTION')} }`)).toEqual(gone);
  });

  it('is visible only to the reporter', async () => {
    const id = await ada.ask();
    await reporters[0]?.perform(report(id, 'QUESTION'));
    const others = await reporters[1]?.query<{ docs: { post: string }[] }>(
      'getPaginatedPostReports(postType: QUESTION) { docs { post } }',
    );
    expect(others?.docs.map(({ post }) => post)).not.toContain(id);
  });

  it('costs the author merit once, at the third reporter, even with concurrent reports', async () => {
    const id = await ada.ask();
    // Enough merit to show the full penalty.
    for (const question of [await ada.ask(), await ada.ask()])
      for (const voter of reporters) await voter.perform(`upvoteQuestion(questionId: "${question}") { _id }`);
    await app.caughtUp();
    const before = await merit();
    expect(before).toBe(401);
    const [first, second, ...more] = reporters;
    await first?.perform(report(id, 'QUESTION'));
    await second?.perform(report(id, 'QUESTION'));
    await app.caughtUp();
    expect(await merit()).toBe(before);
    await Promise.all(more.map((reporter) => reporter.perform(report(id, 'QUESTION'))));
    await app.caughtUp();
    expect(await merit()).toBe(201);
  });
});
