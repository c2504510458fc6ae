import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface Hits {
  readonly hits: readonly {
    readonly _id: string;
    readonly title: readonly { readonly text: string; readonly isMatch: boolean }[];
  }[];
  readonly degraded: boolean;
}

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

const HITS = '{ hits { _id title { text isMatch } } degraded }';
const questions = (search: string, vals = '', more = ''): string =>
  `searchQuestions(search: ${JSON.stringify(search)}, queryVals: {space: "${community.spaceId}"${vals}}${more}) ${HITS}`;
const answers = (search: string): string =>
  `searchAnswers(search: ${JSON.stringify(search)}, space: "${community.spaceId}") ${HITS}`;
const similar = (title: string): string =>
  `getSimilarQuestions(title: ${JSON.stringify(title)}, space: "${community.spaceId}") ${HITS}`;

const idsOf = async (who: Participant, operation: string): Promise<string[]> =>
  (await who.query<Hits>(operation)).hits.map(({ _id }) => _id);

/** Repeats the search until the read side has caught up. */
const eventuallyFinds = (who: Participant, operation: string, ids: readonly string[]) =>
  eventually(async () => JSON.stringify(await idsOf(who, operation)) === JSON.stringify(ids));

describe('searching', () => {
  it('finds questions and answers despite typos and marks matches', async () => {
    const id = await ada.ask({ title: 'What is a semigroup?', body: '<p>Associative, I think.</p>' });
    const answer = await bob.answer(id, '<p>A set with an associative operation.</p>');
    await eventuallyFinds(bob, questions('semigruop'), [id]);
    await eventuallyFinds(bob, answers('asociative'), [answer]);
    const { hits, degraded } = await bob.query<Hits>(questions('semigruop'));
    expect(degraded).toBe(false);
    expect(hits[0]?.title).toEqual([
      { text: 'What is a ', isMatch: false },
      { text: 'semigroup', isMatch: true },
      { text: '?', isMatch: false },
    ]);
  });

  it('filters by own, solved and saved questions, sorts and paginates', async () => {
    const [own, others] = [await ada.ask({ title: 'Monoids one' }), await bob.ask({ title: 'Monoids two' })];
    await eventuallyFinds(ada, questions('monoids', '', ', sort: 1'), [others, own]);
    expect(await idsOf(ada, questions('monoids', ', myQuestions: true'))).toEqual([own]);
    expect(await idsOf(ada, questions('monoids', ', solvedQuestions: true'))).toEqual([]);
    await ada.perform(`saveQuestion(questionId: "${others}") { _id }`);
    expect(await idsOf(ada, questions('monoids', ', savedQuestions: true'))).toEqual([others]);
    expect(await idsOf(ada, questions('monoids', '', ', sort: 1, skip: 1, limit: 1'))).toEqual([own]);
    await ada.answer(own);
    await eventuallyFinds(ada, questions('monoids', '', ', sort: 2'), [own, others]);
  });

  it('suggests questions similar to the title being typed', async () => {
    const id = await ada.ask({ title: 'How many vertices has a tesseract?' });
    await eventuallyFinds(bob, similar('Tesseract vertices how ma'), [id]);
    expect(await idsOf(bob, similar(''))).toEqual([]);
  });

  it.each([
    ['How do I knit a scarf?', 'How do I prune a rosebush?', 'How do I knit mittens?'],
    [
      'What is the difference between yarn and twine?',
      'What is the difference between a fjord and a bay?',
      'Twine',
    ],
    ['Was ist ein Fagott?', 'Was ist ein Amboss?', 'Wie stimmt man ein Fagott?'],
    ['Как работает маятник?', 'Как работает компас?', 'Что такое маятник?'],
    ['Work of a hoist', 'How does a lathe work?', 'How much work does a windlass do?'],
    ['Digits of π', 'What does zeugma mean?', 'What is π?'],
    ['C++', 'How do I use F#?', 'How do I use C++?'],
  ])('suggests %s for its subject, not for its opening words', async (title, other, like) => {
    const id = await ada.ask({ title });
    await eventuallyFinds(bob, similar(like), [id]);
    expect(await idsOf(bob, similar(other))).toEqual([]);
    expect(await idsOf(bob, similar(other.split(' ').slice(0, 3).join(' ')))).toEqual([]);
  });

  it('does not find deleted questions', async () => {
    const id = await ada.ask({ title: 'Zeppelins' });
    await eventuallyFinds(bob, questions('zeppelins'), [id]);
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await idsOf(bob, questions('zeppelins'))).toEqual([]);
  });

  it.each(['', '   ', '?!', '"', "' & | ! :* ( )", '%_\\', '`&&space_id:=x'])(
    'finds nothing for %j',
    async (text) => {
      expect(await bob.query(questions(text))).toEqual({ hits: [], degraded: false });
      expect(await bob.query(answers(text))).toEqual({ hits: [], degraded: false });
    },
  );

  it.each([
    ['one long word', 'x'.repeat(500_000)],
    ['thousands of words', 'word '.repeat(100_000)],
  ])('withstands %s', async (_, search) => {
    const query =
      'query($search: String!, $vals: QuestionQueryVals!) { searchQuestions(search: $search, queryVals: $vals) { hits { _id } } }';
    const { status } = await app.graphql(
      query,
      { search, vals: { space: community.spaceId } },
      bob.student.token,
    );
    expect(status).toBeLessThan(500);
  });

  it('is limited to members of the space', async () => {
    for (const operation of [questions('group'), answers('yes'), similar('group')]) {
      expect(await eve.refusal(`{ ${operation} }`)).toEqual({
        message: 'Join the space to take part.',
        code: 'FORBIDDEN',
      });
      const { errors } = await app.graphql(`{ ${operation} }`);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  it.each([
    ['sort: 3', 'sort'],
    ['limit: 0', 'limit'],
    ['limit: 101', 'limit'],
    ['skip: -1', 'skip'],
  ])('refuses %s', async (args, field) => {
    expect(await bob.refusal(`{ ${questions('a', '', `, ${args}`)} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      field,
    });
  });
});
