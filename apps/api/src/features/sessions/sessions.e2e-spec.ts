import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, newUserName, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { BlockStudent } from '../students/commands/block-student.js';

const LOGIN = `query($userName: String, $phone: Phone, $password: String!, $rememberMe: Boolean) {
  login(userName: $userName, phone: $phone, password: $password, rememberMe: $rememberMe) { accessToken error }
}`;
const ME = '{ getStudent { _id } }';
const LOGOUT = 'mutation { logout { flag } }';
const WRONG = { accessToken: null, error: 'Incorrect username or password.' };

interface LoginData {
  readonly login: { readonly accessToken: string | null; readonly error: string | null };
}

let app: TestApp;
let ada: SignedUpStudent;
beforeAll(async () => {
  app = await sharedApp();
  ada = await app.signUp({ password: 'correct horse' });
});

const login = async (variables: Record<string, unknown>): Promise<LoginData['login']> =>
  (await app.graphql<LoginData>(LOGIN, variables)).data.login;

describe('login', () => {
  it.each([
    ['the user name', () => ({ userName: ada.userName })],
    ['the user name in another case', () => ({ userName: ada.userName.toUpperCase() })],
    ['the phone with its prefix', () => ({ phone: ada.phone })],
    ['ten digits as a user name', () => ({ userName: ada.phone.slice(2) })],
    ['the phone as an integer', () => ({ phone: Number(ada.phone) })],
  ])('works with %s', async (_, named) => {
    const { accessToken, error } = await login({ ...named(), password: ada.password });
    expect(error).toBeNull();
    const me = await app.graphql(ME, {}, accessToken ?? '');
    expect(me.data).toEqual({ getStudent: { _id: ada.studentId } });
  });

  it('is also a mutation, which keeps passwords out of URLs', async () => {
    const mutation = LOGIN.replace(/^query/, 'mutation');
    const ask = async (password: string) =>
      (await app.graphql<LoginData>(mutation, { userName: ada.userName, password })).data.login;
    expect(await ask('wrong')).toEqual(WRONG);
    const { accessToken, error } = await ask(ada.password);
    expect(error).toBeNull();
    expect((await app.graphql(ME, {}, accessToken ?? '')).errors).toBeUndefined();
  });

  it('returns the same error for a wrong password and an unknown name', async () => {
    expect(await login({ userName: ada.userName, password: 'wrong' })).toEqual(WRONG);
    expect(await login({ userName: newUserName(), password: 'correct horse' })).toEqual(WRONG);
    expect(await login({ userName: '', password: '' })).toEqual(WRONG);
  });

  it('rejects an unknown user type', async () => {
    const { errors } = await app.graphql(
      '{ login(userName: "a", password: "b", userType: "manager") { error } }',
    );
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('throttles guessing without blocking other users behind the same address', async () => {
    const bob = await app.signUp();
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => login({ userName: bob.userName, password: 'guess' })),
    );
    const waits = tries.filter(({ error }) => error === 'Too many requests. Please try again later.');
    expect(waits.length).toBeGreaterThanOrEqual(10);
    // Extended, in case a slow machine took longer than the wait.
    await app.pool.query(
      `update state.login_attempt set retry_at = retry_at + interval '1 hour' where attempts >= 5`,
    );
    const right = await login({ userName: bob.userName, password: bob.password });
    expect(right.accessToken).toBeNull();
    // Same address, other account.
    expect((await login({ userName: ada.userName, password: ada.password })).error).toBeNull();
  });

  it('keeps a remembered session longer', async () => {
    await login({ userName: ada.userName, password: ada.password, rememberMe: true });
    const { rows } = await app.pool.query<{ days: number }>(
      `select extract(day from expires_at - created_at)::int as days from state.session
       where student_id = $1 order by expires_at desc limit 1`,
      [ada.studentId],
    );
    expect(rows[0]?.days).toBe(60);
  });
});

describe('a session', () => {
  it('is stored only as a hash', async () => {
    const { rows } = await app.pool.query<{ all: string }>(
      `select string_agg(s::text, ' ') as all from state.session s where student_id = $1`,
      [ada.studentId],
    );
    expect(rows[0]?.all).not.toContain(ada.token);
  });

  it.each(['', 'x', 'Bearer', 'a'.repeat(43), "' or 1=1 --"])('rejects the token %j', async (token) => {
    const { errors } = await app.graphql(LOGOUT, {}, token);
    expect(errors?.[0]).toMatchObject({
      message: 'Please log in.',
      extensions: { code: 'UNAUTHENTICATED' },
    });
  });

  it('ends immediately and permanently on logout', async () => {
    const { token } = await app.signUp();
    expect((await app.graphql(ME, {}, token)).errors).toBeUndefined();
    expect((await app.graphql(LOGOUT, {}, token)).data).toEqual({ logout: { flag: 1 } });
    expect((await app.graphql(ME, {}, token)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await app.graphql(LOGOUT, {}, token)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('ends when it expires', async () => {
    const { token, studentId } = await app.signUp();
    await app.pool.query(
      `update state.session set expires_at = now() - interval '1 second' where student_id = $1`,
      [studentId],
    );
    expect((await app.graphql(ME, {}, token)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it.each([
    [false, '12 hours', '11 hours'],
    [true, '14 days', '13 days'],
  ])('(remembered: %s) ends after %s of inactivity, not after %s', async (rememberMe, over, within) => {
    const { studentId, userName, password } = await app.signUp();
    const store = app.api.get(SessionStore, { strict: false });
    await store.endAll(studentId);
    const idleFor = async (time: string) => {
      const { accessToken } = await login({ userName, password, rememberMe });
      await app.pool.query(
        'update state.session set last_used_at = now() - $2::interval where student_id = $1',
        [studentId, time],
      );
      const { errors } = await app.graphql(ME, {}, accessToken ?? '');
      const listed = (await store.list(studentId)).length;
      await store.endAll(studentId);
      return [errors?.[0]?.extensions.code, listed];
    };
    expect(await idleFor(within)).toEqual([undefined, 1]);
    expect(await idleFor(over)).toEqual(['UNAUTHENTICATED', 0]);
  });

  it('is purged after inactivity', async () => {
    const { studentId } = await app.signUp();
    await app.pool.query(
      `update state.session set last_used_at = now() - interval '13 hours' where student_id = $1`,
      [studentId],
    );
    await app.api.get(SessionStore, { strict: false }).purgeExpired();
    const { rows } = await app.pool.query('select from state.session where student_id = $1', [studentId]);
    expect(rows).toEqual([]);
  });

  it('ends when the student is blocked and cannot be reopened', async () => {
    const eve = await app.signUp();
    expect((await app.graphql(ME, {}, eve.token)).errors).toBeUndefined();
    await app.execute(new BlockStudent(app.operator(), eve.studentId, 'spam'));
    expect((await app.graphql(ME, {}, eve.token)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(await login({ userName: eve.userName, password: eve.password })).toEqual({
      accessToken: null,
      error: 'This account is blocked.',
    });
    expect(await login({ userName: eve.userName, password: 'wrong' })).toEqual(WRONG);
  });
});

describe('a password change in settings', () => {
  const CHANGE = `mutation($password: String!, $oldPassword: String) {
    changePassword(password: $password, oldPassword: $oldPassword) { flag refusal { message code rule field } }
  }`;

  it('requires the old password', async () => {
    const { token } = await app.signUp();
    const answer = await app.graphql(CHANGE, { password: 'brand new one', oldPassword: 'not it' }, token);
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toEqual({
      changePassword: {
        flag: 0,
        refusal: {
          message: 'Old password is not correct.',
          code: 'VALIDATION_FAILED',
          rule: 'OLD_PASSWORD_WRONG',
          field: 'oldPassword',
        },
      },
    });
  });

  it('requires eight characters', async () => {
    const { token, password } = await app.signUp();
    const { errors } = await app.graphql(CHANGE, { password: 'seven77', oldPassword: password }, token);
    expect(errors?.[0]).toMatchObject({
      message: 'Password must have minimum 8 characters.',
      extensions: { code: 'VALIDATION_FAILED', field: 'password' },
    });
  });

  it.each(['password', 'Password1', 'QWERTYUIOP', '12345678', 'iloveyou1'])(
    'rejects %s, known from breaches, and keeps the old password',
    async (known) => {
      const { token, userName, password } = await app.signUp();
      const { errors } = await app.graphql(CHANGE, { password: known, oldPassword: password }, token);
      expect(errors?.[0]).toMatchObject({
        message: 'This password has appeared in a data breach. Choose another.',
        extensions: { code: 'VALIDATION_FAILED', field: 'password', rule: 'PASSWORD_BREACHED' },
      });
      expect((await login({ userName, password })).error).toBeNull();
    },
  );

  it('ends every other session, and the current one on logout', async () => {
    const bob = await app.signUp();
    const other = await login({ userName: bob.userName, password: bob.password });
    const { data } = await app.graphql(
      CHANGE,
      { password: 'brand new one', oldPassword: bob.password },
      bob.token,
    );
    expect(data).toEqual({ changePassword: { flag: 1, refusal: null } });
    const codeWith = async (token: string) => (await app.graphql(ME, {}, token)).errors?.[0]?.extensions.code;
    expect(await codeWith(other.accessToken ?? '')).toBe('UNAUTHENTICATED');
    expect(await codeWith(bob.token)).toBeUndefined();
    await app.graphql(LOGOUT, {}, bob.token);
    expect(await codeWith(bob.token)).toBe('UNAUTHENTICATED');
    expect(await login({ userName: bob.userName, password: bob.password })).toEqual(WRONG);
    expect((await login({ userName: bob.userName, password: 'brand new one' })).error).toBeNull();
  });

  it('requires a session', async () => {
    const { errors } = await app.graphql(CHANGE, { password: 'brand new one', oldPassword: 'x' });
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});
