import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newPhone, type GraphqlAnswer, type TestApp } from '../../../../../test/app.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { LIMITS } from '../../platform/rate-limit/limits.js';
import { ChangeContact } from '../contacts/commands/change-contact.js';
import { eventually } from '@nimo/testing';

const CREATE = 'mutation($phone: Phone!) { createStudent(phone: $phone) { _id } }';
const SEND = `mutation($phone: Phone!, $purpose: OtpPurpose, $requestKey: String, $proof: String) {
  sendOTP(phone: $phone, purpose: $purpose, requestKey: $requestKey, proof: $proof) { flag }
}`;
const VERIFY = `mutation($phone: Phone!, $verificationCode: String!, $purpose: OtpPurpose, $requestKey: String) {
  verifyOTP(phone: $phone, verificationCode: $verificationCode, purpose: $purpose, requestKey: $requestKey) { flag grant }
}`;
const LOGIN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken error } }';
const CHANGE = `mutation($phone: Phone, $password: String!, $grant: String) {
  changePassword(phone: $phone, password: $password, grant: $grant) { flag }
}`;
const CHALLENGE = 'mutation { createSendChallenge { algorithm challenge salt signature maxNumber } }';
const TRY_LATER_MESSAGE = 'Something went wrong! Please try again after 10 minutes.';

interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly salt: string;
  readonly signature: string;
  readonly maxNumber: number;
}
interface Verified {
  readonly verifyOTP: { readonly flag: number; readonly grant: string | null };
}

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: 'true' });
});
afterAll(() => app.close());

let clients = 0;
/** A client address no other test uses. */
const newClient = (): string => `198.51.${Math.floor(clients / 250)}.${(clients++ % 250) + 1}`;
const from = (client: string) => ({ 'x-forwarded-for': client });
const ruleOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0]?.extensions.rule;
const otherCodeThan = (code: string): string => (code === '0000' ? '1111' : '0000');

interface SendOptions {
  readonly client: string;
  readonly purpose?: 'SIGN_UP' | 'FORGOT_PASSWORD';
  readonly requestKey?: string;
  readonly proof?: string;
  readonly on?: TestApp;
}
const sentTo = new Map<string, number>();
async function send(phone: string, { client, on = app, ...variables }: SendOptions): Promise<GraphqlAnswer> {
  const answer = await on.graphql(SEND, { phone, ...variables }, undefined, from(client));
  if (answer.errors === undefined) sentTo.set(phone, (sentTo.get(phone) ?? 0) + 1);
  return answer;
}

/** Code from the latest SMS. Jobs send them one at a time. */
async function codeFor(phone: string): Promise<string> {
  await eventually(
    () => smsTo(phone),
    (sms) => sms === sentTo.get(phone),
  );
  return app.latestCode(phone);
}
async function smsTo(phone: string): Promise<number> {
  const { rows } = await app.pool.query<{ count: number }>(
    'select count(*)::int from state.outbox where recipient = $1',
    [`+${phone}`],
  );
  return rows[0]?.count ?? 0;
}
const verify = (phone: string, verificationCode: string, { client, on = app, ...variables }: SendOptions) =>
  on.graphql<Verified>(VERIFY, { phone, verificationCode, ...variables }, undefined, from(client));

async function newcomer(on = app): Promise<string> {
  const phone = newPhone();
  await on.graphql(CREATE, { phone }, undefined, from(newClient()));
  return phone;
}

async function prove(client: string, on = app): Promise<string> {
  const { data } = await on.graphql<{ createSendChallenge: Challenge }>(
    CHALLENGE,
    {},
    undefined,
    from(client),
  );
  const { maxNumber, ...challenge } = data.createSendChallenge;
  // The library's `solveChallenge` is made for browsers and takes ten times as long.
  const isSolvedBy = (number: number): boolean =>
    createHash('sha256').update(`${challenge.salt}${number}`).digest('hex') === challenge.challenge;
  let number = 0;
  while (number < maxNumber && !isSolvedBy(number)) number += 1;
  return Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64');
}

/** Ends the ten-minute windows. */
const nextWindow = () =>
  app.pool.query(
    `update state.throttle set window_ends = now() where key like 'otp-phone:%' or key like 'otp-own:%'`,
  );

async function exhaustDailySends(phone: string, purpose: SendOptions['purpose'] & string): Promise<void> {
  const stranger = newClient();
  for (let sends = 0; sends < 10; sends++) {
    if (sends % 3 === 0) await nextWindow();
    expect((await send(phone, { client: stranger, purpose })).errors).toBeUndefined();
  }
  await nextWindow();
  const answer = await send(phone, { client: stranger, purpose });
  expect(answer.errors?.[0]).toMatchObject({
    message: TRY_LATER_MESSAGE,
    extensions: { code: 'TOO_MANY_REQUESTS', rule: 'CHALLENGE_REQUIRED' },
  });
}

describe('a stranger who exhausts the sends of a phone', () => {
  it('does not lock out a client the account is signed in from', async () => {
    const { phone, userName, password } = await app.signUp();
    const home = newClient();
    await app.graphql(LOGIN, { userName, password }, undefined, from(home));
    await exhaustDailySends(phone, 'FORGOT_PASSWORD');
    const options = { client: home, purpose: 'FORGOT_PASSWORD' } as const;
    expect((await send(phone, options)).data).toEqual({ sendOTP: { flag: 1 } });
    const { data } = await verify(phone, await codeFor(phone), options);
    expect(data.verifyOTP.flag).toBe(1);
  });

  it('does not lock out other clients that solve a challenge for each code', async () => {
    const phone = await newcomer();
    await exhaustDailySends(phone, 'SIGN_UP');
    const client = newClient();
    expect(ruleOf(await send(phone, { client }))).toBe('CHALLENGE_REQUIRED');
    const proof = await prove(client);
    expect((await send(phone, { client, proof })).data).toEqual({ sendOTP: { flag: 1 } });
    expect((await verify(phone, await codeFor(phone), { client })).data.verifyOTP.flag).toBe(1);
    expect(ruleOf(await send(phone, { client, proof }))).toBe('CHALLENGE_REQUIRED');
  });

  it('reaches a limit with proofs too', async () => {
    const phone = await newcomer();
    await exhaustDailySends(phone, 'SIGN_UP');
    const answers = [];
    for (const [client, sends] of [
      [newClient(), 4],
      [newClient(), 3],
      [newClient(), 1],
    ] as const)
      for (let sent = 0; sent < sends; sent++)
        answers.push(ruleOf(await send(phone, { client, proof: await prove(client) })) ?? 'sent');
    const [sent, later] = ['sent', 'TRY_AGAIN_LATER'];
    expect(answers).toEqual([sent, sent, sent, later, sent, sent, sent, later]);
  });

  it.each([
    ['nothing', ''],
    ['plain text', 'hello'],
    ['unrelated JSON', Buffer.from('{"number":1}').toString('base64')],
    [
      'a made-up challenge',
      Buffer.from(
        '{"algorithm":"SHA-256","challenge":"00","number":1,"salt":"s&","signature":"00"}',
      ).toString('base64'),
    ],
    ['oversized input', 'A'.repeat(10_000)],
  ])('is refused with %s as a proof', async (_, proof) => {
    const phone = await newcomer();
    expect(ruleOf(await send(phone, { client: newClient(), proof }))).toBe('CHALLENGE_REQUIRED');
  });

  it('cannot replace or use up a code the owner requested', async () => {
    const { phone } = await app.signUp();
    const own = {
      client: newClient(),
      purpose: 'FORGOT_PASSWORD',
      requestKey: 'known only to this tab',
    } as const;
    const stranger = { client: newClient(), purpose: 'FORGOT_PASSWORD' } as const;
    await send(phone, own);
    const code = await codeFor(phone);
    for (let tries = 0; tries < 6; tries++) await verify(phone, otherCodeThan(code), stranger);
    await send(phone, stranger);
    for (let tries = 0; tries < 6; tries++) await verify(phone, otherCodeThan(code), stranger);
    expect(JSON.stringify(await verify(phone, code, stranger))).not.toContain('"flag":1');
    // The owner's address may change between sending and verifying.
    expect((await verify(phone, code, { ...own, client: newClient() })).data.verifyOTP.flag).toBe(1);
  });
});

describe('guessing', () => {
  it('is allowed five attempts on the first two codes of a day and one on each later code', async () => {
    const phone = await newcomer();
    const client = newClient();
    const tries: number[] = [];
    for (let codes = 0; codes < 3; codes++) {
      await send(phone, { client });
      const { rows } = await app.pool.query<{ tries: number }>(
        'select tries from state.otp order by expires_at desc limit 1',
      );
      tries.push(rows[0]?.tries ?? 0);
    }
    expect(tries).toEqual([5, 5, 1]);
  });

  it('is limited per client across phones', async () => {
    const client = newClient();
    const tries = Array.from({ length: LIMITS.otpMissesPerAddress.max });
    await concurrently(tries, async () =>
      expect((await verify(newPhone(), '1234', { client })).data.verifyOTP.flag).toBe(0),
    );
    const phone = await newcomer();
    await send(phone, { client: newClient(), requestKey: 'mine' });
    const code = await codeFor(phone);
    const refused = await verify(phone, code, { client, requestKey: 'mine' });
    expect(refused.errors?.[0]).toMatchObject({
      message: TRY_LATER_MESSAGE,
      extensions: { code: 'TOO_MANY_REQUESTS' },
    });
    const { data } = await verify(phone, code, { client: newClient(), requestKey: 'mine' });
    expect(data.verifyOTP.flag).toBe(1);
  });

  it('recovery codes is limited globally, except from clients the account is signed in from', async () => {
    const { phone, userName, password } = await app.signUp();
    const home = newClient();
    await app.graphql(LOGIN, { userName, password }, undefined, from(home));
    const purpose = 'FORGOT_PASSWORD';
    const tries = Array.from({ length: LIMITS.recoveryMisses.max });
    await concurrently(tries, () => verify(newPhone(), '1234', { client: newClient(), purpose }));
    expect(ruleOf(await verify(phone, '1234', { client: newClient(), purpose }))).toBe('TRY_AGAIN_LATER');
    await send(phone, { client: home, purpose });
    const { data } = await verify(phone, await codeFor(phone), { client: home, purpose });
    expect(data.verifyOTP.flag).toBe(1);
    await app.pool.query(`update state.throttle set window_ends = now() where key like 'otp-miss-all%'`);
  });
});

describe('a password set with a code', () => {
  async function grantOf(phone: string): Promise<string | null> {
    const options = { client: newClient(), purpose: 'FORGOT_PASSWORD' } as const;
    await send(phone, options);
    return (await verify(phone, await codeFor(phone), options)).data.verifyOTP.grant;
  }

  it("notifies the account's mailbox", async () => {
    const { phone, studentId } = await app.signUp();
    const email = `${randomUUID()}@example.org`;
    await app.execute(
      new ChangeContact(app.contextOf(studentId), { kind: 'email', value: email }, 'no session'),
    );
    // The phone is notified of the new address first.
    sentTo.set(phone, 1);
    await eventually(
      () => smsTo(phone),
      (sms) => sms === 1,
    );
    const grant = await grantOf(phone);
    await app.graphql(CHANGE, { phone, grant, password: 'brand new one' });
    await eventually(
      () =>
        app.pool.query<{ subject: string }>('select subject from state.outbox where recipient = $1', [email]),
      ({ rows }) => rows.some(({ subject }) => /password was changed/.test(subject)),
    );
  });

  it('is refused to an account with a role', async () => {
    const { phone, userName, password, studentId } = await app.signUp();
    await app.grantRole(studentId, 'MODERATOR');
    const grant = await grantOf(phone);
    const answer = await app.graphql(CHANGE, { phone, grant, password: 'brand new one' });
    expect(ruleOf(answer)).toBe('RESET_BY_PHONE_ALONE');
    const own = await app.graphql<{ login: { error: string | null } }>(LOGIN, { userName, password });
    expect(own.data.login.error).not.toBe('Incorrect username or password.');
  });
});

describe('the SMS budget', () => {
  let small: TestApp;
  beforeAll(async () => {
    small = await bootApp({ TRUST_PROXY: 'true', SMS_PER_HOUR: '2', SMS_PER_DAY: '100' });
  });
  afterAll(() => small.close());

  it('requires proofs once exhausted, and ends at twice its size', async () => {
    const answers = [];
    for (let sends = 0; sends < 3; sends++)
      answers.push(ruleOf(await send(await newcomer(small), { client: newClient(), on: small })) ?? 'sent');
    for (let sends = 0; sends < 3; sends++) {
      const [client, phone] = [newClient(), await newcomer(small)];
      const proof = await prove(client, small);
      answers.push(ruleOf(await send(phone, { client, proof, on: small })) ?? 'sent');
    }
    expect(answers).toEqual(['sent', 'sent', 'CHALLENGE_REQUIRED', 'sent', 'sent', 'TRY_AGAIN_LATER']);
  });
});
