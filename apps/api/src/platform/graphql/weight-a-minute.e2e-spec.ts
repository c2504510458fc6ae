import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newParticipants } from '../../../../../test/participant.js';
import { LIMITS } from '../rate-limit/limits.js';
import { costOfBytes } from './answer-budget.plugin.js';
import { QUERY_LIMITS } from './query-limits.rule.js';
import { eventually } from '../../../../../test/eventually.js';

let app: TestApp;
let ada: SignedUpStudent;
let ben: SignedUpStudent;
beforeAll(async () => {
  app = await bootApp({ RATE_LIMIT_FACTOR: '1' });
  [ada, ben] = await Promise.all([app.signUp(), app.signUp()]);
});
afterAll(() => app.close());

/** Nearly as heavy as one may be, by lists that a test's database has little for. */
const HEAVY = `{ ${Array.from({ length: 14 }, (_, n) => `a${n}: getSpaces { _id name description }`).join(' ')} }`;

/** Of whom more was counted than a process gives for free. */
async function countedAccounts(): Promise<number> {
  const { rows } = await app.pool.query<{ accounts: number }>(
    `select count(*)::int as accounts from state.throttle where key like $1`,
    [`${LIMITS.weight.name}:%`],
  );
  return rows[0]?.accounts ?? 0;
}

/** Both clocks: on a slow machine a minute may be over before its weight is. */
const holdMinute = () =>
  app.pool.query(`update state.throttle set window_ends = now() + interval '59 seconds' where key like $1`, [
    `${LIMITS.weight.name}:%`,
  ]);

describe('what a client asks for in a minute', () => {
  beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
  afterAll(() => void jest.restoreAllMocks());

  it('ends by what it weighs together, and says the limit and how long to wait', async () => {
    const most = Math.ceil(LIMITS.weight.most / 40_000) + 2;
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
          message: expect.stringMatching(/more than 3000000 fields .* in [1-6]?\d seconds/),
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

  it('weighs by its bytes, where these are more', async () => {
    const {
      people: [carl],
    } = await newParticipants(app, 1);
    const id = await carl.ask({ body: `<p>${'x'.repeat(60_000)}</p>` });
    // 1.2 MB, which is more than the fields weigh.
    const large = Array.from(
      { length: 20 },
      (_, n) => `a${n}: getQuestionById(questionId: "${id}") { body }`,
    );
    const before = await countedAccounts();
    const most = Math.ceil(LIMITS.weight.free / costOfBytes(20 * 60_000)) + 1;
    for (let time = 0; time < most; time += 1)
      expect((await app.graphql(`{ ${large.join(' ')} }`, {}, carl.student.token)).errors).toBeUndefined();
    // What this process has for free is used up, for which the fields alone would not do.
    await eventually(async () => (await countedAccounts()) > before);
  });

  it('is never less than one document may be', () => {
    for (const { free } of [LIMITS.weight, LIMITS.weightPerAddress]) expect(free).toBe(QUERY_LIMITS.cost);
  });
});
