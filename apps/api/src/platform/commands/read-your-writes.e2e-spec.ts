import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, testApp, type BootedApp, type TestApp } from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';
import { whileProjectionBlocked } from '../../../../../test/blocked-projection.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

const VOTES = '_id upvoteCount upvotedBy { _id }';

interface OwnWrite {
  readonly name: string;
  readonly by: 'asker' | 'reader';
  /** The mutation; sending a toggle again reverts it. */
  readonly act: () => string;
  readonly read: () => string;
  readonly shown: () => object;
}

let app: BootedApp;
let another: Awaited<ReturnType<BootedApp['anotherApi']>>;
/** Waits one millisecond for projections. */
let impatientApp: TestApp;
let community: Community;
let people: Record<'asker' | 'reader' | 'bystander', Participant>;
let questionId: string;
let answerId: string;
let reportedId: string;

beforeAll(async () => {
  app = await sharedApp();
  another = await app.anotherApi({ projectionTimeoutMs: 1 });
  impatientApp = testApp({ ...app, ...another });
  community = await newCommunity(app, 3);
  const [asker, reader, bystander] = community.members.map(
    (student) => new Participant(app, student, community),
  );
  if (!asker || !reader || !bystander) throw new Error('there are no members');
  people = { asker, reader, bystander };
  questionId = await asker.ask();
  answerId = await bystander.answer(questionId);
  reportedId = await bystander.answer(questionId, '<p>Buy this.</p>');
});
afterAll(() => another.close());

const question = (fields: string) => `getQuestionById(questionId: "${questionId}") { ${fields} }`;
const reader = () => ({ _id: people.reader.student.studentId });

const writes: readonly OwnWrite[] = [
  {
    name: 'a vote',
    by: 'reader',
    act: () => `upvoteQuestion(questionId: "${questionId}") { question { ${VOTES} } }`,
    read: () => question(VOTES),
    shown: () => ({ _id: questionId, upvoteCount: 1, upvotedBy: [reader()] }),
  },
  {
    name: 'a vote that selects no counts',
    by: 'reader',
    act: () => `upvoteAnswer(answerId: "${answerId}") { _id }`,
    read: () => `getPaginatedAnswers(questions: ["${questionId}"]) { docs { ${VOTES} } }`,
    shown: () => ({
      docs: expect.arrayContaining([{ _id: answerId, upvoteCount: 1, upvotedBy: [reader()] }]),
    }),
  },
  {
    name: 'a bookmark',
    by: 'reader',
    act: () => `saveQuestion(questionId: "${questionId}") { _id }`,
    read: () => question('isSaved'),
    shown: () => ({ isSaved: true }),
  },
  {
    name: 'a comment on a question',
    by: 'reader',
    act: () => `createQuestionComment(questionId: "${questionId}", body: "Which one?") { _id }`,
    read: () => `getPaginatedQuestionComments(question: "${questionId}") { docs { body } }`,
    shown: () => ({ docs: [{ body: 'Which one?' }] }),
  },
  {
    name: 'a comment on an answer',
    by: 'reader',
    act: () => `createComment(answerId: "${answerId}", body: "Why so?") { _id }`,
    read: () => `getPaginatedComments(answers: ["${answerId}"]) { docs { body } }`,
    shown: () => ({ docs: [{ body: 'Why so?' }] }),
  },
  {
    name: 'a report',
    by: 'reader',
    act: () => `reportPost(postId: "${reportedId}", postType: ANSWER, reason: "Its spam") { _id }`,
    read: () => 'getPaginatedPostReports(postType: ANSWER) { docs { post } }',
    shown: () => ({ docs: [{ post: reportedId }] }),
  },
  {
    name: 'an accepted answer',
    by: 'asker',
    act: () => `acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`,
    read: () => question('acceptedAnswer { _id }'),
    shown: () => ({ acceptedAnswer: { _id: answerId } }),
  },
];

describe.each(writes)('$name, while no worker runs', ({ by, act, read, shown }) => {
  const ask = async (
    who: keyof typeof people,
    operation: string,
    readAfter = '',
    api: TestApp = impatientApp,
  ) => {
    const { data, errors, extensions } = await api.graphql<{ done: object }>(
      operation,
      {},
      people[who].student.token,
      { 'x-read-after': readAfter },
    );
    expect(errors).toBeUndefined();
    return {
      seen: { done: data.done, isStale: extensions?.stale ?? false },
      readAfter: Object.entries(extensions?.readAfter ?? {})
        .map((place) => place.join('='))
        .join(','),
    };
  };
  const see = async (who: keyof typeof people, readAfter?: string, api?: TestApp) =>
    (await ask(who, `{ done: ${read()} }`, readAfter, api)).seen;

  it('makes the author’s reads stale in every API process until it is projected, and no one else’s', async () => {
    const before = await see(by);
    const { readAfter, first, second, elsewhere, others } = await whileProjectionBlocked(
      app.pool,
      async () => {
        const acted = await ask(by, `mutation { done: ${act()} }`);
        expect(acted.seen.isStale).toBe(true);
        return {
          readAfter: acted.readAfter,
          first: await see(by, acted.readAfter),
          second: await see(by, acted.readAfter),
          elsewhere: await see(by, acted.readAfter, app),
          others: await see('bystander'),
        };
      },
    );
    expect([first, second, elsewhere]).toEqual(
      Array.from({ length: 3 }, () => ({ ...before, isStale: true })),
    );
    expect(others.isStale).toBe(false);
    const after = await eventually(
      () => see(by, readAfter),
      ({ isStale }) => !isStale,
    );
    expect(after.done).toEqual(shown());
  });
});

describe('the header x-read-after', () => {
  const read = async (readAfter: string) => {
    const { token } = people.reader.student;
    const { errors, extensions } = await app.graphql(`{ ${question('_id')} }`, {}, token, {
      'x-read-after': readAfter,
    });
    return { refused: errors?.[0]?.extensions, isStale: extensions?.stale ?? false };
  };

  it('is rejected when malformed', async () => {
    const many = Array.from({ length: 21 }, () => 'questions=1').join(',');
    for (const header of ['questions', 'questions=', 'questions=x', 'Questions=1', 'questions=1,', many])
      expect((await read(header)).refused).toMatchObject({
        code: 'VALIDATION_FAILED',
        field: 'x-read-after',
        rule: 'READ_AFTER_INVALID',
      });
  });

  it('marks projections behind it as stale and ignores unknown projections', async () => {
    expect(await read('questions=99999999999999999999')).toEqual({ refused: undefined, isStale: true });
    expect(await read('no-such-projection=1,questions=0')).toEqual({ refused: undefined, isStale: false });
  });
});
