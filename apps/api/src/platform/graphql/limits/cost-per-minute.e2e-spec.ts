import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../../test/app.js';
import { newParticipants } from '../../../../../../test/participant.js';
import { LIMITS } from '../../rate-limit/limits.js';
import { DOCUMENT_LIMITS } from '../documents/untrusted-documents.js';
import { responseCost, REQUEST_COST } from './request-cost.plugin.js';
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
/** Close to the cost limit, with lists that are empty here. */
const HEAVY = `{ ${Array.from('abcde', (name) => `${name}: getPaginatedAnswers(questions: []) { docs { ${COMMENTS} } }`).join(' ')} }`;

/** Accounts that used more than a process grants locally. */
async function countedAccounts(): Promise<number> {
  const { rows } = await app.pool.query<{ accounts: number }>(
    `select count(*)::int as accounts from state.throttle where key like $1`,
    [`${LIMITS.cost.name}:%`],
  );
  return rows[0]?.accounts ?? 0;
}

/** Freezes both clocks: on a slow machine a minute may end before its budget does. */
const freezeMinute = () =>
  app.pool.query(`update state.throttle set window_ends = now() + interval '59 seconds' where key like $1`, [
    `${LIMITS.cost.name}:%`,
  ]);

describe('the cost of a client’s requests per minute', () => {
  beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
  afterAll(() => void jest.restoreAllMocks());

  it('is limited, and the error states the limit and the wait', async () => {
    const maxRequests = Math.ceil(LIMITS.cost.max / 40_000) + 2;
    let refused;
    for (let time = 0; time < maxRequests && !refused; time += 1) {
      await freezeMinute();
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
    // Other accounts at the same address are unaffected.
    expect((await app.graphql(HEAVY, {}, ben.token)).errors).toBeUndefined();
  });

  it('includes the size of responses', async () => {
    const {
      people: [carl],
    } = await newParticipants(app, 1);
    const id = await carl.ask({ body: `<p>${'x'.repeat(60_000)}</p>` });
    const large = Array.from('abcde', (name) => `${name}: getQuestionById(questionId: "${id}") { body }`);
    const before = await countedAccounts();
    const times = Math.ceil(LIMITS.cost.localAllowance / responseCost(large.length * 60_000)) + 1;
    // Uses up the local allowance, which the requests without their responses would not.
    expect(times * (REQUEST_COST + 2 * large.length)).toBeLessThan(LIMITS.cost.localAllowance / 2);
    for (let time = 0; time < times; time += 1)
      expect((await app.graphql(`{ ${large.join(' ')} }`, {}, carl.student.token)).errors).toBeUndefined();
    await eventually(async () => (await countedAccounts()) > before);
  });

  it('allows at least one document of maximum cost', () => {
    for (const { localAllowance } of [LIMITS.cost, LIMITS.costPerAddress])
      expect(localAllowance).toBe(DOCUMENT_LIMITS.cost);
  });
});
