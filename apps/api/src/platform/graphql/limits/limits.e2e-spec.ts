import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connect } from 'node:net';
import { bootApp, sharedApp, type TestApp } from '../../../../../../test/app.js';
import { correlation, type Logger } from '../../logging/logger.js';
import { Metrics } from '../../operations/metrics.js';
import { LOGGER } from '../../config/tokens.js';

let app: TestApp;
let production: TestApp;
/** Token of a signed-in student. */
let token: string;
beforeAll(async () => {
  [app, production] = await Promise.all([sharedApp(), bootApp({ NODE_ENV: 'production' })]);
  ({ token } = await app.signUp());
});
afterAll(() => production.close());

describe('a request', () => {
  it.each([
    ['too deep', `{ getStudent ${'{ spaces '.repeat(12)} { _id } ${'}'.repeat(12)} }`],
    ['too wide', `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: getAvatars { category }`).join(' ')} }`],
    [
      'too wide in fragments',
      `{ ...F ...G } fragment F on Query { ${Array.from({ length: 15 }, (_, n) => `a${n}: __typename`).join(' ')} }
      fragment G on Query { ${Array.from({ length: 15 }, (_, n) => `b${n}: __typename`).join(' ')} }`,
    ],
    [
      'too many mutations',
      `mutation { ${Array.from({ length: 6 }, (_, n) => `a${n}: logout { flag }`).join(' ')} }`,
    ],
    [
      'for twenty pages of answers',
      `{ ${Array.from({ length: 20 }, (_, n) => `a${n}: getPaginatedAnswers(questions: []) { docs { body } }`).join(' ')} }`,
    ],
    [
      'for ten logins',
      `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: login(userName: "x", password: "y") { error }`).join(' ')} }`,
    ],
    ['with too many tokens', `{ ${'a '.repeat(5_000)} }`],
    ['cut off', '{ getAvatars {'],
    ['for an unknown field', '{ nothing }'],
    ['with a cycle of fragments', '{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }'],
    ['with an unknown argument', '{ getStudent(phone: "x") { _id } }'],
    ['that is empty', ''],
  ])('%s is rejected with 400 and a code', async (_, query) => {
    const { status, errors } = await app.graphql(query);
    expect(status).toBe(400);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(JSON.stringify(errors)).not.toMatch(/stack|node_modules|\.ts:/);
  });

  it('with fragments that expand to 2 ** 60 fields is rejected', async () => {
    const fragments = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
    ).join('\n');
    const { status } = await app.graphql(`{ ...F0 } ${fragments} fragment F60 on Query { __typename }`);
    expect(status).toBe(400);
  });

  it('is rejected when its variables make it too costly', async () => {
    const comments = 'comments { _id author { _id userName firstName lastName } createdAt }';
    const page = `getPaginatedAnswers(questions: [], paginateOptions: $options) { docs { ${comments} } }`;
    const query = `query ($options: PaginateOptions) { a: ${page} b: ${page} c: ${page} d: ${page} e: ${page} }`;
    const { status, errors } = await app.graphql(query, { options: { limit: 1_000 } });
    expect(status).toBe(400);
    expect(errors).toEqual([
      expect.objectContaining({
        message: 'The query is too costly: at most 50000 fields. Ask for fewer fields or entries.',
        extensions: { code: 'VALIDATION_FAILED', rule: 'QUERY_TOO_COSTLY' },
      }),
    ]);
    const { errors: none } = await app.graphql(query, { options: { limit: 50 } });
    expect(none).toBeUndefined();
  });

  it.each<[string, unknown, string, string]>([
    ['a text that is too long', 'x'.repeat(200_000), 'scope', 'TEXT_TOO_LONG'],
    ['a list that is too long', Array.from({ length: 5_000 }, () => 'x'), 'scope', 'LIST_TOO_LONG'],
    ['deeply nested input', JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`), 'scope', 'INPUT_TOO_DEEP'],
    ['a deeply nested body', JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`), 'body', 'BODY_TOO_DEEP'],
    ['too many values', Array.from({ length: 20_000 }, () => []), 'body', 'BODY_TOO_MANY_VALUES'],
  ])('with %s is rejected before execution', async (_, scope, field, rule) => {
    const query = 'query ($scope: String) { getSpaces(scope: $scope) { _id } }';
    const { status, errors } = await app.graphql(query, { scope }, token);
    expect(status).toBe(400);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', rule, field });
  });

  it('with a literal that is too long is rejected', async () => {
    const { errors } = await app.graphql(`{ checkUserName(userName: "${'x'.repeat(200_000)}") }`, {}, token);
    expect(errors?.[0]?.extensions).toMatchObject({ rule: 'TEXT_TOO_LONG', field: 'userName' });
  });

  const introspected = (depth: number): string =>
    `{ getAvatars { category } __type(name: "Query") { fields { type ${'{ ofType '.repeat(depth)} { name } ${'}'.repeat(depth)} } } }`;

  it.each([
    ['tokens', `{ ${'getAvatars { category } '.repeat(450)} }`, 'QUERY_TOO_LONG'],
    ['lines', `${'\n'.repeat(100_000)}{ __typename }`, 'QUERY_TOO_LONG'],
    ['levels', introspected(9), 'QUERY_TOO_DEEP'],
    ['aliases', `{ ${Array.from('abcdef', (name) => `${name}: __typename`).join(' ')} }`, 'QUERY_TOO_WIDE'],
  ])('with too many %s is rejected before execution and counted', async (_, query, rule) => {
    const counted = async (): Promise<number> => {
      const { values } = await app.api.get(Metrics, { strict: false }).queryRejections.get();
      return values.find(({ labels }) => labels['rule'] === rule)?.value ?? 0;
    };
    const before = await counted();
    const { status, errors } = await app.graphql(query, {}, token);
    expect(status).toBe(400);
    expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'VALIDATION_FAILED', rule } })]);
    expect(await counted()).toBe(before + 1);
  });

  it('of two megabytes is rejected as too large', async () => {
    const { status, body } = await app
      .http()
      .post('/graphql')
      .send({ query: `# ${'x'.repeat(2_000_000)}` });
    expect(status).toBe(413);
    expect(body.errors[0]).toEqual({
      message: 'The request is too large.',
      extensions: { code: 'PAYLOAD_TOO_LARGE', rule: 'BODY_TOO_LARGE' },
    });
  });

  it('of more than 16 kB is rejected before sign-in', async () => {
    const { status, errors } = await app.graphql('{ __typename }', { unused: 'x'.repeat(17_000) });
    expect(status).toBe(413);
    expect(errors).toEqual([
      {
        message: 'The request is too large: sign in to send more than 16 kB.',
        extensions: { code: 'PAYLOAD_TOO_LARGE', rule: 'BODY_TOO_LARGE' },
      },
    ]);
  });

  it('with invalid JSON is rejected as malformed', async () => {
    const { status, body } = await app.http().post('/graphql').type('json').send('{"query": ');
    expect(status).toBe(400);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('of type %s is rejected', async (type) => {
    const { status } = await app.http().post('/graphql').set('content-type', type).send('query={__typename}');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it.each([
    '{ __typename }',
    'mutation { logout { flag } }',
    '{ login(userName: "ada", password: "hush") { accessToken } }',
  ])('by GET is rejected: %s', async (query) => {
    const answer = await app.http().get('/graphql').query({ query }).set('apollo-require-preflight', '1');
    expect(answer.status).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'POST', 'cache-control': 'no-store' });
    expect(answer.body.errors).toEqual([
      {
        message: 'Send GraphQL requests by POST: URLs end up in browser histories and logs.',
        extensions: { code: 'VALIDATION_FAILED', rule: 'POST_ONLY' },
      },
    ]);
  });

  it('that subscribes over HTTP is directed to WebSocket', async () => {
    const { status, errors } = await app.graphql(
      'subscription { questionUpdated(questionId: "x") { ordinal } }',
    );
    expect(status).toBe(400);
    expect(errors).toEqual([
      expect.objectContaining({
        message: 'Send subscriptions over a WebSocket (graphql-transport-ws).',
        extensions: { code: 'VALIDATION_FAILED', rule: 'SOCKET_ONLY' },
      }),
    ]);
  });

  it.each(['', '[', 'a b', '%'])('with the host %j is rejected as malformed', async (host) => {
    const { hostname, port } = new URL(app.url);
    const body = JSON.stringify({ query: '{ __typename }' });
    const socket = connect(Number(port), hostname);
    socket
      .setEncoding('utf8')
      .write(
        `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    let answer = '';
    for await (const text of socket) answer += String(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"rule":"HOST_UNREADABLE"');
  });

  it('gets a response that must not be cached', async () => {
    for (const query of ['{ __typename }', '{ nothing }']) {
      const { headers } = await app.http().post('/graphql').send({ query });
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('with an image is read only by the upload route', async () => {
    for (const path of ['/graphql', '/nothing/here']) {
      const { status } = await app.http().post(path).type('image/png').send(Buffer.alloc(600_000));
      expect([404, 413]).toContain(status);
    }
  });

  it('from another origin gets no CORS permission', async () => {
    const { headers } = await app.http().options('/graphql').set('origin', 'https://elsewhere.example');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('to an unknown path gets an error of the usual shape', async () => {
    const { status, body } = await app.http().get('/nothing/here');
    expect(status).toBe(404);
    expect(body.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('in production', () => {
  it('the schema is hidden', async () => {
    const { errors } = await production.graphql('{ __schema { types { name } } }');
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    const mistyped = await production.graphql('{ getAvatar { category } }');
    expect(mistyped.errors?.[0]?.message).not.toContain('getAvatars');
  });

  it.each(['/dev/outbox', '/dev/outbox.json'])('%s is closed', async (path) => {
    expect((await production.http().get(path)).status).toBe(404);
  });
});

describe('an internal error', () => {
  it('is hidden from the caller and logged with the request id', async () => {
    const { token } = await production.signUp();
    const logged: { readonly line: unknown; readonly correlationId?: string }[] = [];
    const log = jest
      .spyOn(production.api.get<Logger>(LOGGER, { strict: false }), 'error')
      .mockImplementation((line: unknown) => void logged.push({ line, ...correlation.getStore() }));
    await production.pool.query('alter table state.session rename to session_away');
    try {
      const { errors } = await production.graphql('{ getStudent { _id } }', {}, `${token.slice(0, -1)}-`);
      expect(errors).toEqual([
        {
          message: 'Something went wrong! Please try again after 10 minutes.',
          extensions: { code: 'INTERNAL', correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        },
      ]);
    } finally {
      await production.pool.query('alter table state.session_away rename to session');
      log.mockRestore();
    }
    // Background work may hit the same fault.
    expect(logged.filter(({ correlationId }) => correlationId !== undefined)).toEqual([
      expect.objectContaining({ correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    ]);
  });
});
