import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let eve: Participant;
let questionId: string;
let answerId: string;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
  eve = new Participant(app, await app.signUp(), community);
  questionId = await ada.ask();
  answerId = await bob.answer(questionId);
});

/** The same rules apply to both kinds. */
const kinds = [
  {
    kind: 'question',
    create: (body: string, more = '') =>
      `createQuestionComment(questionId: "${questionId}", body: ${JSON.stringify(body)}${more}) { _id body }`,
    remove: (id: string, more = '') => `deleteQuestionCommentById(id: "${id}"${more}) { _id }`,
    removeOther: (id: string) => `deleteCommentById(id: "${id}") { _id }`,
    list: () => `getPaginatedQuestionComments(question: "${questionId}") { docs { _id } }`,
    count: () => `getQuestionById(questionId: "${questionId}") { commentsCount }`,
  },
  {
    kind: 'answer',
    create: (body: string, more = '') =>
      `createComment(answerId: "${answerId}", body: ${JSON.stringify(body)}${more}) { _id body }`,
    remove: (id: string, more = '') => `deleteCommentById(id: "${id}"${more}) { _id }`,
    removeOther: (id: string) => `deleteQuestionCommentById(id: "${id}") { _id }`,
    list: () => `getPaginatedComments(answers: ["${answerId}"]) { docs { _id } }`,
    count: () => `getPaginatedAnswers(questions: ["${questionId}"]) { docs { commentsCount } }`,
  },
];

describe.each(kinds)('comments on a $kind', ({ create, remove, removeOther, list, count }) => {
  const post = async (who: Participant, body = 'Why?'): Promise<string> => {
    const { data, errors } = await who.mutate(create(body));
    expect(errors).toBeUndefined();
    return data.done._id;
  };

  it('keep markup as plain text and resolve mentions to user names', async () => {
    const body = `<b>Hi</b> @[${bob.student.studentId}]`;
    const { data } = await ada.mutate<{ body: string }>(create(body));
    expect(data.done.body).toBe(`<b>Hi</b> @[${bob.student.userName}]`);
  });

  it('resolve members by user name and list the mentions', async () => {
    const { userName } = bob.student;
    const body = `@[${userName.toUpperCase()}] and @[nobody of that name]`;
    const { data } = await ada.mutate<{ body: string; mentions: string[] }>(
      create(body).replace('{ _id body }', '{ _id body mentions }'),
    );
    expect(data.done).toMatchObject({
      body: `@[${userName}] and @[nobody of that name]`,
      mentions: [userName],
    });
  });

  it.each(['', '  ', '\n\t', '\u200b'])('reject a body without visible text: %j', async (body) => {
    expect(await ada.refusal(`mutation { ${create(body)} }`)).toEqual({
      message: 'Comment should not be empty!',
      code: 'VALIDATION_FAILED',
      field: 'body',
    });
  });

  it('have a maximum length', async () => {
    await post(ada, '😀'.repeat(5_000));
    expect(await ada.refusal(`mutation { ${create('x'.repeat(5_001))} }`)).toEqual({
      message: 'Comments can’t be longer than 5000 characters.',
      code: 'VALIDATION_FAILED',
      field: 'body',
    });
  });

  it('can be posted only by members in their own name', async () => {
    expect(await eve.refusal(`mutation { ${create('x')} }`)).toEqual({
      message: 'Join the space to take part.',
      code: 'FORBIDDEN',
    });
    expect(
      await ada.refusal(`mutation { ${create('x', `, author: "${bob.student.studentId}"`)} }`),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('can be deleted only by their author, and are counted once', async () => {
    const before = await ada.query(count());
    const id = await post(bob);
    expect(await ada.query(count())).not.toEqual(before);
    expect(await ada.refusal(`mutation { ${remove(id)} }`)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await bob.refusal(`mutation { ${removeOther(id)} }`)).toEqual({
      message: 'Comment not found.',
      code: 'NOT_FOUND',
    });
    await bob.perform(remove(id));
    await bob.perform(remove(id));
    expect(await ada.query(count())).toEqual(before);
    const { docs } = await ada.query<{ docs: { _id: string }[] }>(list());
    expect(docs.map(({ _id }) => _id)).not.toContain(id);
  });

  it('can be deleted by a moderator with a reason', async () => {
    const id = await post(bob);
    const moderator = await newMember(app, community.spaceId);
    await app.grantRole(moderator.studentId, 'MODERATOR', community.spaceId);
    const mod = new Participant(app, moderator, community);
    expect(await mod.refusal(`mutation { ${remove(id)} }`)).toMatchObject({
      message: 'Please give a reason.',
    });
    await mod.perform(remove(id, ', reason: "rude"'));
  });

  it('can be read by everyone, even without a session', async () => {
    const id = await post(ada);
    const { data } = await app.graphql<{ done: { docs: { _id: string }[] } }>(`{ done: ${list()} }`);
    expect(data.done.docs.map(({ _id }) => _id)).toContain(id);
  });
});

describe('comments', () => {
  it('require an existing post of the right type', async () => {
    const missing = { message: 'This post no longer exists.', code: 'NOT_FOUND' };
    for (const operation of [
      `createQuestionComment(questionId: "${randomUUID()}", body: "x") { _id }`,
      `createQuestionComment(questionId: "${answerId}", body: "x") { _id }`,
      `createComment(answerId: "${questionId}", body: "x") { _id }`,
    ])
      expect(await ada.refusal(`mutation { ${operation} }`)).toEqual(missing);
  });

  it('have no votes', async () => {
    const id = await ada.commentOnQuestion(questionId);
    const { docs } = await ada.query<{ docs: { _id: string; upvoteCount: number; upvotedBy: unknown[] }[] }>(
      `getPaginatedQuestionComments(question: "${questionId}", paginateOptions: {limit: 100}) { docs { _id upvoteCount upvotedBy { _id } } }`,
    );
    expect(docs.find(({ _id }) => _id === id)).toEqual({ _id: id, upvoteCount: 0, upvotedBy: [] });
    expect(await bob.refusal(`mutation { upvoteAnswer(answerId: "${id}") { _id } }`)).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

/** Text people type about code, formulas and markup. */
const SAMPLES = [
  'arr = @[0]',
  'foo@[bar baz]',
  '@[]',
  '@[…]',
  '@[00000000-0000-4000-8000-000000000000]',
  '@[Ann',
  '$& $1 $$',
  '<script>alert(1)</script>',
  '&amp; &lt; &#64;[x]',
  '\\(x^2\\) and $$y$$',
  '`@[x]` ```@[y]```',
  'e\u0301 é 👩‍🏫 می\u200cخواهم zero\u200bwidth',
  'a\n\n  b\tc',
  '"quoted" \\n \\u0000',
  'null undefined {"a": [1]}',
];
const TYPED = SAMPLES.flatMap((first) => SAMPLES.map((second) => `${first} ${second}`));

describe('comment text', () => {
  it('loses only control characters', async () => {
    const { data } = await ada.mutate<{ body: string }>(
      `createQuestionComment(questionId: "${questionId}", body: "\\u202Egnp\\u0007.exe\\r\\nb") { body }`,
    );
    expect(data.done.body).toBe('gnp.exe\nb');
  });

  it(`is returned as typed: ${TYPED.length} texts`, async () => {
    const posted = new Map<string, string>();
    await concurrently(TYPED, async (body) => {
      const { data } = await ada.mutate<{ _id: string; body: string; mentions: string[] }>(
        `createQuestionComment(questionId: "${questionId}", body: ${JSON.stringify(body)}) { _id body mentions }`,
      );
      expect(data.done).toMatchObject({ body, mentions: [] });
      posted.set(data.done._id, body);
    });
    const read = new Map<string, string>();
    for (let page = 1; read.size < posted.size; page += 1) {
      const { docs } = await ada.query<{ docs: { _id: string; body: string }[] }>(
        `getPaginatedQuestionComments(question: "${questionId}", paginateOptions: { page: ${page}, limit: 100 }) { docs { _id body } }`,
      );
      if (docs.length === 0) break;
      for (const { _id, body } of docs) if (posted.has(_id)) read.set(_id, body);
    }
    expect(read).toEqual(posted);
  });
});
