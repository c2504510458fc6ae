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
  if (!first) throw new Error('the community has no member');
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
  it('returns the same result by id and by text', async () => {
    const { id, text } = documentOf('OwnQuestion');
    const variables = { questionId };
    const byText = await post({ query: text, variables });
    expect(byText.body.data).toHaveProperty('getQuestionByIdWithUserAuthorization._id', questionId);
    expect(await post({ ...named(id), variables })).toEqual(byText);
  });

  it('returns the same validation errors by id and by text', async () => {
    // One field: with several failing at once, the number of reported errors varies.
    const { id, text } = documentOf('OwnRemovals');
    for (const variables of [{ questionId: 'none' }, {}, { questionId: [1] }]) {
      const byText = await post({ query: text, variables });
      expect(byText.body.errors).toHaveLength(1);
      expect(await post({ ...named(id), variables })).toEqual(byText);
    }
  });

  it('returns the same refusals by id and by text', async () => {
    const invalidToken = { authorization: 'Bearer nope' };
    const [saving, closing] = [documentOf('SaveQuestion'), documentOf('GrantRole')];
    const own = { studentId: ada.student.studentId, role: 'MAINTAINER', space: null };
    const refusals: unknown[] = [];
    for (const [{ id, text }, variables, headers] of [
      [saving, { questionId }, invalidToken],
      [saving, { questionId: randomUUID() }, {}],
      [closing, own, {}],
    ] as const) {
      const byText = await post({ query: text, variables }, headers);
      refusals.push(byText.body.errors?.[0]?.['extensions']);
      expect(await post({ ...named(id), variables }, headers)).toEqual(byText);
    }
    expect(refusals).toMatchObject([
      { code: 'UNAUTHENTICATED' },
      { code: 'NOT_FOUND' },
      { code: 'FORBIDDEN' },
    ]);
  });

  it('shares an idempotency key by id and by text, but not with another operation', async () => {
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
    ['that is an unknown hash', () => named('0'.repeat(64))],
    ['that is an object', () => named({ $ne: '' })],
    [
      'sent along with a text',
      () => ({ ...named(documentOf('OwnQuestion').id), query: '{ getSpaces { _id } }' }),
    ],
    ['of another version', () => ({ extensions: { persistedQuery: { version: 2, sha256Hash: 'x' } } })],
    ['that names a prototype property', () => named('constructor')],
  ])('%s is reported as not found and not logged', async (_name, body) => {
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

describe('resolvers', () => {
  it('exist only for fields that are not plain properties', () => {
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
