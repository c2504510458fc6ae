import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
});

interface Activity {
  readonly activityType: string;
  readonly dataResolve: string;
  readonly data: { readonly __typename: string; readonly _id: string; readonly body: string };
}

const DATA = `
  __typename
  ... on ActivityQuestion { _id title body }
  ... on ActivityAnswer { _id title body question { _id } }
  ... on ActivityQuestionComment { _id title body question { _id } }
  ... on ActivityComment { _id title body answer { _id question { _id } } }`;

const activitiesOf = (more = ''): string =>
  `getPaginatedStudentActivities(space: "${community.spaceId}"${more})
   { docs { _id createdAt activityType dataResolve subject { subjectName } topic { topicName }
     student { userName } data { ${DATA} } } page totalPages }`;
const read = async (who: Participant, more = ''): Promise<readonly Activity[]> =>
  (await who.query<{ docs: readonly Activity[] }>(activitiesOf(more))).docs;

describe('activities', () => {
  it('list the caller’s actions with typed data and a reference to the question', async () => {
    const questionId = await bob.ask({ title: 'Is it so?', body: '<p>Or <b>not</b>?</p>' });
    const answerId = await ada.answer(questionId, '<p>It is.</p>');
    const commentId = await ada.commentOnAnswer(answerId, 'Surely');
    const questionCommentId = await ada.commentOnQuestion(questionId, 'Well asked');
    await ada.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    const docs = await eventually(
      () => read(ada),
      (found) => found.length === 4,
    );
    const title = 'Is it so?';
    const question = { _id: questionId };
    expect(docs.map(({ activityType, dataResolve, data }) => [activityType, dataResolve, data])).toEqual([
      [
        'UPVOTE_QUESTION',
        'Question',
        { __typename: 'ActivityQuestion', ...question, title, body: '<p>Or <b>not</b>?</p>' },
      ],
      [
        'CREATE_QUESTION_COMMENT',
        'QuestionComment',
        {
          __typename: 'ActivityQuestionComment',
          _id: questionCommentId,
          title,
          body: 'Well asked',
          question,
        },
      ],
      [
        'CREATE_COMMENT',
        'Comment',
        {
          __typename: 'ActivityComment',
          _id: commentId,
          title,
          body: 'Surely',
          answer: { _id: answerId, question },
        },
      ],
      [
        'CREATE_ANSWER',
        'Answer',
        { __typename: 'ActivityAnswer', _id: answerId, title, body: '<p>It is.</p>', question },
      ],
    ]);
    expect(docs[0]).toMatchObject({
      subject: { subjectName: 'Algebra' },
      topic: { topicName: 'Groups' },
      student: { userName: ada.student.userName },
    });
  });

  it('show other members the posts but not the votes', async () => {
    const questionId = await bob.ask();
    const answerId = await bob.answer(questionId);
    await ada.perform(`downvoteAnswer(answerId: "${answerId}") { _id }`);
    await eventually(
      () => read(ada),
      (found) => found.some(({ activityType }) => activityType === 'DOWNVOTE_ANSWER'),
    );
    const seen = await read(bob, `, student: "${ada.student.studentId}"`);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(({ activityType }) => !activityType.startsWith('CREATE'))).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain(answerId);
  });

  it('drop a withdrawn vote', async () => {
    const questionId = await bob.ask();
    const isShown = async () => (await read(ada)).some(({ data }) => data._id === questionId);
    await ada.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await eventually(isShown);
    await ada.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await eventually(async () => !(await isShown()));
  });

  it('truncate a long body to well-formed HTML', async () => {
    const questionId = await ada.ask({ body: `<p><b>${'long &amp; '.repeat(1_000)}</b></p>` });
    const own = (found: readonly Activity[]) => found.find(({ data }) => data._id === questionId);
    const shown = own(
      await eventually(
        () => read(ada),
        (found) => own(found) !== undefined,
      ),
    );
    expect(shown?.data.body).toMatch(/^<p><b>.{1000,2000}…<\/b><\/p>$/);
  });

  it('are visible to members only', async () => {
    const stranger = new Participant(app, await app.signUp(), community);
    expect(await stranger.refusal(`{ ${activitiesOf()} }`)).toMatchObject({ code: 'FORBIDDEN' });
    const { errors } = await app.graphql(`{ ${activitiesOf()} }`);
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(await ada.refusal(`{ ${activitiesOf(', paginateOptions: {limit: 101}')} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'limit',
    });
    expect(await read(ada, `, student: "${randomUUID()}"`)).toEqual([]);
  });
});
