import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let eve: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
  eve = new Participant(app, await app.signUp(), community);
});

const byId = (id: string, fields: string): string => `getQuestionById(questionId: "${id}") { ${fields} }`;
const titlesOf = async (who: Participant, vals: string, options = ''): Promise<string[]> => {
  const { docs } = await who.query<{ docs: { title: string }[] }>(
    `getPaginatedQuestions(queryVals: {space: "${community.spaceId}"${vals}}${options}) { docs { title } page totalPages }`,
  );
  return docs.map(({ title }) => title);
};

describe('asking', () => {
  it('shows the question with its author, subject and topic', async () => {
    const { data } = await ada.tryToAsk({ title: '  A title ', body: '<p>Why <script>x</script>so?</p>' });
    expect(data.done).toMatchObject({
      title: 'A title',
      body: '<p>Why so?</p>',
      tags: ['Groups'],
      author: { _id: ada.student.studentId, userName: ada.student.userName },
      isSaved: false,
      isAuthorizedToView: true,
      isAuthorizedToInteract: true,
    });
  });

  it.each([
    [{ title: '' }, 'Please add question title.', 'title'],
    [{ title: ' \u200b\u00a0\n' }, 'Please add question title.', 'title'],
    [{ title: '\u0301\ue000\u202e' }, 'Please add question title.', 'title'],
    [{ title: 'x'.repeat(301) }, 'Titles can’t be longer than 300 characters.', 'title'],
    [{ subject: '' }, 'Please select a subject', 'subject'],
    [{ subject: randomUUID() }, 'Please select a subject', 'subject'],
    [{ topic: '' }, 'Please select or create a topic', 'topic'],
    [{ topic: 'x; drop table' }, 'Please select or create a topic', 'topic'],
    [{ topic: randomUUID() }, 'Please select or create a topic', 'topic'],
    [{ body: `<p>${'x'.repeat(65 * 1024)}</p>` }, 'Text can’t be longer than 64 KB.', 'body'],
    [{ imageUrls: ['https://evil.example/pixel.png'] }, 'Upload the images first.', 'imageUrls'],
    [{ imageUrls: ['javascript:alert(1)'] }, 'Upload the images first.', 'imageUrls'],
    [{ imageUrls: [`/media/${randomUUID()}.webp`] }, 'Upload the images first.', 'imageUrls'],
    [
      { imageUrls: Array.from({ length: 11 }, () => `/media/${randomUUID()}.webp`) },
      'Allow maximum 10 images.',
      'imageUrls',
    ],
  ])('is refused for %j', async (changes, message, field) => {
    expect(refusalOf(await ada.tryToAsk(changes))).toEqual({ message, code: 'VALIDATION_FAILED', field });
  });

  it('accepts the longest title, counted in characters, not bytes', async () => {
    expect(await ada.ask({ title: '😀'.repeat(300) })).toEqual(expect.any(String));
  });

  it('is limited to members, on their own behalf', async () => {
    expect(refusalOf(await eve.tryToAsk())).toEqual({
      message: 'Join the space to take part.',
      code: 'FORBIDDEN',
    });
    expect(refusalOf(await ada.tryToAsk({ author: bob.student.studentId }))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(refusalOf(await ada.tryToAsk({ space: 'x' }))).toMatchObject({ field: 'space' });
  });

  it('happens once per idempotency key, sequentially and concurrently', async () => {
    const { subjectId, topicId, spaceId } = community;
    const key = { 'idempotency-key': randomUUID() };
    const title = `Once ${randomUUID()}`;
    const send = () =>
      ada.mutate(
        `createQuestion(subject: "${subjectId}", topic: "${topicId}", space: "${spaceId}", title: "${title}") { _id }`,
        key,
      );
    const answers = [await send(), ...(await Promise.all([send(), send(), send(), send()]))];
    expect(new Set(answers.map(({ data }) => data.done._id)).size).toBe(1);
    expect((await titlesOf(ada, '')).filter((known) => known === title)).toEqual([title]);
  });
});

describe('a question opened by link', () => {
  it('is read-only for non-members', async () => {
    const id = await ada.ask();
    const query = `{ done: ${byId(id, '_id isAuthorizedToView isAuthorizedToInteract upvotedBy { _id } isSaved')} }`;
    const expected = {
      _id: id,
      isAuthorizedToView: true,
      isAuthorizedToInteract: false,
      upvotedBy: [],
      isSaved: false,
    };
    for (const token of [undefined, eve.student.token, 'no-token'])
      expect((await app.graphql(query, {}, token)).data).toEqual({ done: expected });
    expect(
      await bob.query(`getQuestionByIdWithUserAuthorization(questionId: "${id}") { isAuthorizedToInteract }`),
    ).toEqual({ isAuthorizedToInteract: true });
  });

  it('is null for an unknown or deleted question', async () => {
    const id = await ada.ask();
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await bob.query(byId(id, '_id'))).toBeNull();
    expect(await bob.query(byId(randomUUID(), '_id'))).toBeNull();
  });
});

describe('editing', () => {
  const edit = (id: string, more: string): string =>
    `updateQuestion(id: "${id}"${more}) { title body editedAt }`;

  it('changes title and body, keeps omitted fields, and sets the edit time', async () => {
    const id = await ada.ask({ title: 'Before', body: '<p>It stays.</p>' });
    const { data } = await ada.mutate(edit(id, ', title: "After"'));
    expect(data.done).toEqual({ title: 'After', body: '<p>It stays.</p>', editedAt: expect.any(String) });
    const cleared = await ada.mutate(edit(id, ', title: "After", body: ""'));
    expect(cleared.data.done).toMatchObject({ body: '' });
  });

  it('does not overwrite a change made in another tab', async () => {
    const id = await ada.ask({ title: 'Before', body: '<p>Of <strong>old</strong>.</p>' });
    const seen = await ada.query<{ title: string; body: string; imageUrls: string[] }>(
      byId(id, 'title body imageUrls'),
    );
    const UPDATE = `mutation($id: ID!, $title: String!, $seen: SeenQuestion) {
      updateQuestion(id: $id, title: $title, seen: $seen) { title } }`;
    const save = (title: string) => app.graphql(UPDATE, { id, title, seen }, ada.student.token);
    expect((await save('Of one tab')).data).toEqual({ updateQuestion: { title: 'Of one tab' } });
    expect(refusalOf(await save('Of the other'))).toMatchObject({
      code: 'CONFLICT',
      message: 'You changed this in another tab or on another device. Review it before you save.',
    });
    expect((await save('Of one tab')).errors).toBeUndefined();
    expect(await ada.query(byId(id, 'title'))).toEqual({ title: 'Of one tab' });
  });

  it('is limited to the author and follows the rules of asking', async () => {
    const id = await ada.ask();
    expect(await bob.refusal(`mutation { ${edit(id, ', title: "Mine"')} }`)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await ada.refusal(`mutation { ${edit(id, ', title: " "')} }`)).toMatchObject({
      message: 'Please add question title.',
    });
    expect(
      await ada.refusal(
        `mutation { ${edit(id, ', title: "T", imageUrls: ["https://evil.example/x.png"]')} }`,
      ),
    ).toMatchObject({ message: 'Upload the images first.' });
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await ada.refusal(`mutation { ${edit(id, ', title: "Back"')} }`)).toEqual({
      message: 'No Question found with this id!',
      code: 'NOT_FOUND',
    });
  });
});

describe('deleting', () => {
  it('is limited to the author and, with a reason, to moderators of the space', async () => {
    const id = await ada.ask();
    const remove = `mutation { deleteQuestionById(id: "${id}") { _id } }`;
    for (const other of [bob, eve])
      expect(await other.refusal(remove)).toEqual({
        message: 'You don’t have permission to do this.',
        code: 'FORBIDDEN',
      });
    const moderator = await newMember(app, community.spaceId);
    await app.grantRole(moderator.studentId, 'MODERATOR', community.spaceId);
    const mod = new Participant(app, moderator, community);
    expect(await mod.refusal(remove)).toEqual({
      message: 'Please give a reason.',
      code: 'VALIDATION_FAILED',
      field: 'reason',
    });
    await mod.perform(`deleteQuestionById(id: "${id}", reason: "spam") { _id }`);
    expect(await ada.query(byId(id, '_id'))).toBeNull();
  });

  it('refuses an unknown question', async () => {
    expect(await ada.refusal(`mutation { deleteQuestionById(id: "${randomUUID()}") { _id } }`)).toEqual({
      message: 'No Question found with this id!',
      code: 'NOT_FOUND',
    });
  });

  it('hides answers and comments and prevents new ones', async () => {
    const id = await ada.ask();
    const answerId = await bob.answer(id);
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await bob.query(`getPaginatedAnswers(questions: ["${id}"]) { docs { _id } }`)).toEqual({
      docs: [],
    });
    expect(await bob.query(`getPaginatedQuestionComments(question: "${id}") { docs { _id } }`)).toEqual({
      docs: [],
    });
    expect(
      await bob.refusal(`mutation { createAnswer(questionId: "${id}", body: "<p>x</p>") { _id } }`),
    ).toMatchObject({ message: 'No Question found with this id!', code: 'NOT_FOUND' });
    expect(
      await bob.refusal(`mutation { createComment(answerId: "${answerId}", body: "x") { _id } }`),
    ).toMatchObject({
      message: 'This post no longer exists.',
      code: 'NOT_FOUND',
    });
  });
});

describe('lists', () => {
  it('filter, sort and paginate', async () => {
    const mine = `Mine ${randomUUID()}`;
    const id = await bob.ask({ title: mine });
    await ada.answer(id);
    expect(await titlesOf(bob, ', myQuestions: true')).toEqual([mine]);
    expect((await titlesOf(ada, '', ', paginateOptions: {sort: 1}'))[0]).toBe(mine);
    expect((await titlesOf(ada, '', ', paginateOptions: {sort: 2}'))[0]).toBe(mine);
    expect(await titlesOf(ada, '', ', paginateOptions: {limit: 1, page: 1}')).toEqual([mine]);
    expect(await titlesOf(bob, ', solvedQuestions: true, myQuestions: true')).toEqual([]);
    expect(await titlesOf(bob, ', unsolvedQuestions: true, myQuestions: true')).toEqual([mine]);
    await ada.perform(`saveQuestion(questionId: "${id}") { _id }`);
    expect(await titlesOf(ada, ', savedQuestions: true')).toEqual([mine]);
    expect(await titlesOf(ada, `, subject: "${randomUUID()}"`)).toEqual([]);
    expect(await titlesOf(ada, `, topic: "${community.topicId}", savedQuestions: true`)).toEqual([mine]);
  });

  it.each([
    ['queryVals: {space: "S", solvedQuestions: true, unsolvedQuestions: true}', 'solvedQuestions'],
    ['queryVals: {space: "S"}, paginateOptions: {page: 0}', 'page'],
    ['queryVals: {space: "S"}, paginateOptions: {page: -1}', 'page'],
    ['queryVals: {space: "S"}, paginateOptions: {page: 2000000000}', 'page'],
    ['queryVals: {space: "S"}, paginateOptions: {limit: 0}', 'limit'],
    ['queryVals: {space: "S"}, paginateOptions: {limit: 101}', 'limit'],
    ['queryVals: {space: "S"}, paginateOptions: {sort: 3}', 'sort'],
    ['queryVals: {space: "S", subject: "x"}', 'subject'],
  ])('refuse %s', async (args, field) => {
    const operation = `{ getPaginatedQuestions(${args.replace('"S"', `"${community.spaceId}"`)}) { page } }`;
    expect(await ada.refusal(operation)).toMatchObject({ code: 'VALIDATION_FAILED', field });
  });

  it('are limited to members', async () => {
    const { spaceId } = community;
    for (const operation of [
      `{ getPaginatedQuestions(queryVals: {space: "${spaceId}"}) { page } }`,
      `{ getUnsolvedQuestions(spaceId: "${spaceId}") { page } }`,
      `{ getPaginatedSavedQuestions(space: "${spaceId}") { page } }`,
      `{ searchUsers(space: "${spaceId}", search: "a") { hits { _id } } }`,
    ])
      expect(await eve.refusal(operation)).toEqual({
        message: 'Join the space to take part.',
        code: 'FORBIDDEN',
      });
  });
});

describe('accepting', () => {
  const accept = (questionId: string, answerId: string): string =>
    `acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`;

  it('solves the question once, by its author', async () => {
    const id = await ada.ask();
    const [first, second] = [await bob.answer(id), await bob.answer(id)];
    expect(await bob.refusal(`mutation { ${accept(id, first)} }`)).toMatchObject({ code: 'FORBIDDEN' });
    await ada.perform(accept(id, first));
    expect(await ada.query(byId(id, 'acceptedAnswer { _id }'))).toEqual({ acceptedAnswer: { _id: first } });
    expect(await ada.refusal(`mutation { ${accept(id, second)} }`)).toEqual({
      message: 'This question already has an accepted answer.',
      code: 'CONFLICT',
    });
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
  });

  it('refuses an own answer and one of another question', async () => {
    const [id, other] = [await ada.ask(), await ada.ask()];
    const own = await ada.answer(id);
    expect(await ada.refusal(`mutation { ${accept(id, own)} }`)).toEqual({
      message: 'You can’t accept your own answer.',
      code: 'FORBIDDEN',
    });
    const elsewhere = await bob.answer(other);
    expect(await ada.refusal(`mutation { ${accept(id, elsewhere)} }`)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('accepts one of several concurrent answers and refuses the others', async () => {
    const id = await ada.ask();
    const answers = [await bob.answer(id), await bob.answer(id), await bob.answer(id)];
    const outcomes = await Promise.all(answers.map((answerId) => ada.mutate(accept(id, answerId))));
    const refused = outcomes.filter(({ errors }) => errors);
    expect(refused.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(['CONFLICT', 'CONFLICT']);
    const accepted = outcomes.find(({ errors }) => !errors)?.data.done;
    expect(await ada.query(byId(id, 'acceptedAnswer { _id }'))).toEqual({ acceptedAnswer: accepted });
    const { rows } = await app.pool.query(
      `select count(*)::int as events from log.events where stream_id = $1 and type = 'AnswerAccepted'`,
      [`question-${id}`],
    );
    expect(rows).toEqual([{ events: 1 }]);
  });

  it('is left to moderators once the author has left, and recorded in the audit', async () => {
    const author = new Participant(app, await app.signUp(), community);
    await author.perform(`joinSpace(spaceId: "${community.spaceId}") { _id }`);
    const student = await app.signUp();
    await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
    const moderator = new Participant(app, student, community);
    await moderator.perform(`joinSpace(spaceId: "${community.spaceId}") { _id }`);
    const id = await author.ask();
    const [answerId, own] = [await bob.answer(id), await moderator.answer(id)];
    const mayAccept = async (who: Participant) => (await who.query<object>(byId(id, 'mayAccept'))) as unknown;
    expect(await mayAccept(author)).toEqual({ mayAccept: true });
    expect(await mayAccept(moderator)).toEqual({ mayAccept: false });
    expect(await moderator.refusal(`mutation { ${accept(id, answerId)} }`)).toEqual({
      message: 'Only the author of the question can accept an answer, as long as they are in the space.',
      code: 'FORBIDDEN',
    });
    await author.perform(`leaveSpace(spaceId: "${community.spaceId}") { _id }`);
    for (const who of [author, bob]) {
      expect(await mayAccept(who)).toEqual({ mayAccept: false });
      expect(await who.refusal(`mutation { ${accept(id, answerId)} }`)).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await mayAccept(moderator)).toEqual({ mayAccept: true });
    expect(await moderator.refusal(`mutation { ${accept(id, own)} }`)).toEqual({
      message: 'You can’t accept your own answer.',
      code: 'FORBIDDEN',
    });
    await moderator.perform(accept(id, answerId));
    expect(await bob.query(byId(id, 'acceptedAnswer { _id } mayAccept'))).toEqual({
      acceptedAnswer: { _id: answerId },
      mayAccept: false,
    });
    await app.caughtUp();
    const { rows } = await app.pool.query(
      `select a.kind, a.actor_id, a.receiver_id, (select count(*)::int from read.score_facts f
         where f.post_id = $1 and f.kind = 'ACCEPTED_AN_ANSWER') as paid_to_asker
       from read.audit_entries a where a.question_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        kind: 'AnswerAccepted',
        actor_id: student.studentId,
        receiver_id: bob.student.studentId,
        paid_to_asker: 0,
      },
    ]);
  });

  it('is possible again after the accepted answer is deleted', async () => {
    const id = await ada.ask();
    const [first, second] = [await bob.answer(id), await bob.answer(id)];
    await ada.perform(accept(id, first));
    await bob.perform(`deleteAnswerById(id: "${first}") { _id }`);
    expect(await ada.query(byId(id, 'acceptedAnswer { _id }'))).toEqual({ acceptedAnswer: null });
    await ada.perform(accept(id, second));
    expect(await ada.query(byId(id, 'acceptedAnswer { _id }'))).toEqual({ acceptedAnswer: { _id: second } });
  });
});
