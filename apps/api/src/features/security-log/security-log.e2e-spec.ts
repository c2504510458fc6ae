import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newUserName, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newParticipants } from '../../../../../test/participant.js';
import { totpCode, setUpTotp } from '../../../../../test/second-factor.js';
import { Identities } from '../../platform/auth/identities.js';
import { sweepState } from '../../platform/runtime/retention.js';
import { forgetSecurityLog, UNKNOWN_ACCOUNT, SecurityLog } from '../../platform/security-log/security-log.js';
import { PasskeyStore } from '../second-factor/passkeys.js';
import { eventually } from '@nimo/testing';

const LOG = `query($options: PaginateOptions) {
  getSecurityLog(paginateOptions: $options) { docs { _id kind at browser system network } page hasNext } }`;
const OF_STAFF = `query($studentId: ID!) {
  getStaffSecurityLog(studentId: $studentId) { docs { _id kind at browser system network } page hasNext } }`;
const LOGIN = `mutation($userName: String!, $password: String!) {
  login(userName: $userName, password: $password) { accessToken error rule secondFactor { ticket } } }`;
const FINISH = `mutation($ticket: String!, $code: String!) {
  finishSecondFactor(ticket: $ticket, code: $code) { accessToken } }`;
const CHANGE = `mutation($password: String!, $oldPassword: String, $phone: Phone, $grant: String) {
  changePassword(password: $password, oldPassword: $oldPassword, phone: $phone, grant: $grant) { flag } }`;
const SEND = 'mutation($phone: Phone!) { sendOTP(phone: $phone, purpose: FORGOT_PASSWORD) { flag } }';
const VERIFY = `mutation($phone: Phone!, $code: String!) {
  verifyOTP(phone: $phone, verificationCode: $code, purpose: FORGOT_PASSWORD) { flag grant } }`;
const FIREFOX = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};
const ON_FIREFOX = { browser: 'Firefox', system: 'Linux', network: '127.0.0.0/24' };
const NO_ORIGIN = { browser: null, system: null, network: null };
/** Entries right after sign-up, newest first. */
const AFTER_SIGN_UP = ['LOGGED_IN', 'PASSWORD_SET'];
const NEW_PASSWORD = 'battery staple lamp';

interface Entry {
  readonly _id: string;
  readonly kind: string;
  readonly at: string;
  readonly browser: string | null;
  readonly system: string | null;
  readonly network: string | null;
}
interface Page {
  readonly docs: readonly Entry[];
  readonly page: number;
  readonly hasNext: boolean;
}
interface LoggedIn {
  readonly accessToken: string | null;
  readonly secondFactor: { readonly ticket: string } | null;
}

/** Freezes the clock while a test generates codes for later periods. */
let frozenAt: Date | undefined;
let app: TestApp;
beforeAll(async () => {
  app = await bootApp({}, { clock: () => frozenAt ?? new Date() });
});
afterAll(() => app.close());

async function logOf(token: string, options = {}): Promise<Page> {
  const { data, errors } = await app.graphql<{ getSecurityLog: Page }>(LOG, { options }, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.getSecurityLog;
}
const kindsOf = async (token: string): Promise<readonly string[]> =>
  (await logOf(token)).docs.map(({ kind }) => kind);
/** Waits for entries that reactors add: each kind at least as often as listed. */
const logWith = (token: string, ...kinds: readonly string[]): Promise<Page> =>
  eventually(
    () => logOf(token),
    ({ docs }) =>
      kinds.every((kind) => countOf(docs, kind) >= kinds.filter((other) => other === kind).length),
  );
const countOf = (docs: readonly Entry[], kind: string): number =>
  docs.filter((entry) => entry.kind === kind).length;
const originOf = ({ browser, system, network }: Entry) => ({ browser, system, network });

async function login(
  { userName, password }: Pick<SignedUpStudent, 'userName' | 'password'>,
  headers: Record<string, string> = FIREFOX,
): Promise<LoggedIn> {
  const { data } = await app.graphql<{ login: LoggedIn }>(LOGIN, { userName, password }, undefined, headers);
  return data.login;
}
const tokenOf = async (student: Pick<SignedUpStudent, 'userName' | 'password'>): Promise<string> =>
  (await login(student)).accessToken ?? '';
const rowsOf = async (studentId: string): Promise<number> =>
  (await app.pool.query('select from state.security_log where student_id = $1', [studentId])).rowCount ?? 0;

describe('your own security log', () => {
  it('lists successful and failed logins and logouts, with their client origin but without the address', async () => {
    const ada = await app.signUp();
    await login({ ...ada, password: 'not the password' });
    const token = await tokenOf(ada);
    await app.graphql('mutation { logout { flag } }', {}, token, FIREFOX);
    const { docs, hasNext } = await logOf(ada.token);
    expect(docs.map(({ kind }) => kind)).toEqual([
      'LOGGED_OUT',
      'LOGGED_IN',
      'LOG_IN_FAILED',
      ...AFTER_SIGN_UP,
    ]);
    expect(docs.slice(0, 3).map(originOf)).toEqual([ON_FIREFOX, ON_FIREFOX, ON_FIREFOX]);
    expect(hasNext).toBe(false);
    const { rows } = await app.pool.query<{ text: string }>(
      'select l::text as text from state.security_log l where student_id = $1',
      [ada.studentId],
    );
    for (const { text } of rows) {
      expect(text).not.toContain('127.0.0.1');
      expect(text).not.toContain('Mozilla');
    }
  });

  it('lists sessions ended from another session, one or all', async () => {
    const ada = await app.signUp();
    await tokenOf(ada);
    const { data } = await app.graphql<{ getSessions: { _id: string; isCurrent: boolean }[] }>(
      '{ getSessions { _id isCurrent } }',
      {},
      ada.token,
    );
    const id = data.getSessions.find(({ isCurrent }) => !isCurrent)?._id;
    const end = 'mutation($id: ID!) { endSession(id: $id) { flag } }';
    await app.graphql(end, { id }, ada.token);
    // Already ended.
    await app.graphql(end, { id }, ada.token);
    await tokenOf(ada);
    await tokenOf(ada);
    await app.graphql('mutation { endOtherSessions { flag } }', {}, ada.token);
    expect(await kindsOf(ada.token)).toEqual([
      'OTHER_SESSIONS_ENDED',
      'LOGGED_IN',
      'LOGGED_IN',
      'SESSION_ENDED',
      'LOGGED_IN',
      ...AFTER_SIGN_UP,
    ]);
  });

  it('lists password changes and failed attempts', async () => {
    const ada = await app.signUp();
    const change = (oldPassword: string) =>
      app.graphql(CHANGE, { oldPassword, password: NEW_PASSWORD }, ada.token, FIREFOX);
    await change('not the old one');
    expect((await change(ada.password)).errors).toBeUndefined();
    const { docs } = await logOf(ada.token);
    expect(docs.map(({ kind }) => kind)).toEqual([
      'PASSWORD_CHANGED',
      'PASSWORD_CHECK_FAILED',
      ...AFTER_SIGN_UP,
    ]);
    expect(docs.slice(0, 2).map(originOf)).toEqual([ON_FIREFOX, ON_FIREFOX]);
  });

  it('lists sent and failed codes and a password reset by phone', async () => {
    const ada = await app.signUp();
    const { phone } = ada;
    await app.graphql(SEND, { phone });
    const code = await app.latestCode(phone);
    await app.graphql(VERIFY, { phone, code: code === '0000' ? '1111' : '0000' });
    const { data } = await app.graphql<{ verifyOTP: { grant: string } }>(VERIFY, { phone, code });
    const reset = { phone, grant: data.verifyOTP.grant, password: NEW_PASSWORD };
    expect((await app.graphql(CHANGE, reset, undefined, FIREFOX)).data).toEqual({
      changePassword: { flag: 1 },
    });
    const { docs } = await logOf(await tokenOf({ ...ada, password: NEW_PASSWORD }));
    expect(docs.map(({ kind }) => kind)).toEqual([
      'LOGGED_IN',
      'ALL_SESSIONS_ENDED',
      'PASSWORD_RESET',
      'CODE_FAILED',
      'CODE_SENT',
      ...AFTER_SIGN_UP,
    ]);
    expect(docs.slice(1, 3).map(originOf)).toEqual([ON_FIREFOX, ON_FIREFOX]);
  });

  it('lists email confirmation and a password reset by email with the origin of the request', async () => {
    const [email, userName] = [`${randomUUID().slice(0, 13)}@example.org`, newUserName()];
    const linkTo = async (subject: RegExp): Promise<string> => {
      const { rows } = await eventually(
        () =>
          app.pool.query<{ subject: string; text: string }>(
            `select subject, text from state.outbox where kind = 'MAIL' and recipient = $1 order by id desc limit 1`,
            [email],
          ),
        (found) => subject.test(found.rows[0]?.subject ?? ''),
      );
      return /#([\w-]{43})/.exec(rows[0]?.text ?? '')?.[1] ?? '';
    };
    await app.graphql(
      'mutation($email: String!, $userName: String!, $password: String!) { registerByEmail(email: $email, userName: $userName, password: $password) { flag } }',
      { email, userName, password: 'correct horse' },
    );
    await app.graphql(
      'mutation($token: String!, $password: String!) { confirmEmail(token: $token, password: $password) { userName } }',
      { token: await linkTo(/^Confirm/), password: 'correct horse' },
    );
    await app.graphql(
      'mutation($email: String!) { forgotPassword(email: $email) { flag } }',
      { email },
      undefined,
      FIREFOX,
    );
    const { errors } = await app.graphql(
      'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { flag } }',
      { token: await linkTo(/new password/), password: NEW_PASSWORD },
    );
    expect(errors).toBeUndefined();
    const token = await tokenOf({ userName, password: NEW_PASSWORD });
    const { docs } = await logWith(token, 'EMAIL_CONFIRMED');
    expect(docs.map(({ kind }) => kind).filter((kind) => kind !== 'EMAIL_CONFIRMED')).toEqual([
      'LOGGED_IN',
      'PASSWORD_RESET',
      'RESET_ASKED',
      'PASSWORD_SET',
    ]);
    expect(docs.filter(({ kind }) => kind === 'RESET_ASKED').map(originOf)).toEqual([ON_FIREFOX]);
  });

  it('lists a second factor from setup to removal', async () => {
    const ada = await app.signUp();
    const now = (frozenAt = new Date());
    const { secret, recoveryCodes } = await setUpTotp(app, ada, () => now);
    const ticket = (await login(ada)).secondFactor?.ticket ?? '';
    await app.graphql(FINISH, { ticket, code: totpCode(secret, now, 20) });
    await app.graphql(FINISH, { ticket, code: totpCode(secret, now, 1) }, undefined, FIREFOX);
    const other = (await login(ada)).secondFactor?.ticket ?? '';
    await app.graphql(FINISH, { ticket: other, code: recoveryCodes[0] ?? '' });
    await app.graphql('mutation { renewRecoveryCodes }', {}, ada.token);
    await app.graphql('mutation { removeTotp { flag } }', {}, ada.token);
    frozenAt = undefined;
    const { docs } = await logOf(ada.token);
    expect(docs.map(({ kind }) => kind)).toEqual([
      'FACTOR_REMOVED',
      'RECOVERY_CODES_MADE',
      'LOGGED_IN',
      'RECOVERY_CODE_USED',
      'FACTOR_ASKED',
      'LOGGED_IN',
      'FACTOR_USED',
      'FACTOR_FAILED',
      'FACTOR_ASKED',
      'RECOVERY_CODES_MADE',
      'FACTOR_ADDED',
      ...AFTER_SIGN_UP,
    ]);
    expect(docs.filter(({ kind }) => kind === 'FACTOR_USED').map(originOf)).toEqual([ON_FIREFOX]);
  });

  it('lists passkeys and linked providers once each', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    const passkeys = app.api.get(PasskeyStore, { strict: false });
    const credentialId = randomUUID();
    const passkey = {
      credentialId,
      name: 'Key ring',
      publicKey: new Uint8Array(8),
      counter: 0,
      transports: [],
    };
    expect(await passkeys.add(ada.studentId, passkey)).toBe(true);
    expect(await passkeys.add(ada.studentId, passkey)).toBe(false);
    expect(await passkeys.recordUse(credentialId, 1)).toBe(true);
    expect(await passkeys.recordUse(credentialId, 1)).toBe(false);
    const [stored] = await passkeys.listOf(ada.studentId);
    expect(await passkeys.remove(ada.studentId, stored?.id ?? '')).toBe(true);
    const identities = app.api.get(Identities, { strict: false });
    const identity = { issuer: 'https://school.example', subject: randomUUID() };
    for (const { studentId } of [ada, ada, bob])
      expect(await identities.link(identity, studentId)).toBe(ada.studentId);
    expect(await kindsOf(ada.token)).toEqual([
      'PROVIDER_LINKED',
      'FACTOR_REMOVED',
      'FACTOR_USED',
      'FACTOR_ADDED',
      ...AFTER_SIGN_UP,
    ]);
    expect(await kindsOf(bob.token)).toEqual(AFTER_SIGN_UP);
  });

  it('lists staff actions without their origin', async () => {
    const { community, people } = await newParticipants(app, 3);
    const [ada, moderator, maintainer] = people;
    await app.grantRole(moderator.student.studentId, 'MODERATOR', community.spaceId);
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    const { studentId } = ada.student;
    const of = `studentId: "${studentId}"`;
    await setUpTotp(app, ada.student);
    await moderator.perform(`blockStudent(${of}, space: "${community.spaceId}", reason: "Spam") { _id }`);
    await moderator.perform(`unblockStudent(${of}, space: "${community.spaceId}") { _id }`);
    await maintainer.perform(`resetSecondFactor(${of}, reason: "Lost phone") { act }`);
    await tokenOf(ada.student);
    await maintainer.perform(`blockAccount(${of}, reason: "Spam") { act }`);
    await login(ada.student);
    await maintainer.perform(`unblockAccount(${of}, reason: "A mistake") { act }`);
    await maintainer.perform(
      `grantRole(${of}, role: MODERATOR, space: "${community.spaceId}") { student { _id } }`,
    );
    await maintainer.perform(
      `revokeRole(${of}, role: MODERATOR, space: "${community.spaceId}") { student { _id } }`,
    );
    const kinds = [
      ...['SUSPENDED', 'SUSPENSION_LIFTED', 'FACTOR_RESET', 'BLOCKED', 'UNBLOCKED'],
      ...['ROLE_GRANTED', 'ROLE_REVOKED', 'ALL_SESSIONS_ENDED', 'ALL_SESSIONS_ENDED'],
    ];
    const { docs } = await logWith(await tokenOf(ada.student), ...kinds);
    const byStaff = docs.filter(({ kind }) => kinds.includes(kind));
    expect(byStaff.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted());
    for (const entry of byStaff) expect([entry.kind, originOf(entry)]).toEqual([entry.kind, NO_ORIGIN]);
    expect(docs.filter(({ kind }) => kind === 'LOG_IN_FAILED')).toHaveLength(1);
  });

  it('returns pages of limited size', async () => {
    const ada = await app.signUp();
    for (let count = 0; count < 3; count++) await tokenOf(ada);
    const first = await logOf(ada.token, { limit: 3 });
    const second = await logOf(ada.token, { limit: 3, page: 2 });
    expect([first.docs.length, first.page, first.hasNext]).toEqual([3, 1, true]);
    expect([second.docs.length, second.page, second.hasNext]).toEqual([2, 2, false]);
    expect(new Set([...first.docs, ...second.docs].map(({ _id }) => _id)).size).toBe(5);
    const { errors } = await app.graphql(LOG, { options: { limit: 101 } }, ada.token);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', rule: 'PAGE_OUT_OF_RANGE' });
  });
});

describe('the security log of another user', () => {
  const read = (studentId: string, token: string) =>
    app.graphql<{ getStaffSecurityLog: Page }>(OF_STAFF, { studentId }, token);
  const codeOfRead = async (studentId: string, token: string): Promise<string | undefined> =>
    (await read(studentId, token)).errors?.[0]?.extensions.code;
  const traces = async (reader: string): Promise<readonly unknown[]> => {
    const { rows } = await app.pool.query<{ people: unknown }>(
      `select data -> 'studentIds' as people from log.events
       where type = 'ConfidentialDataRead' and data ->> 'what' = 'SECURITY_LOG' and metadata -> 'actor' ->> 'id' = $1`,
      [reader],
    );
    return rows.map(({ people }) => people);
  };

  it('is readable by maintainers for accounts with a role only, and reads are audited', async () => {
    const [ada, moderator, maintainer] = await Promise.all([app.signUp(), app.signUp(), app.signUp()]);
    // Session entries have microseconds, event entries milliseconds: within one millisecond they would sort in the wrong order.
    await app.pool.query('select pg_sleep(0.002)');
    await app.grantRole(moderator.studentId, 'MODERATOR');
    await app.grantRole(maintainer.studentId, 'MAINTAINER');
    for (const { token } of [ada, moderator])
      for (const { studentId } of [ada, moderator, maintainer])
        expect(await codeOfRead(studentId, token)).toBe('FORBIDDEN');
    expect(await codeOfRead(ada.studentId, maintainer.token)).toBe('FORBIDDEN');
    expect(await codeOfRead(randomUUID(), maintainer.token)).toBe('NOT_FOUND');
    expect(await traces(maintainer.studentId)).toEqual([]);
    const own = await logWith(moderator.token, 'ROLE_GRANTED');
    expect(own.docs.map(({ kind }) => kind)).toEqual(['ROLE_GRANTED', ...AFTER_SIGN_UP]);
    expect((await read(moderator.studentId, maintainer.token)).data.getStaffSecurityLog).toEqual(own);
    expect((await read(maintainer.studentId, maintainer.token)).errors).toBeUndefined();
    expect(await traces(maintainer.studentId)).toEqual([[moderator.studentId]]);
  });
});

describe('an entry', () => {
  it('is also written for an unknown name, so that timing reveals nothing, and is soon deleted', async () => {
    const before = await rowsOf(UNKNOWN_ACCOUNT);
    await login({ userName: newUserName(), password: 'not the password' });
    expect(await rowsOf(UNKNOWN_ACCOUNT)).toBe(before + 1);
    await app.pool.query(
      `update state.security_log set at = at - interval '11 minutes' where student_id = $1`,
      [UNKNOWN_ACCOUNT],
    );
    await sweepState(app.pool, { securityLogDays: 180 });
    expect(await rowsOf(UNKNOWN_ACCOUNT)).toBe(0);
  });

  it('is kept for the configured number of days', async () => {
    const ada = await app.signUp();
    const age = (days: number) =>
      app.pool.query(
        `update state.security_log set at = now() - $2 * interval '1 day' where student_id = $1 and kind = 'PASSWORD_SET'`,
        [ada.studentId, days],
      );
    await age(29);
    await sweepState(app.pool, { securityLogDays: 30 });
    expect(await kindsOf(ada.token)).toEqual(AFTER_SIGN_UP);
    await age(31);
    await sweepState(app.pool, { securityLogDays: 30 });
    expect(await kindsOf(ada.token)).toEqual(['LOGGED_IN']);
  });

  it('is added once per event, however often the event is handled', async () => {
    const ada = await app.signUp();
    const log = app.api.get(SecurityLog, { strict: false });
    const entry = { kind: 'BLOCKED', eventId: randomUUID(), at: '2020-02-02T20:20:20.000Z' } as const;
    await log.recordEvent(ada.studentId, entry);
    await log.recordEvent(ada.studentId, entry);
    const { docs } = await logOf(ada.token);
    expect(docs.map(({ kind }) => kind)).toEqual([...AFTER_SIGN_UP, 'BLOCKED']);
    // The time of the event, not of its processing.
    expect(docs.at(-1)?.at).toBe(entry.at);
  });

  it('is deleted with its owner only', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    await forgetSecurityLog(app.pool, ada.studentId);
    expect(await kindsOf(ada.token)).toEqual([]);
    expect(await kindsOf(bob.token)).toEqual(AFTER_SIGN_UP);
  });

  it('cannot be updated by any role and can be deleted only by the worker', async () => {
    const rolesMay = async (verb: string) => {
      const { rows } = await app.pool.query<{ may: boolean }>(
        `select has_table_privilege(role::name, 'state.security_log', $1) as may
         from unnest(array['nimo_api', 'nimo_worker']) with ordinality as asked (role, nth) order by nth`,
        [verb],
      );
      return rows.map(({ may }) => may);
    };
    expect(await rolesMay('update')).toEqual([false, false]);
    expect(await rolesMay('delete')).toEqual([false, true]);
  });
});
