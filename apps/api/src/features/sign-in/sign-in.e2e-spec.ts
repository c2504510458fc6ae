import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newUserName, type GraphqlAnswer, type TestApp } from '../../../../../test/app.js';
import {
  HeadlessBrowser,
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../../../../test/servers/open-id-provider.js';
import { BlockStudent } from '../students/commands/block-student.js';
import { eventually } from '@nimo/testing';

const ORIGIN = 'http://nimo.example';
const PROVIDERS = '{ getSignInProviders { _id label isEnabled } }';
const START =
  'mutation($provider: ID!, $remember: Boolean) { startSignIn(provider: $provider, rememberMe: $remember) { url secret } }';
const FINISH = `mutation($code: String!, $secret: String!) {
  finishSignIn(code: $code, secret: $secret) { accessToken remember id grant }
}`;
const COMPLETE = `mutation($id: ID!, $grant: String!, $userName: String!, $password: String) {
  updateStudent(id: $id, grant: $grant, userName: $userName, password: $password, isRegistered: true) { _id userName email }
}`;
const ME = '{ getStudent { _id userName email isRegistered } }';
const LOGIN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken error } }';

interface Started {
  readonly startSignIn: { readonly url: string; readonly secret: string };
}
interface Finished {
  readonly finishSignIn: {
    readonly accessToken: string | null;
    readonly remember: boolean;
    readonly id: string;
    readonly grant: string | null;
  };
}

let app: TestApp;
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider([`${ORIGIN}/auth/oidc/first/callback`]);
  app = await bootApp({
    PUBLIC_URL: `${ORIGIN}/`,
    OIDC_FIRST_LABEL: 'School',
    OIDC_FIRST_ISSUER: provider.issuer,
    OIDC_FIRST_CLIENT_ID: provider.clientId,
    OIDC_FIRST_CLIENT_SECRET: provider.clientSecret,
  });
});
afterAll(async () => {
  await app.close();
  await provider.stop();
});

const errorOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0];

function newPerson(changes: object = {}): { readonly sub: string; readonly email: string } {
  const sub = randomUUID();
  const person = { sub, email: `${sub}@school.example`, email_verified: true };
  provider.addAccount({ ...person, ...changes });
  return person;
}

async function start(remember = false): Promise<Started['startSignIn']> {
  return (await app.graphql<Started>(START, { provider: 'first', remember })).data.startSignIn;
}

/** Follows the callback and returns the parameters in the redirect's fragment. */
async function followCallback(address: string): Promise<URLSearchParams> {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${app.url}${pathname}${search}`, { redirect: 'manual' });
  const location = response.headers.get('location') ?? '';
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(location).toMatch(/^\/login#/);
  return new URLSearchParams(location.split('#')[1]);
}

const logInAs = (sub: string, url: string) => new HeadlessBrowser(provider.issuer).logInAs(sub, url);

async function signInAs(sub: string, remember = false): Promise<GraphqlAnswer<Finished>> {
  const { url, secret } = await start(remember);
  const back = await followCallback(await logInAs(sub, url));
  return app.graphql<Finished>(FINISH, { code: back.get('code'), secret });
}

async function newAccount(): Promise<{ sub: string; email: string; id: string }> {
  const { sub, email } = newPerson();
  const { id, grant } = (await signInAs(sub)).data.finishSignIn;
  await app.graphql(COMPLETE, { id, grant, userName: newUserName() });
  return { sub, email, id };
}

describe('provider sign-in', () => {
  it('is offered if configured', async () => {
    expect((await app.graphql(PROVIDERS)).data).toEqual({
      getSignInProviders: [
        { _id: 'first', label: 'School', isEnabled: true },
        { _id: 'second', label: 'Facebook', isEnabled: false },
      ],
    });
    for (const unknown of ['second', 'third', '../first']) {
      expect(errorOf(await app.graphql(START, { provider: unknown }))).toMatchObject({
        extensions: { code: 'NOT_FOUND', rule: 'PROVIDER_UNKNOWN' },
      });
    }
  });

  it('sends state, nonce and a hashed verifier, but no secret', async () => {
    const { url, secret } = await start();
    const asked = new URL(url);
    expect(asked.origin).toBe(provider.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'nimo',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(url).not.toContain(secret);
    expect(url).not.toContain(provider.clientSecret);
  });

  it('registers a new user without a password after the profile is completed', async () => {
    const { sub, email } = newPerson();
    const first = (await signInAs(sub)).data.finishSignIn;
    expect(first).toMatchObject({ accessToken: null, grant: expect.any(String) });
    const userName = newUserName();
    const completed = await app.graphql(COMPLETE, { id: first.id, grant: first.grant, userName });
    expect(completed.data).toEqual({ updateStudent: { _id: first.id, userName, email } });
    const again = (await signInAs(sub)).data.finishSignIn;
    expect((await app.graphql(ME, {}, again.accessToken ?? '')).data).toEqual({
      getStudent: { _id: first.id, userName, email, isRegistered: true },
    });
    const login = await app.graphql(LOGIN, { userName, password: '' });
    expect(login.data).toMatchObject({ login: { accessToken: null } });
  });

  it('resumes an unfinished profile', async () => {
    const { sub } = newPerson();
    const first = (await signInAs(sub)).data.finishSignIn;
    const second = (await signInAs(sub)).data.finishSignIn;
    expect(second.id).toBe(first.id);
    expect(second.grant).not.toBe(first.grant);
  });

  it('links an account by its confirmed email, ignoring case', async () => {
    const [email, userName] = [`${randomUUID()}@school.example`, newUserName()];
    await app.graphql(
      `mutation($email: String!, $userName: String!) {
        registerByEmail(email: $email, userName: $userName, password: "correct horse") { flag }
      }`,
      { email, userName },
    );
    const find = () =>
      app.pool.query<{ text: string }>('select text from state.outbox where recipient = $1', [email]);
    const { rows } = await eventually(find, (found) => found.rows.length > 0);
    const token = /#([\w-]{43})/.exec(rows[0]?.text ?? '')?.[1];
    const confirmed = await app.graphql(
      'mutation($token: String!) { confirmEmail(token: $token, password: "correct horse") { userName } }',
      { token },
    );
    expect(confirmed.errors).toBeUndefined();
    const { sub } = newPerson({ email: email.toUpperCase() });
    const { accessToken } = (await signInAs(sub)).data.finishSignIn;
    expect((await app.graphql(ME, {}, accessToken ?? '')).data).toMatchObject({
      getStudent: { userName, email },
    });
  });

  it.each([
    ['no email', { email: undefined }],
    ['an unverified email', { email_verified: false }],
    ['an email without verification status', { email_verified: undefined }],
  ])('creates and links no account if the provider sends %s', async (_, changes) => {
    const { email } = await newAccount();
    const { sub } = newPerson({ email, ...changes });
    const { url } = await start();
    const back = await followCallback(await logInAs(sub, url));
    expect(Object.fromEntries(back)).toEqual({ refused: 'PROVIDER_EMAIL_REQUIRED' });
  });

  it('recognizes a user by issuer and subject even after the email changed', async () => {
    const { sub, id } = await newAccount();
    provider.addAccount({ sub, email: 'another@school.example', email_verified: false });
    expect((await signInAs(sub)).data.finishSignIn).toMatchObject({ id, accessToken: expect.any(String) });
  });

  it('keeps a remembered session longer', async () => {
    const { sub, id } = await newAccount();
    expect((await signInAs(sub, true)).data.finishSignIn.remember).toBe(true);
    const { rows } = await app.pool.query<{ days: number }>(
      'select max(extract(day from expires_at - created_at))::int as days from state.session where student_id = $1',
      [id],
    );
    expect(rows[0]?.days).toBe(60);
  });

  it('rejects a blocked user', async () => {
    const { sub, id } = await newAccount();
    await app.execute(new BlockStudent(app.operator(), id, 'spam'));
    expect(errorOf(await signInAs(sub))?.message).toBe('This account is blocked.');
  });
});

describe('the provider callback', () => {
  it('requires the secret of the tab that started', async () => {
    const { sub } = await newAccount();
    const [mine, other] = [await start(), await start()];
    const code = (await followCallback(await logInAs(sub, mine.url))).get('code');
    for (const secret of [other.secret, '', 'A'.repeat(43)]) {
      expect(errorOf(await app.graphql(FINISH, { code, secret }))?.extensions.rule).toBe('SIGN_IN_EXPIRED');
    }
    const { data } = await app.graphql<Finished>(FINISH, { code, secret: mine.secret });
    expect(data.finishSignIn.accessToken).toEqual(expect.any(String));
  });

  it('accepts code and state only once', async () => {
    const { sub } = await newAccount();
    const { url, secret } = await start();
    const address = await logInAs(sub, url);
    const code = (await followCallback(address)).get('code');
    expect((await app.graphql(FINISH, { code, secret })).errors).toBeUndefined();
    expect(errorOf(await app.graphql(FINISH, { code, secret }))?.extensions.code).toBe('FORBIDDEN');
    expect(Object.fromEntries(await followCallback(address))).toEqual({ refused: 'SIGN_IN_EXPIRED' });
  });

  it('rejects an expired code', async () => {
    const { sub } = await newAccount();
    const { url, secret } = await start();
    const code = (await followCallback(await logInAs(sub, url))).get('code');
    await app.pool.query(`update state.sign_in_attempt set expires_at = now() - interval '1 second'`);
    expect(errorOf(await app.graphql(FINISH, { code, secret }))?.extensions.rule).toBe('SIGN_IN_EXPIRED');
  });

  it('rejects a code from another attempt', async () => {
    const { sub } = await newAccount();
    const [mine, other] = [await start(), await start()];
    const address = new URL(await logInAs(sub, mine.url));
    address.searchParams.set('state', new URL(other.url).searchParams.get('state') ?? '');
    expect(Object.fromEntries(await followCallback(address.href))).toEqual({ refused: 'FAILED' });
  });

  it.each([
    ['', 'SIGN_IN_EXPIRED'],
    ['?state=x&code=y', 'SIGN_IN_EXPIRED'],
    ['?error=access_denied&state=x', 'CANCELLED'],
  ])('redirects %j with %s instead of an error page', async (query, refused) => {
    const back = await followCallback(`${ORIGIN}/auth/oidc/first/callback${query}`);
    expect(Object.fromEntries(back)).toEqual({ refused });
  });

  it('stores no secret, code or nonce in plain text', async () => {
    const { sub } = newPerson();
    const { url, secret } = await start();
    const back = await followCallback(await logInAs(sub, url));
    const { rows } = await app.pool.query<{ all: string }>(
      `select string_agg(a::text, ' ') as all from state.sign_in_attempt a`,
    );
    for (const value of [secret, back.get('code'), new URL(url).searchParams.get('nonce')]) {
      expect(rows[0]?.all).not.toContain(value);
    }
  });
});
