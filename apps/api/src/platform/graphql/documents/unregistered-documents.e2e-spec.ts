import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type SubscribePayload } from 'graphql-ws';
import request from 'supertest';
import { WebSocket } from 'ws';
import { bootApp, type BootedApp, type SignedUpStudent } from '../../../../../../test/app.js';
import { newCommunity } from '../../../../../../test/community.js';
import { Participant } from '../../../../../../test/participant.js';
import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../../../generated/web-documents.js';
import { sweepState } from '../../runtime/retention.js';

const OWN = 'query Theirs { getAvatars { category } }\n';
const SAVE = 'mutation Theirs($id: ID!) { saveQuestion(questionId: $id) { _id } }';
const LISTEN = 'subscription Theirs($id: ID!) { questionUpdated(questionId: $id) { ordinal } }';
/** More aliases than an untrusted document may have. */
const WIDE = `query Wide { ${Array.from('abcdefgh', (name) => `${name}: getAvatars { category }`).join(' ')} }`;
const GONE = 'query Theirs { somethingOfBefore }';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const named = (id: string, query?: string) => ({
  ...(query !== undefined && { query }),
  extensions: { persistedQuery: { version: 1, sha256Hash: id } },
});

let folder: string;
/** Accepts any document; used for set-up. */
let app: BootedApp;
let closed: Awaited<ReturnType<BootedApp['anotherApi']>>;
let student: SignedUpStudent;
let questionId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-documents-'));
  await writeFile(join(folder, 'avatars.graphql'), OWN);
  const listed = [SAVE, LISTEN, WIDE, GONE].map((text) => [hashOf(text), text]);
  await writeFile(join(folder, 'more.json'), JSON.stringify(Object.fromEntries(listed)));
  app = await bootApp({ NODE_ENV: 'production', GRAPHQL_DOCUMENTS_DIR: folder });
  closed = await app.anotherApi({}, { GRAPHQL_DOCUMENTS: 'own' });
  const community = await newCommunity(app, 1);
  const [first] = community.members;
  if (!first) throw new Error('the community has no member');
  student = first;
  questionId = await new Participant(app, first, community).ask();
});
afterAll(async () => {
  await closed.close();
  await app.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}
const ask = async (body: string | object, token?: string, url = closed.url) => {
  const answer = await request(url)
    .post('/graphql')
    .set(token === undefined ? {} : { authorization: `Bearer ${token}` })
    .send(body);
  return { status: answer.status, ...(answer.body as Answer) };
};

/** The socket's first message in response. */
async function listen(payload: SubscribePayload, token?: string, url = closed.url): Promise<unknown> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(token !== undefined && { connectionParams: { authorization: `Bearer ${token}` } }),
    on: { pong: (_received, said) => said && begun() },
  });
  let begun: () => void = () => undefined;
  try {
    return await new Promise((resolve) => {
      begun = () => resolve('listens');
      client.subscribe(payload, { next: resolve, error: resolve, complete: () => resolve('complete') });
    });
  } finally {
    await client.dispose();
  }
}

const REFUSED = {
  message: expect.stringContaining('This server accepts only registered documents.'),
  extensions: { code: 'FORBIDDEN', rule: 'DOCUMENT_NOT_REGISTERED' },
};

describe('an unregistered document', () => {
  const texts = [
    '{ getAvatars { category } }',
    'mutation { logout { flag } }',
    '{ __schema { types { name } } }',
    // Rejected before parsing.
    'nonsense {',
    `{ ${'a '.repeat(5_000)} }`,
    '',
  ];

  it.each(texts)('is rejected before parsing, signed in or not: %.30j', async (query) => {
    for (const token of [undefined, student.token, 'no token'])
      expect(await ask({ query }, token)).toEqual({ status: 403, errors: [REFUSED] });
  });

  it('is rejected with the content type Apollo Client reads at any status', async () => {
    const { headers } = await request(closed.url)
      .post('/graphql')
      .set('accept', 'application/graphql-response+json,application/json;q=0.9')
      .send({ query: '{ getAvatars { category } }' });
    expect(headers['content-type']).toContain('application/graphql-response+json');
  });

  it('is rejected over a socket', async () => {
    const query = 'subscription { questionUpdated(questionId: "x") { ordinal } }';
    for (const token of [undefined, student.token]) expect(await listen({ query }, token)).toEqual([REFUSED]);
  });

  it.each([
    ['in a batch', [{ query: '{ getAvatars { category } }' }]],
    ['along with the id of another', named(hashOf(OWN), '{ getAvatars { urls } }')],
    [
      'along with its own id, to be stored',
      named(hashOf('{ getAvatars { urls } }'), '{ getAvatars { urls } }'),
    ],
    ['as an object', { query: { text: '{ getAvatars { category } }' } }],
    [
      'with a null persistedQuery',
      { query: '{ getAvatars { urls } }', extensions: { persistedQuery: null } },
    ],
  ])('is not executed %s', async (_, body) => {
    const { data, errors } = await ask(body, student.token);
    expect(data).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it.each(['application/graphql', 'text/plain', 'application/x-www-form-urlencoded'])(
    'is not executed as %s',
    async (type) => {
      const answer = await request(closed.url)
        .post('/graphql')
        .set({ 'content-type': type, 'apollo-require-preflight': 'x' })
        .send('query={ getAvatars { category } }');
      expect(answer.text).not.toContain('"data"');
      expect(answer.status).toBeGreaterThanOrEqual(400);
    },
  );

  it('is not executed by GET', async () => {
    const { status } = await request(closed.url)
      .get('/graphql')
      .query({ query: '{ getAvatars { category } }' });
    expect(status).toBe(405);
  });
});

describe('the web app', () => {
  it.each(Object.entries(WEB_DOCUMENTS))('gets a response by the id %s', async (id, text) => {
    for (const body of [named(id), { query: text }]) {
      const { data, errors = [] } = await ask(body);
      expect(data !== undefined || errors.length > 0).toBe(true);
      expect(errors.map(({ extensions }) => extensions['rule'])).not.toContain('DOCUMENT_NOT_REGISTERED');
    }
  });

  it('can subscribe', async () => {
    const query = Object.values(WEB_SUBSCRIPTIONS).find((text) => text.includes('questionUpdated')) ?? '';
    expect(await listen({ query, variables: { questionId } })).toBe('listens');
    expect(await listen({ query: `${query} `, variables: { questionId } })).toEqual([REFUSED]);
  });
});

describe('a registered document', () => {
  it('is executed by hash and by identical text', async () => {
    const answer = await ask(named(hashOf(OWN)));
    expect(answer).toMatchObject({ status: 200, data: { getAvatars: expect.any(Array) } });
    expect(await ask({ query: OWN })).toEqual(answer);
    expect(await ask({ query: OWN.trim() })).toMatchObject({ errors: [REFUSED] });
  });

  it('requires a session and may write', async () => {
    const variables = { id: questionId };
    expect((await ask({ ...named(hashOf(SAVE)), variables })).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
    expect(await ask({ ...named(hashOf(SAVE)), variables }, student.token)).toMatchObject({
      data: { saveQuestion: { _id: questionId } },
    });
  });

  it('has no shape limits, unlike an untrusted one', async () => {
    for (const url of [closed.url, app.url])
      expect(await ask(named(hashOf(WIDE)), undefined, url)).toMatchObject({
        data: { h: expect.any(Array) },
      });
    expect(await ask({ query: `${WIDE} ` }, undefined, app.url)).toMatchObject({
      status: 400,
      errors: [{ extensions: { rule: 'QUERY_TOO_WIDE' } }],
    });
  });

  it('can subscribe by hash', async () => {
    const variables = { id: questionId };
    expect(await listen({ ...named(hashOf(LISTEN)), query: '', variables })).toBe('listens');
    expect(await listen({ query: LISTEN, variables })).toBe('listens');
  });

  it('reports why it does not match the schema', async () => {
    expect((await ask(named(hashOf(GONE)))).errors).toMatchObject([
      { message: expect.stringContaining('somethingOfBefore'), extensions: { code: 'VALIDATION_FAILED' } },
    ]);
  });

  it.each([
    ['that was altered', `0${hashOf(OWN).slice(1)}x`.slice(0, 64)],
    ['in upper case', hashOf(OWN).toUpperCase()],
    ['of an unregistered document', hashOf('{ getAvatars { urls } }')],
    ['that names a prototype property', '__proto__'],
  ])('is not found by a hash %s', async (_, hash) => {
    const unknown = {
      message: 'PersistedQueryNotFound',
      extensions: { code: 'VALIDATION_FAILED', rule: 'DOCUMENT_NOT_REGISTERED' },
    };
    expect(await ask(named(hash), student.token)).toEqual({ status: 200, errors: [unknown] });
    expect(await listen({ ...named(hash), query: '' })).toEqual([unknown]);
  });
});

describe('another version of the web app', () => {
  const idOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
  const FORMER = 'query Former { getAvatars { urls } }';
  const SUBSCRIPTION = 'subscription Former($id: ID!) { questionUpdated(questionId: $id) { questionId } }';
  const note = (id: string, text: string) =>
    app.pool.query('insert into state.web_document (id, text) values ($1, $2)', [id, text]);

  it('is served by id and by text, over sockets too', async () => {
    expect(await ask({ query: FORMER })).toMatchObject({ errors: [REFUSED] });
    expect((await ask(named(idOf(FORMER)))).errors).toMatchObject([{ message: 'PersistedQueryNotFound' }]);
    expect(await listen({ query: SUBSCRIPTION, variables: { id: questionId } })).toEqual([REFUSED]);
    await note(idOf(FORMER), FORMER);
    await note(idOf(SUBSCRIPTION), SUBSCRIPTION);
    for (let time = 0; time < 2; time += 1)
      for (const body of [named(idOf(FORMER)), { query: FORMER }])
        expect(await ask(body)).toMatchObject({ data: { getAvatars: expect.any(Array) } });
    expect(await listen({ query: SUBSCRIPTION, variables: { id: questionId } })).toBe('listens');
  });

  it('is not served an id whose text was altered', async () => {
    const id = idOf('query Former { getAvatars { category urls } }');
    await note(id, 'query Former { getAvatars { category } }');
    expect((await ask(named(id))).errors).toMatchObject([{ message: 'PersistedQueryNotFound' }]);
  });

  it('is forgotten 90 days after its last API process', async () => {
    const noted = async () => {
      const { rows } = await app.pool.query<{ id: string; text: string }>(
        'select id, text from state.web_document',
      );
      return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
    };
    const own = { ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS };
    expect(await noted()).toMatchObject(own);
    await app.pool.query(`update state.web_document set seen_at = now() - interval '91 days'`);
    const { close } = await app.anotherApi();
    await close();
    await sweepState(app.pool, { securityLogDays: 180 });
    expect(await noted()).toEqual(own);
  });
});

describe('GRAPHQL_DOCUMENTS', () => {
  const OTHER = '{ getAvatars { urls } }';

  it('rejects only anonymous callers when set to signed-in', async () => {
    const { url, close } = await app.anotherApi({}, { GRAPHQL_DOCUMENTS: 'signed-in' });
    try {
      expect(await ask({ query: OTHER }, student.token, url)).toMatchObject({
        data: { getAvatars: expect.any(Array) },
      });
      // Cached by now, still rejected.
      for (const token of [undefined, 'no token'])
        expect((await ask({ query: OTHER }, token, url)).data).toBeUndefined();
      expect(await ask({ query: OTHER }, undefined, url)).toMatchObject({ status: 403, errors: [REFUSED] });
      const query = 'subscription { questionUpdated(questionId: "' + questionId + '") { ordinal } }';
      expect(await listen({ query }, student.token, url)).toBe('listens');
      expect(await listen({ query }, undefined, url)).toEqual([REFUSED]);
      expect(await ask(named(hashOf(OWN)), undefined, url)).toMatchObject({
        data: { getAvatars: expect.any(Array) },
      });
    } finally {
      await close();
    }
  });

  it('accepts any document when set to any', async () => {
    const { url, close } = await app.anotherApi({}, { GRAPHQL_DOCUMENTS: 'any' });
    try {
      expect(await ask({ query: OTHER }, undefined, url)).toMatchObject({
        data: { getAvatars: expect.any(Array) },
      });
    } finally {
      await close();
    }
  });

  it('prevents the start with altered documents', async () => {
    const altered = await mkdtemp(join(tmpdir(), 'nimo-documents-'));
    await writeFile(join(altered, 'a.json'), JSON.stringify({ [hashOf(OWN)]: SAVE }));
    await expect(app.anotherApi({}, { GRAPHQL_DOCUMENTS_DIR: altered })).rejects.toThrow(
      /^GRAPHQL_DOCUMENTS_DIR has a\.json, where .* is not the SHA-256 of its document\.$/,
    );
    await rm(altered, { recursive: true });
  });
});
