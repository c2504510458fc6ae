import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type GraphqlAnswer, type TestApp } from '../../../../../../test/app.js';
import { type Attack, isInert, shortLabel } from '@nimo/rich-text/testing';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { Participant } from '../../../../../../test/participant.js';
import { AddSubject } from '../../spaces/commands/subjects.js';
import { CreateSpace } from '../../spaces/commands/manage-space.js';

type Variables = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, string | undefined>>;

interface AttackedField {
  readonly name: string;
  /** Writes the attack to the field and returns what readers get. */
  readonly send: (attack: string) => Promise<GraphqlAnswer<{ done: unknown }>>;
  /** Fields that hold HTML. Everything else is text, which React escapes. */
  readonly html?: readonly string[];
  /** All writes go to one stream, where concurrent ones would conflict. */
  readonly sequential?: true;
  /** Refuses every attack, such as a URL that is not an upload. */
  readonly refusesAll?: true;
}

const CONCURRENCY = 4;
const LARGE = [
  ['a megabyte of one word', 'x'.repeat(1_000_000)],
  ['ten thousand elements deep', '<blockquote>'.repeat(10_000) + 'x'],
  ['eighty kilobytes of formulas', '<code class="nimo-math">x</code>'.repeat(2_500)],
] as const;

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let question: string;
let answer: string;
const attackBy =
  (who: () => Participant, document: string, variables: (attack: string) => Variables) =>
  (attack: string): Promise<GraphqlAnswer<{ done: unknown }>> =>
    app.graphql<{ done: unknown }>(document, variables(attack), who().student.token);

const CREATE_QUESTION =
  'mutation($v: String!, $b: String, $subject: ID!, $topic: ID!, $space: ID!) { done: createQuestion(title: $v, body: $b, subject: $subject, topic: $topic, space: $space) { title body excerpt tags author { userName } } }';
const placement = () => ({
  subject: community.subjectId,
  topic: community.topicId,
  space: community.spaceId,
});
const profile = (field: string) =>
  attackBy(
    () => bob,
    `mutation($id: ID!, $v: String) { done: updateStudent(id: $id, ${field}: $v) { userName firstName lastName profileDesc } }`,
    (v) => ({ id: bob.student.studentId, v }),
  );
const search = (operation: string) =>
  attackBy(
    () => bob,
    `query($v: String!, $space: ID!) { done: ${operation} }`,
    (v) => ({ v, space: community.spaceId }),
  );

const FIELDS: readonly AttackedField[] = [
  {
    name: 'the title of a question',
    send: attackBy(
      () => bob,
      CREATE_QUESTION,
      (v) => ({ v, ...placement() }),
    ),
  },
  {
    name: 'the body of a question',
    html: ['body'],
    send: attackBy(
      () => bob,
      CREATE_QUESTION,
      (b) => ({ v: 'A title', b, ...placement() }),
    ),
  },
  {
    name: 'the edited body of a question',
    html: ['body'],
    send: attackBy(
      () => bob,
      'mutation($id: ID!, $v: String) { done: updateQuestion(id: $id, title: "A title", body: $v) { body excerpt } }',
      (v) => ({ id: question, v }),
    ),
  },
  {
    name: 'the body of an answer',
    html: ['body'],
    send: attackBy(
      () => bob,
      'mutation($id: ID!, $v: String!) { done: createAnswer(questionId: $id, body: $v) { body } }',
      (v) => ({ id: question, v }),
    ),
  },
  {
    name: 'the edited body of an answer',
    html: ['body'],
    send: attackBy(
      () => bob,
      'mutation($id: ID!, $v: String!) { done: updateAnswer(id: $id, body: $v) { body } }',
      (v) => ({ id: answer, v }),
    ),
  },
  {
    name: 'a comment on a question',
    send: attackBy(
      () => bob,
      'mutation($id: ID!, $v: String!) { done: createQuestionComment(questionId: $id, body: $v) { body } }',
      (v) => ({ id: question, v }),
    ),
  },
  {
    name: 'a comment on an answer',
    send: attackBy(
      () => bob,
      'mutation($id: ID!, $v: String!) { done: createComment(answerId: $id, body: $v) { body } }',
      (v) => ({ id: answer, v }),
    ),
  },
  {
    name: 'the name of a topic',
    send: attackBy(
      () => bob,
      'mutation($subject: ID!, $v: String!) { done: createTopic(topicName: $v, subject: $subject) { topicName } }',
      (v) => ({ subject: community.subjectId, v }),
    ),
  },
  { name: 'a first name', send: profile('firstName'), sequential: true },
  { name: 'a last name', send: profile('lastName'), sequential: true },
  { name: 'a profile description', send: profile('profileDesc'), sequential: true },
  { name: 'a picture', send: profile('realProfilePicUrl'), refusesAll: true },
  {
    name: 'a piece of news',
    html: ['body'],
    send: attackBy(
      () => ada,
      'mutation($space: ID, $v: String!) { done: publishNewspost(space: $space, title: $v, body: $v) { title body } }',
      (v) => ({ space: community.spaceId, v }),
    ),
  },
  {
    name: 'a search for questions',
    send: search(
      'searchQuestions(search: $v, queryVals: {space: $space}) { hits { title { text } excerpt { text } } }',
    ),
  },
  {
    name: 'a search for people',
    send: search('searchUsers(search: $v, space: $space) { hits { userName firstName lastName } }'),
  },
  {
    name: 'a search for topics',
    send: search('searchTopics(search: $v, space: $space) { hits { topicName } }'),
  },
];

/** Describes the harm done by an attack; undefined if it was refused cleanly or came back inert. */
function harmOf(
  field: AttackedField,
  { status, data, errors }: GraphqlAnswer<{ done: unknown }>,
): string | undefined {
  if (status >= 500) return `status ${status}`;
  const [error] = errors ?? [];
  if (error) return error.extensions.code === 'INTERNAL' ? `internal error: ${error.message}` : undefined;
  const result = data.done as Result | null;
  const dangerous = (field.html ?? []).filter((name) => !isInert(result?.[name] ?? ''));
  return dangerous.length > 0 ? `${dangerous.join()} is not inert` : undefined;
}

/** Sends every attack through every field and checks what readers get. */
export function attackEveryField(attacks: readonly Attack[]): void {
  beforeAll(async () => {
    app = await bootApp();
    community = await newCommunity(app, 2);
    const [first, second] = community.members;
    if (!first || !second) throw new Error('no members');
    ada = new Participant(app, first, community);
    bob = new Participant(app, second, community);
    await app.grantRole(first.studentId, 'MODERATOR', community.spaceId);
    question = await bob.ask();
    answer = await bob.answer(question);
  });
  afterAll(() => app.close());

  describe('an attack string', () => {
    it.each(FIELDS.map((field) => [field.name, field] as const))(
      'does no harm as %s',
      async (_name, field) => {
        const harmful: string[] = [];
        let accepted = 0;
        const step = field.sequential ? 1 : CONCURRENCY;
        for (let from = 0; from < attacks.length; from += step) {
          const batch = attacks.slice(from, from + step);
          const answers = await Promise.all(batch.map(({ text }) => field.send(text)));
          accepted += answers.filter(({ errors }) => !errors).length;
          answers.forEach((each, index) => {
            const problem = harmOf(field, each);
            if (problem !== undefined) harmful.push(`${shortLabel(batch[index]?.text ?? '')}: ${problem}`);
          });
        }
        // A field that refuses everything would prove nothing.
        expect(accepted > 0).toBe(field.refusesAll !== true);
        expect(harmful).toEqual([]);
      },
    );

    it('is refused as a user name', async () => {
      const send = profile('userName');
      for (const { text } of attacks) {
        const { data, errors } = await send(text);
        expect({
          text,
          name: (data as { done?: Result } | null)?.done?.['userName'],
          refused: errors !== undefined,
        }).toEqual({
          text,
          name: undefined,
          refused: true,
        });
      }
    });

    it('is refused as a report reason', async () => {
      for (const { text } of attacks) {
        const { errors } = await app.graphql(
          'mutation($id: ID!, $v: String!) { reportPost(postId: $id, postType: QUESTION, reason: $v) { _id } }',
          { id: question, v: text },
          ada.student.token,
        );
        expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
      }
    });

    it('reaches no reader as a removal reason', async () => {
      const id = await bob.ask({ title: `To be removed ${randomUUID()}` });
      await app.graphql(
        'mutation($id: ID!, $v: String) { deleteQuestionById(id: $id, reason: $v) { _id } }',
        { id, v: '<img src=x onerror=alert(1)>' },
        ada.student.token,
      );
      expect(await bob.query(`getQuestionById(questionId: "${id}") { _id }`)).toBeNull();
    });

    it('stays plain text as the name of a space or subject', async () => {
      const name = '<img src=x onerror=alert(1)>';
      const details = {
        description: name,
        bannerImageUrl: null,
        color: '0f766e',
        hiddenFromSearchEngines: false,
        publicPages: true,
      };
      const spaceId = await app.execute<string>(new CreateSpace(app.operator(), { name, ...details }));
      await app.execute(new AddSubject(app.operator(), { spaceId, subjectName: name, color: '2563eb' }));
      const spaces = await bob.query<{ _id: string; name: string }[]>('getSpaces { _id name description }');
      expect(spaces.find(({ _id }) => _id === spaceId)).toMatchObject({ name, description: name });
    });
  });

  describe('stored attacks', () => {
    it('are inert in every list', async () => {
      const { docs } = await ada.query<{ docs: { body: string }[] }>(
        `getPaginatedAnswers(questions: ["${question}"]) { docs { body } }`,
      );
      expect(docs.length).toBeGreaterThan(attacks.length / 3);
      expect(docs.filter(({ body }) => !isInert(body))).toEqual([]);
      const questions = await ada.query<{ docs: { body: string }[] }>(
        `getPaginatedQuestions(queryVals: {space: "${community.spaceId}"}) { docs { body } }`,
      );
      expect(questions.docs.filter(({ body }) => !isInert(body))).toEqual([]);
    });

    it('are only ever served as JSON', async () => {
      const { headers } = await app
        .http()
        .post('/graphql')
        .send({ query: `{ getQuestionById(questionId: "${question}") { title body } }` });
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    });
  });

  describe('an oversized body', () => {
    it.each(LARGE)('is refused or harmless: %s', async (_name, body) => {
      const sent = await app
        .http()
        .post('/graphql')
        .set('authorization', `Bearer ${bob.student.token}`)
        .send({
          query: 'mutation($id: ID!, $v: String!) { done: createAnswer(questionId: $id, body: $v) { body } }',
          variables: { id: question, v: body },
        });
      expect(sent.status).toBeLessThan(500);
      const stored =
        (sent.body as { data?: { done?: { body: string } | null } | null }).data?.done?.body ?? '';
      expect(isInert(stored)).toBe(true);
      expect(stored.length).toBeLessThanOrEqual(64 * 1024);
    });

    it('is refused with the size limit', async () => {
      const { errors } = await app.graphql(
        'mutation($id: ID!, $v: String!) { createAnswer(questionId: $id, body: $v) { _id } }',
        { id: question, v: 'x'.repeat(70_000) },
        bob.student.token,
      );
      expect(errors?.[0]?.message).toBe('Text can’t be longer than 64 KB.');
    });
  });
}
