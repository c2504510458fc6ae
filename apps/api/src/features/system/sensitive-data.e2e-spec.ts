import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newPhone, newUserName, type TestApp } from '../../../../../test/app.js';
import { sweepState } from '../../platform/runtime/retention.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({}, { writesLogs: true });
});
afterAll(() => app.close());

const RETENTION = { securityLogDays: 30 };

/** Assignments that make the rows of a table expired. */
const EXPIRED: Readonly<Record<string, string>> = {
  throttle: "window_ends = now() - interval '1 second'",
  login_attempt: "last_at = now() - interval '91 days', retry_at = now() - interval '90 days'",
  otp: "expires_at = now() - interval '1 second'",
  phone_grant: "expires_at = now() - interval '1 second'",
  mailed_link: "expires_at = now() - interval '1 second'",
  pending_registration: "expires_at = now() - interval '1 second'",
  outbox: "sent_at = now() - interval '25 hours'",
  security_log: "at = now() - interval '31 days'",
};

const countOf = async (table: string): Promise<number> => {
  const { rows } = await app.pool.query<{ count: number }>(`select count(*)::int from state.${table}`);
  return rows[0]?.count ?? 0;
};

describe('codes, links, phone numbers and email addresses', () => {
  const [phone, other] = [newPhone(), newPhone()];
  const email = `${newUserName()}@example.org`;
  let code: string;

  beforeAll(async () => {
    for (const each of [phone, other]) {
      await app.graphql('mutation($phone: Phone!) { createStudent(phone: $phone) { _id } }', { phone: each });
      await app.graphql('mutation($phone: Phone!) { sendOTP(phone: $phone) { flag } }', { phone: each });
    }
    await app.latestCode(other);
    code = await app.latestCode(phone);
    await app.graphql(
      'mutation($phone: Phone!, $code: String!) { verifyOTP(phone: $phone, verificationCode: $code) { flag } }',
      { phone, code },
    );
    await app.graphql('{ login(userName: "nobody_of_that_name", password: "wrong guess") { error } }');
    await app.graphql(
      `mutation($email: String!, $userName: String!) {
        registerByEmail(email: $email, userName: $userName, password: "correct horse battery") { flag } }`,
      { email, userName: newUserName() },
    );
    await eventually(
      () => countOf('mailed_link'),
      (links) => links > 0,
    );
    await eventually(
      () => countOf('outbox'),
      (messages) => messages === 3,
    );
  });

  it('never appear in the logs', async () => {
    const { rows } = await app.pool.query<{ text: string }>(
      `select text from state.outbox where kind = 'MAIL' and recipient = $1`,
      [email],
    );
    const link = /#([\w-]{43})/.exec(rows[0]?.text ?? '')?.[1] ?? 'no link';
    const read = (name: string) => readFile(join(app.dataDir, 'logs', `${name}.log`), 'utf8');
    const lines = await eventually(
      async () => (await read('api')) + (await read('worker')),
      (text) => text.includes('new mail in /dev/outbox'),
    );
    expect(lines).toContain('new SMS in /dev/outbox');
    for (const secret of [phone, other, email, link, `${code} is your`]) expect(lines).not.toContain(secret);
  });

  it('are hashed in rate limit keys', async () => {
    const { rows } = await app.pool.query<{ key: string }>('select key from state.throttle');
    const keys = rows.map(({ key }) => key);
    expect(keys.filter((key) => /^otp-phone:[\w-]{43}$/.test(key)).length).toBeGreaterThanOrEqual(2);
    for (const key of keys) expect(key).toMatch(/^[a-z-]+:[\w-]{43}$/);
  });

  it('are deleted once expired, and not before', async () => {
    const before = Object.fromEntries(
      await Promise.all(Object.keys(EXPIRED).map(async (table) => [table, await countOf(table)] as const)),
    );
    for (const count of Object.values(before)) expect(count).toBeGreaterThan(0);
    // Some windows last only a minute, which may already have passed.
    await app.pool.query(`update state.throttle set window_ends = now() + interval '1 hour'`);
    expect(await sweepState(app.pool, RETENTION)).toBe(0);
    for (const [table, past] of Object.entries(EXPIRED))
      await app.pool.query(`update state.${table} set ${past}`);
    await sweepState(app.pool, RETENTION);
    for (const table of Object.keys(EXPIRED)) expect([table, await countOf(table)]).toEqual([table, 0]);
  });

  it('are kept while they protect an account from lockout by strangers', async () => {
    const { userName, password } = await app.signUp();
    const { errors } = await app.graphql(
      'mutation($userName: String!, $password: String!) { login(userName: $userName, password: $password) { error } }',
      { userName, password },
    );
    expect(errors).toBeUndefined();
    await app.graphql('{ login(userName: "somebody_else_of_no_name", password: "wrong guess") { error } }');
    const leftAfter = async (days: number): Promise<{ tries: number; known: number } | undefined> => {
      await app.pool.query(
        `update state.login_attempt set last_at = now() - $1 * interval '1 day', retry_at = now() - interval '1 day'`,
        [days],
      );
      await sweepState(app.pool, RETENTION);
      const { rows } = await app.pool.query<{ tries: number; known: number }>(
        `select count(*) filter (where attempts > 0)::int as tries, count(*) filter (where attempts = 0)::int as known
         from state.login_attempt`,
      );
      return rows[0];
    };
    expect((await leftAfter(0.9))?.tries).toBeGreaterThan(0);
    const left = await leftAfter(89);
    expect(left?.tries).toBe(0);
    expect(left?.known).toBeGreaterThan(0);
    expect(await leftAfter(91)).toEqual({ tries: 0, known: 0 });
  });
});
