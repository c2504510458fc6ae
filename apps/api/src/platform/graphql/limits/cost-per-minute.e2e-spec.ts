import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../../test/app.js';
import { newParticipants } from '../../../../../../test/participant.js';
import { LIMITS } from '../../rate-limit/limits.js';
import { DOCUMENT_LIMITS } from '../documents/foreign-documents.js';
import { costOfBytes, REQUEST_COST } from './request-cost.plugin.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
let ada: SignedUpStudent;
let ben: SignedUpStudent;
beforeAll(async () => {
  app = await bootApp({ RATE_LIMIT_FACTOR: '1' });
  [ada, ben] = await Promise.all([app.signUp(), app.signUp()]);
});
afterAll(() => app.close());

const COMMENTS =
  'comments { _id createdAt upvoteCount downvoteCount author { _id userName firstName lastName } }';
/** Nearly as costly as one may be, by lists that are empty here. */
const HEAVY = `{ ${Array.from('abcde', (name) => `${name}: getPaginatedAnswers(questions: []) { docs { ${COMMENTS} } }`).join(' ')} }`;

/** Of whom more was counted than a process gives for free. */
async function countedAccounts(): Promise<number> {
  const { rows } = await app.pool.query<{ accounts: number }>(
    `select count(*)::int as accounts from state.throttle where key like $1`,
    [`${LIMITS.cost.name}:%`],
  );
  return rows[0]?.accounts ?? 0;
}

/** Both clocks: on a slow machine a minute may be over before its budget is. */
const holdMinute = () =>
  app.pool.query(`update state.throttle set window_ends = now() + interval '59 seconds' where key like $1`, [
    `${LIMITS.cost.name}:%`,
  ]);

describe('what a client asks for in a minute', () => {
  beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
  afterAll(() => void jest.restoreAllMocks());

  it('ends by what it costs together, and says the limit and how long to wait', async () => {
    const most = Math.ceil(LIMITS.cost.most / 40_000) + 2;
    let refused;
    for (let time = 0; time < most && !refused; time += 1) {
      await holdMinute();
      const answer = await app.graphql(HEAVY, {}, ada.token);
      if (answer.errors) refused = answer;
    }
    expect(refused).toMatchObject({
      status: 429,
      errors: [
        {
          message: expect.stringMatching(/Too many requests in one minute.* in [1-6]?\d seconds/),
          extensions: { code: 'TOO_MANY_REQUESTS', rule: 'ASKED_TOO_MUCH', params: { most: 3_000_000 } },
        },
      ],
    });
    const { headers } = await app
      .http()
      .post('/graphql')
      .set('authorization', `Bearer ${ada.token}`)
      .send({ query: HEAVY });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    // Others behind the same address are others.
    expect((await app.graphql(HEAVY, {}, ben.token)).errors).toBeUndefined();
  });

  it('costs the bytes of its answers', async () => {
    const {
      people: [carl],
    } = await newParticipants(app, 1);
    const id = await carl.ask({ body: `<p>${'x'.repeat(60_000)}</p>` });
    const large = Array.from('abcde', (name) => `${name}: getQuestionById(questionId: "${id}") { body }`);
    const before = await countedAccounts();
    const times = Math.ceil(LIMITS.cost.free / costOfBytes(large.length * 60_000)) + 1;
    // What this process gives for free is used up, for which the requests alone would not do.
    expect(times * (REQUEST_COST + 2 * large.length)).toBeLessThan(LIMITS.cost.free / 2);
    for (let time = 0; time < times; time += 1)
      expect((await app.graphql(`{ ${large.join(' ')} }`, {}, carl.student.token)).errors).toBeUndefined();
    await eventually(async () => (await countedAccounts()) > before);
  });

  it('is never less than one document may be', () => {
    for (const { free } of [LIMITS.cost, LIMITS.costPerAddress]) expect(free).toBe(DOCUMENT_LIMITS.cost);
  });
});
