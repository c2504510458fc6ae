import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sharedApp, newUserName, type GraphqlAnswer, type TestApp } from '../../../../../test/app.js';
import { Accounts } from '../accounts/accounts.js';
import { BlockStudent } from '../students/commands/block-student.js';
import { eventually } from '@nimo/testing';

const REGISTER = `mutation($email: String!, $userName: String!, $password: String!) {
  registerByEmail(email: $email, userName: $userName, password: $password) { flag }
}`;
const CONFIRM = `mutation($token: String!, $userName: String, $password: String = "correct horse") {
    confirmEmail(token: $token, userName: $userName, password: $password) { userName }
  }`;
const IS_CONFIRMED = 'query($token: String!) { isEmailConfirmed(token: $token) }';
const FORGOT = 'mutation($email: String!) { forgotPassword(email: $email) { flag } }';
const RESET =
  'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { flag } }';
const LOGIN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken error rule confirmation } }';
const ME = '{ getStudent { _id userName email isRegistered isPhoneVerified phone } }';
const PASSWORD = 'correct horse';
const REFUSED = 'Incorrect username or password.';
const UNCONFIRMED = 'Confirm your email first. Follow the link we sent you.';
const RESEND = 'mutation($confirmation: String!) { sendConfirmation(confirmation: $confirmation) { flag } }';
const LOGIN_REFUSED = { accessToken: null, error: REFUSED, rule: 'LOGIN_FAILED', confirmation: null };
const DEAD_LINK = {
  message: 'This link is no longer valid. Please request a new one.',
  extensions: { code: 'FORBIDDEN', rule: 'MAIL_LINK_INVALID' },
};

interface OutboxMail {
  readonly subject: string;
  readonly text: string;
}

interface LoginData {
  readonly login: {
    readonly accessToken: string | null;
    readonly error: string | null;
    readonly rule: string | null;
    readonly confirmation: string | null;
  };
}

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterEach(() => void jest.restoreAllMocks());

const newEmail = (): string => `${randomUUID().slice(0, 13)}@example.org`;
const errorOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0];

async function mailsTo(email: string, count = 1): Promise<OutboxMail[]> {
  const find = async () => {
    const { rows } = await app.pool.query<OutboxMail>(
      `select subject, text from state.outbox where kind = 'MAIL' and recipient = $1 order by id desc`,
      [email],
    );
    return rows;
  };
  return eventually(find, (mails) => mails.length >= count);
}

async function latestToken(email: string, count = 1): Promise<string> {
  const [mail] = await mailsTo(email, count);
  const token = /#([\w-]{43})/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error('no link in the email');
  return token;
}

/** The token in the confirmation email to that user name. */
async function tokenFor(userName: string, email: string): Promise<string> {
  const isTheirs = ({ text }: OutboxMail) => text.includes(`, ${userName}!`);
  const mails = await eventually(
    () => mailsTo(email),
    (found) => found.some(isTheirs),
  );
  return /#([\w-]{43})/.exec(mails.find(isTheirs)?.text ?? '')?.[1] ?? 'no link';
}

const register = (email: string, userName = newUserName(), password = PASSWORD) =>
  app.graphql(REGISTER, { email, userName, password });
const login = async (userName: string, password = PASSWORD) =>
  (await app.graphql<LoginData>(LOGIN, { userName, password })).data.login;

async function newAccount(): Promise<{ email: string; userName: string; token: string }> {
  const [email, userName] = [newEmail(), newUserName()];
  await register(email, userName);
  await app.graphql(CONFIRM, { token: await latestToken(email) });
  const { accessToken } = await login(userName);
  return { email, userName, token: accessToken ?? '' };
}

describe('registration by email', () => {
  it('creates the account only once the link in the email is used', async () => {
    const [email, userName] = [newEmail(), newUserName()];
    expect((await register(email, userName)).data).toEqual({ registerByEmail: { flag: 1 } });
    const token = await latestToken(email);
    expect((await login(userName)).error).toBe(UNCONFIRMED);
    expect(errorOf(await app.graphql(CONFIRM, { token, password: 'short' }))?.message).toBe(
      'Password must have minimum 8 characters.',
    );
    expect((await app.graphql(CONFIRM, { token })).data).toEqual({ confirmEmail: { userName } });
    for (const name of [userName, email, email.toUpperCase()]) {
      const { accessToken, error } = await login(name);
      expect([name, error]).toEqual([name, null]);
      expect((await app.graphql(ME, {}, accessToken ?? '')).data).toMatchObject({
        getStudent: { userName, email, isRegistered: true, isPhoneVerified: false, phone: null },
      });
    }
  });

  it('gives the account to the owner of the mailbox, not to the person who typed the address', async () => {
    const [email, userName] = [newEmail(), newUserName()];
    await register(email, userName, 'chosen by a stranger');
    const token = await latestToken(email);
    await app.graphql(CONFIRM, { token, password: 'chosen by the owner' });
    expect((await login(userName, 'chosen by a stranger')).error).toBe(REFUSED);
    expect((await login(userName, 'chosen by the owner')).error).toBeNull();
  });

  it.each(['(x)', '"', '<'])(
    'rejects an address prefixed with %s, which may be delivered to another mailbox',
    async (sign) => {
      const { email } = await newAccount();
      const answer = await register(`${sign}${email}`);
      expect(errorOf(answer)).toMatchObject({
        message: 'Please enter a valid email.',
        extensions: { code: 'VALIDATION_FAILED', field: 'email' },
      });
    },
  );

  it('links to the configured origin, not to the Host header of the request', async () => {
    const email = newEmail();
    await app.graphql(REGISTER, { email, userName: newUserName(), password: PASSWORD }, undefined, {
      'x-forwarded-host': 'evil.example',
      host: 'evil.example',
    });
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain(`http://localhost:${new URL(app.url).port}/register#`);
    expect(mail?.text).not.toContain('evil');
  });

  it('mails in the language the browser asks for', async () => {
    const [email, userName] = [newEmail(), newUserName()];
    await app.graphql(REGISTER, { email, userName, password: PASSWORD }, undefined, {
      'accept-language': 'es-MX,es;q=0.9,en;q=0.5',
    });
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('Confirma tu correo para usar Nimo');
    expect(mail?.text).toMatch(/El enlace es válido durante 24\s+horas\./);
  });

  it('does not store the plain address before it is verified', async () => {
    const email = newEmail();
    await register(email);
    await latestToken(email);
    const { rows } = await app.pool.query<{ all: string }>(
      `select coalesce(string_agg(l::text, ' '), '') || (select coalesce(string_agg(t.key, ' '), '') from state.throttle t)
       || (select coalesce(string_agg(p::text, ' '), '') from state.pending_registration p)
       || (select coalesce(string_agg(e.data::text, ' '), '') from log.events e) as all from state.mailed_link l`,
    );
    expect(rows[0]?.all).not.toContain(email);
    expect(rows[0]?.all).not.toContain('argon2');
  });

  it('stores only the hash of the token', async () => {
    const email = newEmail();
    await register(email);
    const token = await latestToken(email);
    const { rows } = await app.pool.query<{ all: string }>(
      `select string_agg(l::text, ' ') as all from state.mailed_link l`,
    );
    expect(rows[0]?.all).not.toContain(token);
  });

  it('responds the same for a registered address and notifies its owner', async () => {
    const { email, userName } = await newAccount();
    const answer = await register(email.toUpperCase());
    expect(answer.data).toEqual({ registerByEmail: { flag: 1 } });
    expect(answer.errors).toBeUndefined();
    const [mail] = await mailsTo(email, 2);
    expect(mail?.subject).toBe('You already have a Nimo account');
    expect(mail?.text).toContain(userName);
    expect(mail?.text).not.toMatch(/#[\w-]{43}/);
  });

  it.each([
    ['not-an-address', 'right_name', PASSWORD, 'email', 'Please enter a valid email.'],
    ['a@b.de\nBcc: x@y.de', 'right_name', PASSWORD, 'email', 'Please enter a valid email.'],
    [
      'a@b.de',
      'two words',
      PASSWORD,
      'userName',
      'Username should contain not contain any spaces or special characters except underscore!',
    ],
    ['a@b.de', '12345', PASSWORD, 'userName', expect.stringContaining('Username should')],
    ['a@b.de', '', PASSWORD, 'userName', 'Please enter a username.'],
    ['a@b.de', 'right_name', '', 'password', 'Please enter password.'],
    ['a@b.de', 'right_name', 'seven77', 'password', 'Password must have minimum 8 characters.'],
    ['a@b.de', 'right_name', 'Trustno1', 'password', expect.stringContaining('appeared in a data breach')],
  ])('rejects %j, %j, %j', async (email, userName, password, field, message) => {
    expect(errorOf(await register(email, userName, password))).toMatchObject({
      message,
      extensions: { code: 'VALIDATION_FAILED', field },
    });
  });

  it('rejects a taken user name', async () => {
    const { userName } = await app.signUp();
    expect(errorOf(await register(newEmail(), userName.toUpperCase()))).toMatchObject({
      message: 'Username already exist!',
      extensions: { code: 'CONFLICT', field: 'userName' },
    });
  });

  it('reports the missing confirmation on login with the right password and resends the email', async () => {
    const [email, userName] = [newEmail(), newUserName()];
    await register(email, userName);
    const first = await latestToken(email);
    for (const name of [userName.toUpperCase(), email.toUpperCase()]) {
      expect(await login(name)).toMatchObject({
        accessToken: null,
        error: UNCONFIRMED,
        rule: 'EMAIL_UNCONFIRMED',
      });
      expect(await login(name, 'another password')).toEqual(LOGIN_REFUSED);
    }
    const { confirmation } = await login(email);
    expect((await app.graphql(RESEND, { confirmation })).data).toEqual({ sendConfirmation: { flag: 1 } });
    const second = await latestToken(email, 2);
    expect(second).not.toBe(first);
    await app.graphql(CONFIRM, { token: second, password: 'chosen at the end' });
    expect(await login(userName)).toEqual(LOGIN_REFUSED);
    expect((await login(userName, 'chosen at the end')).error).toBeNull();
    expect((await app.graphql(RESEND, { confirmation })).data).toEqual({ sendConfirmation: { flag: 0 } });
  });

  it('behaves the same towards a stranger whether or not the address is registered, even after its owner registers', async () => {
    const [known, fresh] = [await newAccount(), newEmail()];
    await register(known.email, newUserName(), 'made by a stranger');
    await register(fresh, newUserName(), 'made by a stranger');
    for (const email of [known.email, fresh])
      expect((await login(email, 'made by a stranger')).rule).toBe('EMAIL_UNCONFIRMED');
    expect((await login(known.email)).error).toBeNull();

    const owners = newUserName();
    await register(fresh, owners);
    await app.graphql(CONFIRM, { token: await tokenFor(owners, fresh) });
    expect((await login(fresh)).error).toBeNull();
    expect((await login(fresh, 'made by a stranger')).rule).toBe('EMAIL_UNCONFIRMED');
  });

  it('counts a login before confirmation as failed, so that registering an address grants no extra attempts', async () => {
    const { email } = await newAccount();
    await register(email, newUserName(), 'made by a stranger');
    const rules = [];
    for (let tries = 0; tries < 7; tries += 1) rules.push((await login(email, 'made by a stranger')).rule);
    expect(rules).toContain('EMAIL_UNCONFIRMED');
    expect(rules.at(-1)).toBe('TOO_MANY_REQUESTS');
  });

  it('limits how often a confirmation is resent', async () => {
    const email = newEmail();
    await register(email);
    const { confirmation } = await login(email);
    const flags = [];
    for (let sends = 0; sends < 3; sends += 1)
      flags.push((await app.graphql(RESEND, { confirmation })).errors?.[0]?.extensions['rule'] ?? 'sent');
    expect(flags).toEqual(['sent', 'sent', 'TRY_AGAIN_LATER']);
  });

  it('forgets an unconfirmed registration when its link expires', async () => {
    const email = newEmail();
    await register(email);
    await app.pool.query(`update state.pending_registration set expires_at = now() - interval '1 second'`);
    expect(await login(email)).toEqual(LOGIN_REFUSED);
  });

  it('accepts another user name at confirmation if the first has been taken', async () => {
    const [email, userName] = [newEmail(), newUserName()];
    await register(email, userName);
    const token = await latestToken(email);
    await app.signUp({ userName });
    expect(errorOf(await app.graphql(CONFIRM, { token }))?.message).toBe('Username already exist!');
    const other = newUserName();
    expect((await app.graphql(CONFIRM, { token, userName: other })).data).toEqual({
      confirmEmail: { userName: other },
    });
    expect((await login(other)).error).toBeNull();
  });

  it('creates one account from two registrations of an address', async () => {
    const email = newEmail();
    const [first, second] = [newUserName(), newUserName()];
    await register(email, first);
    const firstToken = await latestToken(email);
    await register(email, second);
    const secondToken = await latestToken(email, 2);
    expect((await app.graphql(CONFIRM, { token: secondToken })).data).toEqual({
      confirmEmail: { userName: second },
    });
    expect(errorOf(await app.graphql(CONFIRM, { token: firstToken }))?.message).toBe('User already exist!');
    expect(await login(first)).toMatchObject({ accessToken: null, error: UNCONFIRMED });
  });

  it('accepts a link once, even concurrently, and repeats the result for the same request', async () => {
    const email = newEmail();
    await register(email);
    const token = await latestToken(email);
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([
      app.graphql(CONFIRM, { token }),
      app.graphql(CONFIRM, { token }),
      app.graphql(CONFIRM, { token }),
    ]);
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    expect(errorOf(await app.graphql(CONFIRM, { token }, undefined, key))).toMatchObject(DEAD_LINK);

    const again = newEmail();
    await register(again);
    const variables = { token: await latestToken(again) };
    const first = await app.graphql(CONFIRM, variables, undefined, key);
    expect((await app.graphql(CONFIRM, variables, undefined, key)).data).toEqual(first.data);
  });

  it('tells holders of a link whether it has been used', async () => {
    const email = newEmail();
    await register(email);
    const token = await latestToken(email);
    expect((await app.graphql(IS_CONFIRMED, { token })).data).toEqual({ isEmailConfirmed: false });
    await app.graphql(CONFIRM, { token });
    expect((await app.graphql(IS_CONFIRMED, { token })).data).toEqual({ isEmailConfirmed: true });
    await app.graphql(FORGOT, { email });
    const reset = await latestToken(email, 2);
    expect(errorOf(await app.graphql(IS_CONFIRMED, { token: reset }))).toMatchObject(DEAD_LINK);
  });

  it.each(['', 'x', 'A'.repeat(43), "' or 1=1 --"])('rejects the token %j', async (token) => {
    expect(errorOf(await app.graphql(IS_CONFIRMED, { token }))).toMatchObject(DEAD_LINK);
    expect(errorOf(await app.graphql(CONFIRM, { token }))).toMatchObject(DEAD_LINK);
    expect(errorOf(await app.graphql(RESET, { token, password: PASSWORD }))).toMatchObject(DEAD_LINK);
  });

  it('rejects an expired link and a link for another purpose', async () => {
    const email = newEmail();
    await register(email);
    const token = await latestToken(email);
    expect(errorOf(await app.graphql(RESET, { token, password: PASSWORD }))).toMatchObject(DEAD_LINK);
    await app.pool.query(`update state.mailed_link set expires_at = now() - interval '1 second'`);
    expect(errorOf(await app.graphql(CONFIRM, { token }))).toMatchObject(DEAD_LINK);
  });

  it('sends at most three emails per address in ten minutes, registered or not', async () => {
    const { email } = await newAccount();
    const stranger = newEmail();
    for (const address of [email, stranger]) {
      const answers = [];
      for (let round = 0; round < 4; round++) answers.push(await app.graphql(FORGOT, { email: address }));
      // The registration email counts as well.
      const sent = address === email ? 2 : 3;
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(sent);
      expect(errorOf(answers[3] as GraphqlAnswer)).toMatchObject({
        message: 'Something went wrong! Please try again after 10 minutes.',
        extensions: { code: 'TOO_MANY_REQUESTS' },
      });
    }
  });
});

describe('password reset by email', () => {
  it('sets a new password with the link and ends all sessions', async () => {
    const { email, userName, token: session } = await newAccount();
    expect((await app.graphql(FORGOT, { email: email.toUpperCase() })).data).toEqual({
      forgotPassword: { flag: 1 },
    });
    // To the verified address, not to what was typed.
    const token = await latestToken(email, 2);
    const password = 'brand new one';
    expect(errorOf(await app.graphql(RESET, { token, password: 'short' }))?.message).toBe(
      'Password must have minimum 8 characters.',
    );
    expect((await app.graphql(RESET, { token, password })).data).toEqual({ resetPassword: { flag: 1 } });
    expect(errorOf(await app.graphql(ME, {}, session))?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await login(userName)).error).toBe(REFUSED);
    expect((await login(userName, password)).error).toBeNull();
    expect(errorOf(await app.graphql(RESET, { token, password: 'another one' }))).toMatchObject(DEAD_LINK);
  });

  it('responds the same for an unknown address and sends nothing', async () => {
    const { email } = await newAccount();
    const stranger = newEmail();
    const [known, unknown] = [
      await app.graphql(FORGOT, { email }),
      await app.graphql(FORGOT, { email: stranger }),
    ];
    expect(unknown).toEqual(known);
    // Jobs run in order: once a later one is done, so is the stranger's.
    await app.graphql(FORGOT, { email });
    await mailsTo(email, 3);
    const { rows } = await app.pool.query('select 1 from state.outbox where recipient = $1', [stranger]);
    expect(rows).toEqual([]);
  });

  it('does not look up the address before responding, so that timing reveals nothing', async () => {
    const { email } = await newAccount();
    const find = jest.spyOn(app.api.get(Accounts, { strict: false }), 'find');
    await app.graphql(FORGOT, { email });
    expect(find).not.toHaveBeenCalled();
    await register(email);
    expect(find.mock.calls.map(([{ kind }]) => kind)).toEqual(['username']);
  });

  it('rejects a link sent before the password was changed', async () => {
    const { email } = await newAccount();
    await app.graphql(FORGOT, { email });
    const first = await latestToken(email, 2);
    await app.graphql(FORGOT, { email });
    const second = await latestToken(email, 3);
    expect((await app.graphql(RESET, { token: second, password: 'brand new one' })).errors).toBeUndefined();
    expect(errorOf(await app.graphql(RESET, { token: first, password: 'yet another' }))).toMatchObject(
      DEAD_LINK,
    );
  });

  it('returns the same result for a repeated reset without undoing a later password change', async () => {
    const { email, userName } = await newAccount();
    await app.graphql(FORGOT, { email });
    const token = await latestToken(email, 2);
    const key = { 'idempotency-key': randomUUID() };
    const reset = (password: string) => app.graphql(RESET, { token, password }, undefined, key);
    expect((await reset('taken by a stranger')).data).toEqual({ resetPassword: { flag: 1 } });
    await app.graphql(FORGOT, { email });
    const own = await latestToken(email, 3);
    await app.graphql(RESET, { token: own, password: 'set by the owner' });
    const { accessToken } = await login(userName, 'set by the owner');
    for (const password of ['taken by a stranger', 'taken once more'])
      expect((await reset(password)).data).toEqual({ resetPassword: { flag: 1 } });
    expect((await login(userName, 'set by the owner')).error).toBeNull();
    expect((await app.graphql(ME, {}, accessToken ?? '')).errors).toBeUndefined();
    expect((await login(userName, 'taken by a stranger')).error).toBe(REFUSED);
    expect(
      errorOf(
        await app.graphql(RESET, { token, password: PASSWORD }, undefined, { 'idempotency-key': 'other' }),
      ),
    ).toMatchObject(DEAD_LINK);
  });

  it('counts emails per mailbox, ignoring plus suffixes', async () => {
    const [name, host] = newEmail().split('@');
    const answers = [];
    for (let round = 0; round < 4; round++)
      answers.push(await app.graphql(FORGOT, { email: `${name}+${round}@${host}` }));
    expect(answers.map((answer) => errorOf(answer)?.extensions.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'TOO_MANY_REQUESTS',
    ]);
  });

  it('does not let a blocked student log in', async () => {
    const { email, userName, token: session } = await newAccount();
    const { data } = await app.graphql<{ getStudent: { _id: string } }>(ME, {}, session);
    await app.execute(new BlockStudent(app.operator(), data.getStudent._id, 'spam'));
    await app.graphql(FORGOT, { email });
    await app.graphql(RESET, { token: await latestToken(email, 2), password: 'brand new one' });
    expect(await login(userName, 'brand new one')).toEqual({
      accessToken: null,
      error: 'This account is blocked.',
      rule: 'STUDENT_BLOCKED',
      confirmation: null,
    });
  });

  it('rejects an invalid address', async () => {
    expect(errorOf(await app.graphql(FORGOT, { email: 'nobody' }))).toMatchObject({
      message: 'Please enter a valid email.',
      extensions: { code: 'VALIDATION_FAILED', field: 'email' },
    });
  });
});
