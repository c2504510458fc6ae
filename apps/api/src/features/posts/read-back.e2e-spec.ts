import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf } from '@nimo/domain';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';

interface Posts {
  readonly questionId: string;
  readonly answerId: string;
}

let app: TestApp;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await sharedApp();
  ({
    people: [ada, bob],
  } = await newParticipants(app, 2));
});

/** Posts by Bob on Ada's question. A repeated mutation reads back what its first run wrote, even if it was deleted since. */
const mutations: readonly [name: string, write: (posts: Posts) => string][] = [
  ['an answer', ({ questionId }) => `createAnswer(questionId: "${questionId}", body: "Yes.") { _id }`],
  ['an edited answer', ({ answerId }) => `updateAnswer(id: "${answerId}", body: "No.") { _id }`],
  [
    'a comment on a question',
    ({ questionId }) => `createQuestionComment(questionId: "${questionId}", body: "Which?") { _id }`,
  ],
  [
    'a comment on an answer',
    ({ answerId }) => `createComment(answerId: "${answerId}", body: "Why?") { _id }`,
  ],
  ['a vote', ({ questionId }) => `upvoteQuestion(questionId: "${questionId}") { question { _id } }`],
];

describe.each(mutations)('%s deleted before the mutation reads it back', (_name, write) => {
  it('is refused with an error instead of null', async () => {
    const questionId = await ada.ask();
    const posts = { questionId, answerId: await bob.answer(questionId) };
    const sent = [write(posts), { 'idempotency-key': randomUUID() }] as const;
    expect((await bob.mutate(...sent)).errors).toBeUndefined();
    await ada.perform(`deleteQuestionById(id: "${questionId}") { _id }`);
    expect((await bob.mutate<unknown>(...sent)).errors?.[0]).toMatchObject({
      message: messageOf('QUESTION_NOT_FOUND'),
      extensions: { code: 'NOT_FOUND' },
    });
  });
});

describe('an edited question deleted before the mutation reads it back', () => {
  it('is refused with an error instead of null', async () => {
    const id = await ada.ask();
    const sent = [
      `updateQuestion(id: "${id}", title: "Is it?") { _id }`,
      { 'idempotency-key': randomUUID() },
    ] as const;
    expect((await ada.mutate(...sent)).errors).toBeUndefined();
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect((await ada.mutate<unknown>(...sent)).errors?.[0]?.message).toBe(messageOf('QUESTION_NOT_FOUND'));
  });
});

describe('a comment whose answer is deleted before the mutation reads it back', () => {
  it('is refused with an error instead of null', async () => {
    const answerId = await bob.answer(await ada.ask());
    const sent = [
      `createComment(answerId: "${answerId}", body: "Why?") { _id }`,
      { 'idempotency-key': randomUUID() },
    ] as const;
    expect((await ada.mutate(...sent)).errors).toBeUndefined();
    await bob.perform(`deleteAnswerById(id: "${answerId}") { _id }`);
    expect((await ada.mutate<unknown>(...sent)).errors?.[0]?.message).toBe(messageOf('POST_NOT_FOUND'));
  });
});
