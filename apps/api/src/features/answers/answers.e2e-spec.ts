import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf } from '@nimo/domain';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let eve: Participant;
let questionId: string;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
  eve = new Participant(app, await app.signUp(), community);
  questionId = await ada.ask();
});

const KEY = { 'idempotency-key': 'lost-answer' };
const create = (body: string, more = ''): string =>
  `createAnswer(questionId: "${questionId}", body: ${JSON.stringify(body)}${more}) { _id body title author { _id } }`;
const update = (id: string, body: string, more = ''): string =>
  `updateAnswer(id: "${id}", body: ${JSON.stringify(body)}${more}) { body editedAt }`;

describe('answers', () => {
  it('are sanitised and have the title of their question', async () => {
    const body = '<p onclick="x()">Be<b>cause</b><img src="x" onerror="y()"></p><iframe src="z"></iframe>';
    const { data, errors } = await bob.mutate<{ body: string }>(create(body));
    expect(errors).toBeUndefined();
    expect(data.done).toMatchObject({
      title: 'Is every group a set?',
      author: { _id: bob.student.studentId },
    });
    expect(data.done.body).toContain('Be');
    expect(data.done.body).not.toMatch(/onclick|onerror|iframe|<img/);
  });

  it.each([
    '',
    '   ',
    '<p></p>',
    '<p>&nbsp;</p>',
    '<p><br></p>',
    '<script>alert(1)</script>',
    '<p>\u200b</p>',
  ])('reject a body without visible text: %j', async (body) => {
    expect(await bob.refusal(`mutation { ${create(body)} }`)).toEqual({
      message: 'Please add your answer',
      code: 'VALIDATION_FAILED',
      field: 'body',
    });
  });

  it('reject long bodies, foreign images, non-members, other authors and unknown questions', async () => {
    expect(await bob.refusal(`mutation { ${create(`<p>${'x'.repeat(65 * 1024)}</p>`)} }`)).toMatchObject({
      message: 'Text can’t be longer than 64 KB.',
      field: 'body',
    });
    expect(
      await bob.refusal(`mutation { ${create('<p>x</p>', ', imageUrls: ["//evil.example/x.png"]')} }`),
    ).toEqual({
      message: 'Upload the images first.',
      code: 'VALIDATION_FAILED',
      field: 'imageUrls',
    });
    expect(await eve.refusal(`mutation { ${create('<p>x</p>')} }`)).toEqual({
      message: 'Join the space to take part.',
      code: 'FORBIDDEN',
    });
    const asAda = `, author: "${ada.student.studentId}"`;
    expect(await bob.refusal(`mutation { ${create('<p>x</p>', asAda)} }`)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(
      await bob.refusal(`mutation { createAnswer(questionId: "${randomUUID()}", body: "<p>x</p>") { _id } }`),
    ).toEqual({ message: 'No Question found with this id!', code: 'NOT_FOUND' });
  });

  it('are either posted or rejected when their question is deleted concurrently', async () => {
    for (const id of [await ada.ask(), await ada.ask(), await ada.ask()]) {
      const [, { data, errors }] = await Promise.all([
        ada.perform(`deleteQuestionById(id: "${id}") { _id }`),
        bob.mutate<{ _id: string } | null>(`createAnswer(questionId: "${id}", body: "So") { _id }`),
      ]);
      const wasAnswered = errors === undefined && data.done !== null;
      if (!wasAnswered) expect(errors?.[0]?.message).toBe(messageOf('QUESTION_NOT_FOUND'));
    }
  });

  it('are null and stale, not an error, if the projection lost its rows', async () => {
    const sent = [`createAnswer(questionId: "${questionId}", body: "<p>Lost.</p>") { _id }`, KEY] as const;
    const { data } = await bob.mutate(...sent);
    await app.caughtUp();
    const lost = await app.pool.query('delete from read.answers where answer_id = $1', [data.done._id]);
    expect(lost.rowCount).toBe(1);
    expect(await bob.mutate<null>(...sent)).toMatchObject({
      data: { done: null },
      errors: undefined,
      extensions: { stale: true },
    });
  });

  it('accept ids in upper case', async () => {
    const { data, errors } = await bob.mutate<{ author: { _id: string } }>(
      `createAnswer(questionId: "${questionId.toUpperCase()}", author: "${bob.student.studentId.toUpperCase()}", body: "Loud") { author { _id } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.done.author._id).toBe(bob.student.studentId);
  });

  it('can be edited only by their author, and not to an empty body', async () => {
    const id = await bob.answer(questionId);
    const { data } = await bob.mutate(update(id, '<p>Better.</p>'));
    expect(data.done).toEqual({ body: '<p>Better.</p>', editedAt: expect.any(String) });
    expect(await ada.refusal(`mutation { ${update(id, '<p>Worse.</p>')} }`)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await bob.refusal(`mutation { ${update(id, '<p> </p>')} }`)).toMatchObject({
      message: 'Please add your answer',
    });
    expect(await bob.refusal(`mutation { ${update(randomUUID(), '<p>x</p>')} }`)).toEqual({
      message: 'Answer not found.',
      code: 'NOT_FOUND',
    });
  });

  it('can be deleted by the author or by a moderator with a reason, and then not be changed', async () => {
    const id = await bob.answer(questionId);
    const remove = `deleteAnswerById(id: "${id}") { _id }`;
    expect(await ada.refusal(`mutation { ${remove} }`)).toMatchObject({ code: 'FORBIDDEN' });
    const before = await ada.query<{ answerCount: number }>(
      `getQuestionById(questionId: "${questionId}") { answerCount }`,
    );
    // A double click.
    await bob.perform(remove);
    await bob.perform(remove);
    expect(await ada.query(`getQuestionById(questionId: "${questionId}") { answerCount }`)).toEqual({
      answerCount: before.answerCount - 1,
    });
    for (const operation of [
      update(id, '<p>x</p>'),
      `acceptAnswer(questionId: "${questionId}", answerId: "${id}") { _id }`,
    ])
      expect(await (operation.startsWith('update') ? bob : ada).refusal(`mutation { ${operation} }`)).toEqual(
        {
          message: 'Answer not found.',
          code: 'NOT_FOUND',
        },
      );
    expect(await ada.refusal(`mutation { upvoteAnswer(answerId: "${id}") { _id } }`)).toEqual({
      message: 'This post no longer exists.',
      code: 'NOT_FOUND',
    });
    const moderator = await newMember(app, community.spaceId);
    await app.grantRole(moderator.studentId, 'MODERATOR', community.spaceId);
    const mod = new Participant(app, moderator, community);
    const other = await bob.answer(questionId);
    expect(
      await mod.refusal(`mutation { deleteAnswerById(id: "${other}", reason: " ") { _id } }`),
    ).toMatchObject({
      message: 'Please give a reason.',
      field: 'reason',
    });
    await mod.perform(`deleteAnswerById(id: "${other}", reason: "off topic") { _id }`);
  });

  it('are listed for everyone, the accepted answer first, then oldest first', async () => {
    const id = await ada.ask();
    const answers = [
      await bob.answer(id, '<p>1</p>'),
      await bob.answer(id, '<p>2</p>'),
      await bob.answer(id, '<p>3</p>'),
    ];
    await ada.perform(`acceptAnswer(questionId: "${id}", answerId: "${String(answers[2])}") { _id }`);
    const list = `{ done: getPaginatedAnswers(questions: ["${id}"]) { docs { _id } page totalPages } }`;
    const docs = [answers[2], answers[0], answers[1]].map((_id) => ({ _id }));
    for (const token of [undefined, eve.student.token])
      expect((await app.graphql(list, {}, token)).data).toEqual({ done: { docs, page: 1, totalPages: 1 } });
    expect(
      await ada.query(
        `getPaginatedAnswers(questions: ["${id}"], paginateOptions: {page: 2, limit: 2}) { docs { _id } }`,
      ),
    ).toEqual({ docs: [docs[2]] });
    expect(await ada.refusal('{ getPaginatedAnswers(questions: ["x"]) { page } }')).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'questions',
    });
  });
});
