import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedApp, type BootedApp, type SignedUpStudent } from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';

const LIST = '{ getSessions { _id browser system address createdAt lastUsedAt expiresAt isCurrent } }';
const END = 'mutation($id: ID!) { endSession(id: $id) { flag } }';
const END_OTHERS = 'mutation { endOtherSessions { flag } }';
const ME = '{ getStudent { _id } }';
const LOGIN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken } }';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

interface Entry {
  readonly _id: string;
  readonly browser: string | null;
  readonly system: string | null;
  readonly address: string;
  readonly lastUsedAt: string;
  readonly isCurrent: boolean;
}

let app: BootedApp;
/** A second API on the same database. */
let other: Awaited<ReturnType<BootedApp['anotherApi']>>;
beforeAll(async () => {
  app = await sharedApp();
  other = await app.anotherApi();
});
afterAll(() => other.close());

const listed = async (token: string) =>
  (await app.graphql<{ getSessions: Entry[] }>(LIST, {}, token)).data.getSessions;
const isOpen = async (token: string, { url } = app as { readonly url: string }): Promise<boolean> => {
  const session = { authorization: `Bearer ${token}` };
  const { body } = await request(url).post('/graphql').set(session).send({ query: ME });
  return body.errors === undefined;
};

async function loginAgain({ userName, password }: SignedUpStudent): Promise<string> {
  const { data } = await app.graphql<{ login: { accessToken: string } }>(
    LOGIN,
    { userName, password },
    undefined,
    {
      'user-agent': FIREFOX,
    },
  );
  return data.login.accessToken;
}

describe('the list of your own sessions', () => {
  it('is limited to the 100 most recently used', async () => {
    const ada = await app.signUp();
    await app.pool.query(
      `insert into state.session (token_hash, student_id, expires_at, last_used_at, address, user_agent)
       select $1 || n, $1, now() + interval '1 day', now() - make_interval(mins => n), n::text, ''
       from generate_series(1, 120) n`,
      [ada.studentId],
    );
    const sessions = await listed(ada.token);
    expect(sessions).toHaveLength(100);
    expect([sessions[0]?.isCurrent, sessions[1]?.address, sessions.at(-1)?.address]).toEqual([
      true,
      '1',
      '99',
    ]);
  });

  it('shows your devices only and marks the current session', async () => {
    const [ada] = await Promise.all([app.signUp(), app.signUp()]);
    const token = await loginAgain(ada);
    const sessions = await listed(token);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toMatchObject([
      { browser: 'Firefox', system: 'Linux' },
    ]);
  });

  it('exposes neither token nor hash', async () => {
    const ada = await app.signUp();
    const { rows } = await app.pool.query<{ token_hash: string }>(
      'select token_hash from state.session where student_id = $1',
      [ada.studentId],
    );
    const text = JSON.stringify(await listed(ada.token));
    expect(text).not.toContain(ada.token);
    expect(text).not.toContain(rows[0]?.token_hash);
  });

  it('records the last use to the minute', async () => {
    const ada = await app.signUp();
    await app.pool.query(
      `update state.session set last_used_at = now() - interval '1 hour' where student_id = $1`,
      [ada.studentId],
    );
    const before = Date.now();
    const [session] = await listed(ada.token);
    expect(Date.parse(session?.lastUsedAt ?? '')).toBeGreaterThan(before - 60_000);
  });
});

describe('ending another session', () => {
  it('takes effect immediately in this process and shortly after in others', async () => {
    const ada = await app.signUp();
    const elsewhere = await loginAgain(ada);
    expect(await isOpen(elsewhere)).toBe(true);
    expect(await isOpen(elsewhere, other)).toBe(true);
    const target = (await listed(ada.token)).find(({ isCurrent }) => !isCurrent);
    expect((await app.graphql(END, { id: target?._id }, ada.token)).data).toEqual({
      endSession: { flag: 1 },
    });
    expect(await isOpen(elsewhere)).toBe(false);
    await eventually(async () => !(await isOpen(elsewhere, other)));
    expect(await isOpen(ada.token, other)).toBe(true);
    expect((await app.graphql(END, { id: target?._id }, ada.token)).data).toEqual({
      endSession: { flag: 0 },
    });
  });

  it('never ends another student’s session', async () => {
    const [ada, eve] = await Promise.all([app.signUp(), app.signUp()]);
    const [session] = await listed(ada.token);
    for (const id of [session?._id, randomUUID()]) {
      expect((await app.graphql(END, { id }, eve.token)).data).toEqual({ endSession: { flag: 0 } });
    }
    expect(await isOpen(ada.token)).toBe(true);
  });

  it('ends all sessions except the current one', async () => {
    const [ada, eve] = await Promise.all([app.signUp(), app.signUp()]);
    const others = [await loginAgain(ada), await loginAgain(ada)];
    expect((await app.graphql(END_OTHERS, {}, ada.token)).data).toEqual({ endOtherSessions: { flag: 1 } });
    for (const token of others) expect(await isOpen(token)).toBe(false);
    expect(await isOpen(ada.token)).toBe(true);
    expect(await isOpen(eve.token)).toBe(true);
  });

  it('requires a session and a valid id', async () => {
    for (const [query, variables] of [
      [LIST, {}],
      [END, { id: randomUUID() }],
      [END_OTHERS, {}],
    ] as const) {
      expect((await app.graphql(query, variables)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
    const { token } = await app.signUp();
    const { errors } = await app.graphql(END, { id: "' or 1=1 --" }, token);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });
});
