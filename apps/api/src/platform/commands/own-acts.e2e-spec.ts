import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, testApp, type BootedApp, type TestApp } from '../../../../../test/app.js';
import { eventually } from '../../../../../test/eventually.js';
import { whileHeld } from '../../../../../test/held-read-side.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

const VOTES = '_id upvoteCount upvotedBy { _id }';

interface OwnAct {
  readonly name: string;
  readonly by: 'asker' | 'reader';
  /** The mutation, which is sent again to take it back where it toggles. */
  readonly act: () => string;
  readonly read: () => string;
  readonly shown: () => object;
  /** Answered from its own events, and so never stale. */
  readonly answer?: () => object;
}

let app: BootedApp;
let another: Awaited<ReturnType<BootedApp['anotherApi']>>;
/** Waits a millisecond for the read side. */
let hasty: TestApp;
let community: Community;
let people: Record<'asker' | 'reader' | 'bystander', Participant>;
let questionId: string;
let answerId: string;
let reportedId: string;

beforeAll(async () => {
  app = await sharedApp();
  another = await app.anotherApi({ patienceMs: 1 });
  hasty = testApp({ ...app, ...another });
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

const acts: readonly OwnAct[] = [
  {
    name: 'a vote',
    by: 'reader',
    act: () => `upvoteQuestion(questionId: "${questionId}") { question { ${VOTES} } }`,
    answer: () => ({ question: { _id: questionId, upvoteCount: 1, upvotedBy: [reader()] } }),
    read: () => question(VOTES),
    shown: () => ({ _id: questionId, upvoteCount: 1, upvotedBy: [reader()] }),
  },
  {
    name: 'a vote whose answer was not asked for',
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

describe.each(acts)('$name, while no worker runs', ({ by, act, read, shown, answer }) => {
  const ask = async (who: keyof typeof people, operation: string) => {
    const { data, errors, extensions } = await hasty.graphql<{ done: object }>(
      operation,
      {},
      people[who].student.token,
    );
    expect(errors).toBeUndefined();
    return { done: data.done, isStale: extensions?.stale ?? false };
  };
  const see = (who: keyof typeof people) => ask(who, `{ done: ${read()} }`);

  it('reads back as stale until it is there, and is stale for nobody else', async () => {
    const before = await eventually(
      () => see(by),
      ({ isStale }) => !isStale,
    );
    const [acted, first, second, others] = await whileHeld(app.pool, async () => [
      await ask(by, `mutation { done: ${act()} }`),
      await see(by),
      await see(by),
      await see('bystander'),
    ]);
    expect(acted.isStale).toBe(!answer);
    if (answer) expect(acted.done).toEqual(answer());
    expect([first, second]).toEqual([
      { ...before, isStale: true },
      { ...before, isStale: true },
    ]);
    expect(others.isStale).toBe(false);
    const after = await eventually(
      () => see(by),
      ({ isStale }) => !isStale,
    );
    expect(after.done).toEqual(shown());
  });
});
