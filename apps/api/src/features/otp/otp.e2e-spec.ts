import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  sharedApp,
  newPhone,
  newUserName,
  type GraphqlAnswer,
  type TestApp,
} from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';

const CREATE =
  'mutation($phone: Phone!) { createStudent(phone: $phone, registrationType: "SELF") { _id isRegistered } }';
const SEND =
  'mutation($phone: Phone!, $purpose: OtpPurpose) { sendOTP(phone: $phone, purpose: $purpose) { flag refusal { message code rule } } }';
const VERIFY = `mutation($phone: Phone!, $verificationCode: String!, $purpose: OtpPurpose) {
  verifyOTP(phone: $phone, verificationCode: $verificationCode, purpose: $purpose) { flag id phone grant }
}`;
const REGISTER = `mutation($id: ID!, $grant: String, $userName: String, $password: String, $firstName: String) {
  updateStudent(id: $id, grant: $grant, userName: $userName, password: $password, firstName: $firstName, lastName: "L",
    profileDesc: "about", isRegistered: true, isPhoneVerified: true, registrationType: "SELF") { _id userName isRegistered phone }
}`;
const CHANGE = `mutation($phone: Phone, $password: String!, $grant: String) {
  changePassword(phone: $phone, password: $password, grant: $grant, userType: "student") { flag }
}`;
const LOGIN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken error } }';

interface Verified {
  readonly verifyOTP: {
    readonly flag: number;
    readonly id: string | null;
    readonly phone: string | null;
    readonly grant: string | null;
  };
}

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

const codeOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0]?.extensions.code;
const messageOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0]?.message;
/** sendOTP returns refusals as data, except limits and malformed phones. */
const refusalMessageOf = (answer: GraphqlAnswer<unknown>) => {
  const { sendOTP } = (answer.data ?? {}) as {
    sendOTP?: { flag: number; refusal: { message: string; code: string; rule: string } | null };
  };
  return sendOTP?.refusal?.message ?? messageOf(answer);
};
const wrongOf = (code: string): string => (code === '0000' ? '1111' : '0000');
const verify = (phone: string, verificationCode: string, purpose = 'SIGN_UP') =>
  app.graphql<Verified>(VERIFY, { phone, verificationCode, purpose });

/** Phone of a registered, signed-out account: it has no share of its own here. */
async function phoneOfSignedOutStudent(): Promise<string> {
  const { phone, token } = await app.signUp();
  await app.graphql('mutation { logout { flag } }', {}, token);
  return phone;
}

async function sent(phone = newPhone()): Promise<{ phone: string; code: string }> {
  await app.graphql(CREATE, { phone });
  await app.graphql(SEND, { phone });
  return { phone, code: await app.latestCode(phone) };
}

async function verified(): Promise<{ phone: string; id: string; grant: string }> {
  const { phone, code } = await sent();
  const { id, grant } = (await verify(phone, code)).data.verifyOTP;
  if (id === null || grant === null) throw new Error('not verified');
  return { phone, id, grant };
}

describe('sign-up by phone', () => {
  it('leads from the phone to a login', async () => {
    const { phone, id, grant } = await verified();
    const [userName, password] = [newUserName(), 'correct horse'];
    const registered = await app.graphql(REGISTER, { id, grant, userName, password, firstName: 'Ada' });
    expect(registered.data).toEqual({ updateStudent: { _id: id, userName, isRegistered: true, phone } });
    const { data } = await app.graphql(LOGIN, { userName, password });
    expect(data).toMatchObject({ login: { error: null } });
  });

  it('does not reveal whether a phone or user name is taken', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    const unfinished = newPhone();
    await app.graphql(CREATE, { phone: unfinished });
    const FIND =
      'query($phone: Phone, $userName: String) { getStudent(phone: $phone, userName: $userName) { _id isRegistered } }';
    for (const token of [undefined, bob.token]) {
      for (const variables of [
        { phone: ada.phone },
        { userName: ada.userName },
        { phone: unfinished },
        { phone: newPhone() },
      ]) {
        expect((await app.graphql(FIND, variables, token)).data).toEqual({ getStudent: null });
      }
    }
    expect((await app.graphql(FIND, { phone: ada.phone }, ada.token)).data).toEqual({
      getStudent: { _id: ada.studentId, isRegistered: true },
    });
  });

  it('reveals no ID before the phone is verified, not even of a new account', async () => {
    const phone = newPhone();
    const ids: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const { data } = await app.graphql<{ createStudent: { _id: string } }>(CREATE, { phone });
      ids.push(data.createStudent._id);
    }
    await app.graphql(SEND, { phone });
    ids.push((await verify(phone, await app.latestCode(phone))).data.verifyOTP.id ?? '');
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    ['SIGN_UP', 'User already exist!'],
    ['FORGOT_PASSWORD', 'does not exist in DB.'],
  ])('limits replies about a phone in %s like codes sent', async (purpose, text) => {
    const phone = purpose === 'SIGN_UP' ? await phoneOfSignedOutStudent() : newPhone();
    const answers: (string | undefined)[] = [];
    for (let time = 0; time < 4; time += 1) {
      answers.push(refusalMessageOf(await app.graphql(SEND, { phone, purpose })));
    }
    expect(answers.filter((answer) => answer?.includes(text)).length).toBeLessThanOrEqual(3);
    expect(answers[3]).toBe('Something went wrong! Please try again after 10 minutes.');
    if (purpose === 'SIGN_UP') {
      const made = [];
      for (let time = 0; time < 4; time += 1) made.push(messageOf(await app.graphql(CREATE, { phone })));
      expect(made[3]).toBe('Something went wrong! Please try again after 10 minutes.');
    }
  });

  it('refuses a registered phone', async () => {
    const { phone } = await app.signUp();
    const created = await app.graphql(CREATE, { phone });
    expect(messageOf(created)).toBe('User already exist!');
    expect(codeOf(created)).toBe('CONFLICT');
    expect(await app.graphql(SEND, { phone })).toMatchObject({
      data: {
        sendOTP: {
          flag: 0,
          refusal: { message: 'User already exist!', code: 'CONFLICT', rule: 'USER_EXISTS' },
        },
      },
    });
  });

  it('creates one student from concurrent sign-ups with one phone', async () => {
    const phone = newPhone();
    await Promise.all(Array.from({ length: 3 }, () => app.graphql(CREATE, { phone })));
    await app.caughtUp();
    const { rowCount } = await app.pool.query('select from read.students where phone = $1', [phone]);
    expect(rowCount).toBe(1);
  });

  it.each(['12345', '123456789012345', '449000000000', '90000000001'])(
    'refuses the phone %s',
    async (phone) => {
      const answer = await app.graphql(CREATE, { phone });
      expect(messageOf(answer)).toBe('Invalid mobile number');
    },
  );

  it('does not send to an unknown phone', async () => {
    const phone = newPhone();
    const answer = await app.graphql(SEND, { phone });
    expect(answer.errors).toBeUndefined();
    expect(refusalMessageOf(answer)).toBe(`Student with phone: ${phone} does not exist in DB.`);
  });
});

describe('a code', () => {
  it('is not stored in plain text, nor is the phone', async () => {
    const { phone, code } = await sent();
    const { rows } = await app.pool.query<{ all: string }>(
      `select string_agg(o::text, ' ') as all from state.otp o`,
    );
    expect(rows[0]?.all).not.toContain(phone);
    expect(rows[0]?.all).not.toContain(Buffer.from(code).toString('hex'));
  });

  it('is encrypted in the queue', async () => {
    const { phone } = await sent();
    const { rows } = await app.pool.query<{ all: string | null }>(
      `select string_agg(j::text, ' ') as all from bullmq.job j`,
    );
    expect(rows[0]?.all).toContain('sealed');
    expect(rows[0]?.all).not.toContain(phone);
  });

  it('can be redeemed once', async () => {
    const { phone, code } = await sent();
    const answers = await Promise.all([verify(phone, code), verify(phone, code), verify(phone, code)]);
    expect(answers.map(({ data }) => data.verifyOTP.flag).sort()).toEqual([0, 0, 1]);
    expect((await verify(phone, code)).data.verifyOTP).toEqual({
      flag: 0,
      id: null,
      phone: null,
      grant: null,
    });
  });

  it('is void after five wrong attempts, even concurrent ones', async () => {
    const { phone, code } = await sent();
    await Promise.all(Array.from({ length: 5 }, () => verify(phone, wrongOf(code))));
    expect((await verify(phone, code)).data.verifyOTP.flag).toBe(0);
  });

  it('expires after ten minutes', async () => {
    const { phone, code } = await sent();
    await app.pool.query(`update state.otp set expires_at = now() - interval '1 second'`);
    expect((await verify(phone, code)).data.verifyOTP.flag).toBe(0);
  });

  it('is not valid for another purpose', async () => {
    const { phone, code } = await sent();
    expect((await verify(phone, code, 'FORGOT_PASSWORD')).data.verifyOTP.flag).toBe(0);
  });

  it.each([
    ['', 'Empty input!'],
    ['12', 'Invalid OTP!'],
    ['12a4', 'Invalid OTP!'],
  ])('%j is rejected with %s', async (code, message) => {
    expect(messageOf(await verify(newPhone(), code))).toBe(message);
  });

  it('is sent to a phone at most three times in ten minutes', async () => {
    const phone = newPhone();
    await app.graphql(CREATE, { phone });
    const answers = [];
    for (let time = 0; time < 4; time++) answers.push(await app.graphql(SEND, { phone }));
    expect(answers.map(codeOf)).toEqual([undefined, undefined, undefined, 'TOO_MANY_REQUESTS']);
    expect(messageOf(answers[3] as GraphqlAnswer)).toBe(
      'Something went wrong! Please try again after 10 minutes.',
    );
  });
});

describe('a grant', () => {
  it('remains valid until a registration succeeds', async () => {
    const { id, grant } = await verified();
    const attempt = (userName: string, password: string) =>
      app.graphql(REGISTER, { id, grant, userName, password });
    const { userName: taken } = await app.signUp();
    expect(messageOf(await attempt('with space', 'correct horse'))).toBe(
      'Username should contain not contain any spaces or special characters except underscore!',
    );
    expect(messageOf(await attempt('12345', 'correct horse'))).toBe(
      'Username should contain not contain any spaces or special characters except underscore!',
    );
    expect(messageOf(await attempt(taken.toUpperCase(), 'correct horse'))).toBe('Username already exist!');
    expect(messageOf(await attempt(newUserName(), 'short'))).toBe('Password must have minimum 8 characters.');
    expect((await attempt(newUserName(), 'correct horse')).errors).toBeUndefined();
    expect(messageOf(await attempt(newUserName(), 'correct horse'))).toBe(
      'Please verify your mobile number again.',
    );
  });

  it('is valid for one of two concurrent registrations', async () => {
    const { id, grant } = await verified();
    const names = [newUserName(), newUserName()];
    const answers = await Promise.all(
      names.map((userName, place) =>
        app.graphql(REGISTER, { id, grant, userName, password: `password ${place}` }),
      ),
    );
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    const winner = answers.findIndex(({ errors }) => errors === undefined);
    const { data } = await app.graphql(LOGIN, { userName: names[winner], password: `password ${winner}` });
    expect(data).toMatchObject({ login: { error: null } });
  });

  it('returns the first result when a registration is repeated with its idempotency key', async () => {
    const { id, grant } = await verified();
    const variables = { id, grant, userName: newUserName(), password: 'correct horse' };
    const register = () => app.graphql(REGISTER, variables, undefined, { 'idempotency-key': `key-${id}` });
    const [first, second] = [await register(), await register()];
    expect(first.errors).toBeUndefined();
    expect(second.data).toEqual(first.data);
  });

  it.each([
    ['invented', async () => 'A'.repeat(43)],
    ["another's", async () => (await verified()).grant],
    ['missing', async () => null],
  ])('that is %s cannot register anyone', async (_, grantOf) => {
    const { id } = await verified();
    const answer = await app.graphql(REGISTER, {
      id,
      grant: await grantOf(),
      userName: newUserName(),
      password: 'correct horse',
    });
    expect(['FORBIDDEN', 'UNAUTHENTICATED']).toContain(codeOf(answer));
  });

  it('expires after half an hour', async () => {
    const { id, grant } = await verified();
    await app.pool.query(
      `update state.phone_grant set expires_at = now() - interval '1 second' where student_id = $1`,
      [id],
    );
    const answer = await app.graphql(REGISTER, {
      id,
      grant,
      userName: newUserName(),
      password: 'correct horse',
    });
    expect(messageOf(answer)).toBe('Please verify your mobile number again.');
  });
});

describe('a forgotten password', () => {
  it('is replaced once by phone, which ends every session', async () => {
    const { phone, userName, token } = await app.signUp();
    await app.graphql(SEND, { phone, purpose: 'FORGOT_PASSWORD' });
    const answer = await verify(phone, await app.latestCode(phone), 'FORGOT_PASSWORD');
    const { grant } = answer.data.verifyOTP;
    const change = (password: string, of = phone) => app.graphql(CHANGE, { phone: of, password, grant });
    expect(messageOf(await change('short'))).toBe('Password must have minimum 8 characters.');
    expect((await change('brand new one', newPhone())).data).toEqual({ changePassword: { flag: 0 } });
    expect((await change('brand new one')).data).toEqual({ changePassword: { flag: 1 } });
    expect((await change('another one')).data).toEqual({ changePassword: { flag: 0 } });
    expect((await app.graphql('{ getStudent { _id } }', {}, token)).errors).toBeDefined();
    const { data } = await app.graphql(LOGIN, { userName, password: 'brand new one' });
    expect(data).toMatchObject({ login: { error: null } });
  });

  it('is not replaced by a used grant: a repeat returns the first result and does nothing', async () => {
    const { phone, userName } = await app.signUp();
    let sends = 0;
    const grantOf = async () => {
      await app.graphql(SEND, { phone, purpose: 'FORGOT_PASSWORD' });
      sends += 1;
      // A job sends the SMS: wait for it, so that an earlier code is not mistaken for this one.
      const sms = () => app.pool.query('select from state.outbox where recipient = $1', [`+${phone}`]);
      await eventually(sms, ({ rowCount }) => rowCount === sends);
      const answer = await verify(phone, await app.latestCode(phone), 'FORGOT_PASSWORD');
      return answer.data.verifyOTP.grant;
    };
    const change = (grant: string | null, password: string, key: string) =>
      app.graphql(CHANGE, { phone, password, grant }, undefined, { 'idempotency-key': key });
    const [used, unused] = [await grantOf(), await grantOf()];
    expect((await change(used, 'taken by a stranger', phone)).data).toEqual({ changePassword: { flag: 1 } });
    // Unused grants end with the password they could replace.
    expect((await change(unused, 'taken once more', 'left')).data).toEqual({ changePassword: { flag: 0 } });
    expect((await change(await grantOf(), 'set by the owner', 'own')).data).toEqual({
      changePassword: { flag: 1 },
    });
    for (const password of ['taken by a stranger', 'taken once more'])
      expect((await change(used, password, phone)).data).toEqual({ changePassword: { flag: 1 } });
    const { data } = await app.graphql(LOGIN, { userName, password: 'set by the owner' });
    expect(data).toMatchObject({ login: { error: null } });
  });

  it('is not set by repeating a registration', async () => {
    const { id, grant } = await verified();
    const userName = newUserName();
    const register = (password: string) =>
      app.graphql(REGISTER, { id, grant, userName, password }, undefined, {
        'idempotency-key': `once-${id}`,
      });
    const first = await register('chosen first');
    expect((await register('chosen later')).data).toEqual(first.data);
    const { data } = await app.graphql(LOGIN, { userName, password: 'chosen first' });
    expect(data).toMatchObject({ login: { error: null } });
  });

  it('cannot be reset before registration', async () => {
    const { phone } = await sent();
    const answer = await app.graphql(SEND, { phone, purpose: 'FORGOT_PASSWORD' });
    expect(answer.errors).toBeUndefined();
    expect(refusalMessageOf(answer)).toBe(`Student with phone: ${phone} does not exist in DB.`);
  });
});
