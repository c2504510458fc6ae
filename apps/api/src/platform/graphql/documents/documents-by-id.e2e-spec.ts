import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { isObjectType } from 'graphql';
import { sharedApp, type TestApp } from '../../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { Participant } from '../../../../../../test/participant.js';
import { WEB_DOCUMENTS } from '../../../generated/web-documents.js';
import type { Logger } from '../../logging/logger.js';
import { LOGGER } from '../../config/tokens.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let questionId: string;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1);
  const [first] = community.members;
  if (!first) throw new Error('there is no member');
  ada = new Participant(app, first, community);
  questionId = await ada.ask();
});

function documentOf(name: string): { readonly id: string; readonly text: string } {
  const found = Object.entries(WEB_DOCUMENTS).find(([, text]) =>
    new RegExp(`(query|mutation) ${name}\\b`).test(text),
  );
  if (!found) throw new Error(`the web app has no operation ${name}`);
  return { id: found[0], text: found[1] };
}
const named = (id: unknown): object => ({ extensions: { persistedQuery: { version: 1, sha256Hash: id } } });
const post = async (body: object, headers: Record<string, string> = {}) => {
  const answer = await app
    .http()
    .post('/graphql')
    .set({ authorization: `Bearer ${ada.student.token}`, ...headers })
    .send(body);
  return {
    status: answer.status,
    body: answer.body as { data?: unknown; errors?: Record<string, unknown>[] },
  };
};

describe('an operation of the web app', () => {
  it('is answered by its id as by its text', async () => {
    const { id, text } = documentOf('OwnQuestion');
    const variables = { questionId };
    const byText = await post({ query: text, variables });
    expect(byText.body.data).toHaveProperty('getQuestionByIdWithUserAuthorization._id', questionId);
    expect(await post({ ...named(id), variables })).toEqual(byText);
  });

  it('refuses by its id as by its text', async () => {
    // It has one field: where several fail at once, an answer names one of them or more.
    const { id, text } = documentOf('OwnRemovals');
    for (const variables of [{ questionId: 'none' }, {}, { questionId: [1] }]) {
      const byText = await post({ query: text, variables });
      expect(byText.body.errors).toHaveLength(1);
      expect(await post({ ...named(id), variables })).toEqual(byText);
    }
  });

  it('is refused by its id as by its text, whatever the reason', async () => {
    const nobody = { authorization: 'Bearer nope' };
    const [saving, closing] = [documentOf('SaveQuestion'), documentOf('GrantRole')];
    const own = { studentId: ada.student.studentId, role: 'MAINTAINER', space: null };
    const told: unknown[] = [];
    for (const [{ id, text }, variables, headers] of [
      [saving, { questionId }, nobody],
      [saving, { questionId: randomUUID() }, {}],
      [closing, own, {}],
    ] as const) {
      const byText = await post({ query: text, variables }, headers);
      told.push(byText.body.errors?.[0]?.['extensions']);
      expect(await post({ ...named(id), variables }, headers)).toEqual(byText);
    }
    expect(told).toMatchObject([{ code: 'UNAUTHENTICATED' }, { code: 'NOT_FOUND' }, { code: 'FORBIDDEN' }]);
  });

  it('has one idempotency key whether it comes by its id or by its text, and another operation has not', async () => {
    const [save, unsave] = [documentOf('SaveQuestion'), documentOf('UnsaveQuestion')];
    const key = { 'idempotency-key': randomUUID() };
    const variables = { questionId };
    const first = await post({ ...named(save.id), variables }, key);
    expect(first.body.errors).toBeUndefined();
    expect(await post({ query: save.text, variables }, key)).toEqual(first);
    expect((await post({ ...named(unsave.id), variables }, key)).body.errors).toHaveLength(1);
  });
});

describe('an id', () => {
  it.each([
    ['that is unknown', () => named('unknown')],
    ['that is the hash of a text', () => named('0'.repeat(64))],
    ['that is none', () => named({ $ne: '' })],
    ['beside a text', () => ({ ...named(documentOf('OwnQuestion').id), query: '{ getSpaces { _id } }' })],
    ['of another version', () => ({ extensions: { persistedQuery: { version: 2, sha256Hash: 'x' } } })],
    ['of the prototype', () => named('constructor')],
  ])('%s is told as such, and is no fault to log', async (_name, body) => {
    const logged = jest.spyOn(app.api.get<Logger>(LOGGER, { strict: false }), 'error');
    try {
      const { errors } = (await post(body())).body;
      expect(errors).toMatchObject([
        { message: 'PersistedQueryNotFound', extensions: { code: 'VALIDATION_FAILED' } },
      ]);
      expect(logged).not.toHaveBeenCalled();
    } finally {
      logged.mockRestore();
    }
  });
});

describe('a field that is a property', () => {
  it('has no function, and one that is found out has', () => {
    const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
    const resolverOf = (type: string, field: string): unknown => {
      const found = schema.getType(type);
      return isObjectType(found) ? found.getFields()[field]?.resolve : 'no such type';
    };
    expect(resolverOf('Question', 'title')).toBeUndefined();
    expect(resolverOf('Author', 'userName')).toBeUndefined();
    expect(resolverOf('Answer', 'comments')).toBeInstanceOf(Function);
    expect(resolverOf('Query', 'getSpaces')).toBeInstanceOf(Function);
  });
});
