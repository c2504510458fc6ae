import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';

const DAY = 86_400_000;
/** Clock of the API: vote notifications appear when the day is over. */
const clock = newSteppingClock();
let app: TestApp;
beforeAll(async () => {
  app = await bootApp({}, { clock: clock.now });
});
afterAll(() => app.close());

interface NotificationDoc {
  readonly _id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly isNew: boolean;
  readonly createdAt: string;
  readonly payload: Record<string, unknown>;
}

const PAYLOAD = `
  __typename
  ... on QuestionNotification { questionId questionTitle author { userName } }
  ... on AnswerNotification { questionId questionTitle answerId answerBody answer { _id excerpt } author { userName } }
  ... on CommentNotification { questionId questionTitle answerId answerBody commentId commentBody author { userName } }
  ... on QuestionCommentNotification { questionId questionTitle commentId commentBody author { userName } }
  ... on VoteNotification { questionId questionTitle votedAnswer: answerId votedBody: answerBody upvotes }`;

/** Creates a space with three members. */
async function newSpaceOfThree() {
  const community = await newCommunity(app, 3);
  const [ada, bob, eva] = community.members.map((member) => new Participant(app, member, community));
  if (!ada || !bob || !eva) throw new Error('missing members');
  return { community, ada, bob, eva, ...notificationsIn(community) };
}

function notificationsIn({ spaceId }: Community) {
  const list = `getPaginatedNotifications(space: "${spaceId}")`;
  return {
    list,
    read: async (who: Participant): Promise<readonly NotificationDoc[]> => {
      const { docs } = await who.query<{ docs: readonly NotificationDoc[] }>(
        `${list} { docs { _id type title body isNew createdAt payload { ${PAYLOAD} } } page totalPages }`,
      );
      return docs;
    },
    count: (who: Participant) => who.query<number>(`getNewNotificationCount(space: "${spaceId}")`),
    markSeen: async (who: Participant, upTo?: string): Promise<number> => {
      const argument = upTo === undefined ? '' : `, upTo: "${upTo}"`;
      const { data } = await who.mutate<never>(`markNotificationsSeen(space: "${spaceId}"${argument})`);
      return data.done;
    },
  };
}

/** Waits for the projections, because a command does not wait for the notifications of others. */
async function untilArrived(
  read: () => Promise<readonly NotificationDoc[]>,
  length: number,
): Promise<readonly NotificationDoc[]> {
  await app.caughtUp();
  const notifications = await read();
  expect(notifications).toHaveLength(length);
  return notifications;
}

describe('notifications', () => {
  it('cover questions, answers, comments, mentions and acceptance', async () => {
    const { ada, bob, eva, read } = await newSpaceOfThree();
    const questionId = await ada.ask({ title: 'Is it so?' });
    const answerId = await bob.answer(questionId, '<p>It <b>is</b></p>');
    await ada.commentOnAnswer(answerId, `Thanks @[${eva.student.studentId}]`);
    await bob.commentOnQuestion(questionId, 'Well asked');
    await ada.perform(`acceptAnswer(answerId: "${answerId}", questionId: "${questionId}") { _id }`);
    const place = { questionId, questionTitle: 'Is it so?' };
    const by = (who: Participant) => ({ author: { userName: who.student.userName } });
    const toAda = await untilArrived(() => read(ada), 2);
    expect(toAda.map(({ type, payload }) => [type, payload])).toEqual([
      [
        'NEW_QUESTION_COMMENT',
        {
          __typename: 'QuestionCommentNotification',
          ...place,
          ...by(bob),
          commentId: expect.any(String),
          commentBody: 'Well asked',
        },
      ],
      [
        'NEW_ANSWER',
        {
          __typename: 'AnswerNotification',
          ...place,
          ...by(bob),
          answerId,
          answerBody: 'It is',
          answer: { _id: answerId, excerpt: 'It is' },
        },
      ],
    ]);
    expect(toAda[1]).toMatchObject({
      title: `${bob.student.userName} answered your question`,
      body: 'It is',
      isNew: true,
    });
    const toBob = await untilArrived(() => read(bob), 3);
    expect(toBob.map(({ type }) => type)).toEqual(['ANSWER_ACCEPTED', 'NEW_COMMENT', 'NEW_QUESTION']);
    expect(toBob[1]?.payload).toMatchObject({
      __typename: 'CommentNotification',
      answerId,
      commentBody: `Thanks @${eva.student.userName}`,
    });
    const toEva = await untilArrived(() => read(eva), 2);
    expect(toEva.map(({ title }) => title)).toEqual([
      `${ada.student.userName} mentioned you in a comment`,
      `${ada.student.userName} asked a question`,
    ]);
  });

  it('count the upvotes of a day when it is over, without naming voters', async () => {
    const { ada, bob, eva, read } = await newSpaceOfThree();
    const questionId = await ada.ask();
    const answerId = await ada.answer(questionId);
    for (const voter of [bob, eva])
      await voter.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await bob.perform(`upvoteAnswer(answerId: "${answerId}") { _id }`);
    await eva.perform(`downvoteAnswer(answerId: "${answerId}") { _id }`);
    await app.caughtUp();
    expect(await read(ada)).toEqual([]);
    clock.advance(DAY);
    const notifications = await untilArrived(() => read(ada), 2);
    expect(notifications.map(({ title }) => title).sort()).toEqual([
      'Your answer got 1 upvote',
      'Your question got 2 upvotes',
    ]);
    expect(notifications.map(({ payload }) => payload['__typename'])).toEqual([
      'VoteNotification',
      'VoteNotification',
    ]);
    for (const { createdAt } of notifications) expect(createdAt).toMatch(/T00:00:00\.000Z$/);
    const whole = JSON.stringify(notifications);
    for (const { student } of [bob, eva]) {
      expect(whole).not.toContain(student.studentId);
      expect(whole).not.toContain(student.userName);
    }
  });

  it('stay new until seen, and never become new again', async () => {
    const { community, ada, bob, read, count, markSeen } = await newSpaceOfThree();
    const questionId = await ada.ask();
    await bob.answer(questionId);
    const [shown] = await untilArrived(() => read(ada), 1);
    expect(await count(ada)).toBe(1);
    await bob.commentOnQuestion(questionId);
    await untilArrived(() => read(ada), 2);
    // Arrivals after the list was shown stay new.
    expect(await markSeen(ada, shown?.createdAt)).toBe(1);
    expect((await read(ada)).map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(await markSeen(ada)).toBe(0);
    expect(await markSeen(ada, '1970-01-01T00:00:00.000Z')).toBe(0);
    for (const odd of ['+275760-09-13T00:00:00.000Z', '-000100-01-01T00:00:00.000Z'])
      expect(
        await ada.refusal(
          `mutation { markNotificationsSeen(space: "${community.spaceId}", upTo: "${odd}") }`,
        ),
      ).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await read(ada)).map(({ isNew }) => isNew)).toEqual([false, false]);
    // Tracked per space and student.
    expect(await count(bob)).toBe(1);
  });

  it('are visible only to their recipient, and only to members', async () => {
    const { community, ada, bob, list } = await newSpaceOfThree();
    expect(
      await bob.refusal(`{ ${list.replace(')', `, notifyTo: "${ada.student.studentId}")`)} { page } }`),
    ).toMatchObject({ code: 'FORBIDDEN' });
    const stranger = new Participant(app, await app.signUp(), community);
    const { spaceId } = community;
    for (const operation of [
      `{ ${list} { page } }`,
      `{ getNewNotificationCount(space: "${spaceId}") }`,
      `mutation { markNotificationsSeen(space: "${spaceId}") }`,
    ]) {
      expect(await stranger.refusal(operation)).toMatchObject({ code: 'FORBIDDEN' });
      const { errors } = await app.graphql(operation);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  it('are paginated by fifty', async () => {
    const { ada, bob, list } = await newSpaceOfThree();
    const questionId = await ada.ask();
    for (let written = 0; written < 51; written += 1) await bob.commentOnQuestion(questionId);
    const page = (options: string) =>
      ada.query<{ docs: unknown[]; totalPages: number }>(
        `${list.replace(')', `${options})`)} { docs { _id } totalPages }`,
      );
    await app.caughtUp();
    expect(await page('')).toMatchObject({ totalPages: 2, docs: { length: 50 } });
    expect((await page(', paginateOptions: {page: 2}')).docs).toHaveLength(1);
  });
});

describe('a mention', () => {
  it('of a non-member stays text and notifies no one', async () => {
    const { community, ada, bob, read } = await newSpaceOfThree();
    const outsider = await app.signUp();
    const questionId = await ada.ask();
    const { data } = await bob.mutate<{ body: string }>(
      `createQuestionComment(questionId: "${questionId}", body: "Ask @[${outsider.studentId}]") { _id body }`,
    );
    expect(data.done.body).toBe(`Ask @[${outsider.studentId}]`);
    const late = await newMember(app, community.spaceId);
    await app.caughtUp();
    expect(await read(new Participant(app, late, community))).toEqual([]);
    const { rows } = await app.pool.query(
      `select data->'mentionedStudentIds' as mentioned from log.events
       where type = 'CommentPosted' and data->>'questionId' = $1`,
      [questionId],
    );
    expect(rows).toEqual([{ mentioned: [] }]);
  });
});
