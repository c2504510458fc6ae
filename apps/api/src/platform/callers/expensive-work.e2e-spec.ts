import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '@nimo/domain';
import sharp from 'sharp';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { type Community, newCommunity } from '../../../../../test/community.js';
import { currentCaller } from './client-address.js';
import { ExpensiveWork, type Work } from './expensive-work.js';

const LOGIN =
  'query($name: String!, $password: String!) { login(userName: $name, password: $password) { error } }';

let app: TestApp;
let community: Community;
let work: ExpensiveWork;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1);
  work = app.api.get(ExpensiveWork, { strict: false });
});
afterEach(() => void jest.restoreAllMocks());

const member = () => {
  const [first] = community.members;
  if (!first) throw new Error('the community has no member');
  return first;
};

/** The kinds of work a call runs, each with whether the caller is known. */
async function workOf(call: () => Promise<unknown>): Promise<(readonly [Work, boolean])[]> {
  const done: (readonly [Work, boolean])[] = [];
  const run = work.run.bind(work);
  jest.spyOn(work, 'run').mockImplementation((kind, job, caller = currentCaller()) => {
    done.push([kind, caller?.address === '127.0.0.1' && caller.isDisconnected?.() === false]);
    return run(kind, job, caller);
  });
  await call();
  return done;
}

describe('expensive work of the API', () => {
  it('includes password checks', async () => {
    const { userName: name, password } = member();
    expect(await workOf(() => app.graphql(LOGIN, { name, password }))).toEqual([['password', true]]);
  });

  it('includes searches', async () => {
    const search = `{ getSimilarQuestions(title: "semigroup", space: "${community.spaceId}") { degraded } }`;
    expect(await workOf(() => app.graphql(search, {}, member().token))).toEqual([['search', true]]);
  });

  it('includes uploads and image processing', async () => {
    const { data } = await app.graphql<{ getPresignedS3Url: { url: string } }>(
      '{ getPresignedS3Url(contentType: "image/png") { url } }',
      {},
      member().token,
    );
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
      .png()
      .toBuffer();
    const put = () => app.http().put(data.getPresignedS3Url.url).type('image/png').send(png);
    expect(await workOf(put)).toEqual([
      ['upload', true],
      ['picture', true],
    ]);
  });

  it('includes long bodies but not short ones', async () => {
    const post = (bytes: number) => () =>
      app.graphql('{ __typename }', { unused: 'x'.repeat(bytes) }, member().token);
    expect(await workOf(post(17_000))).toEqual([['body', true]]);
    expect(await workOf(post(1_000))).toEqual([]);
  });

  it('is rejected with Retry-After when the queue is full', async () => {
    const busy = new DomainError('TOO_MANY_REQUESTS', { seconds: 5 });
    jest.spyOn(work, 'run').mockRejectedValue(busy);
    const { userName: name, password } = member();
    const login = await app.http().post('/graphql').send({ query: LOGIN, variables: { name, password } });
    const long = await app
      .http()
      .post('/graphql')
      .set('authorization', `Bearer ${member().token}`)
      .send({ query: '{ __typename }', x: 'x'.repeat(17_000) });
    expect(long.status).toBe(429);
    for (const { headers, body } of [login, long]) {
      expect(headers['retry-after']).toBe('5');
      expect(body.errors).toMatchObject([
        {
          message: 'Too many requests. Please try again later.',
          extensions: { code: 'TOO_MANY_REQUESTS', rule: 'TOO_MANY_REQUESTS' },
        },
      ]);
    }
  });
});
