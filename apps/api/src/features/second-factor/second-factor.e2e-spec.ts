import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';
import { totpCode, setUpTotp } from '../../../../../test/second-factor.js';
import { Passkeys } from './passkeys.js';
import { SecondFactors } from './second-factors.js';

const LOGIN = `query($userName: String, $password: String!) {
  login(userName: $userName, password: $password) { accessToken error rule secondFactor { ticket hasTotp hasPasskey } } }`;
const FINISH = `mutation($ticket: String!, $code: String!) {
  finishSecondFactor(ticket: $ticket, code: $code) { accessToken error } }`;
const OVERVIEW =
  '{ getSecondFactor { isRequired opensStaffAreas isRecent hasTotp recoveryCodesLeft passkeys { name } reset { reason } } }';
const CONFIRM = 'mutation($code: String!) { confirmSecondFactor(code: $code) { flag } }';
const ME = '{ getStudent { _id } }';

interface LoginAnswer {
  readonly accessToken: string | null;
  readonly error: string | null;
  readonly rule: string | null;
  readonly secondFactor: { readonly ticket: string; readonly hasTotp: boolean } | null;
}

/** Advanced by `later`, so that a used code is never the current one again. */
let now = new Date('2026-03-01T08:00:00.000Z');
const later = (minutes = 1): Date => (now = new Date(now.getTime() + minutes * 60_000));

let app: TestApp;
beforeAll(async () => {
  app = await bootApp({ STAFF_SECOND_FACTOR: 'required' }, { clock: () => now });
});
afterAll(() => app.close());

const login = async ({ userName, password }: SignedUpStudent): Promise<LoginAnswer> =>
  (await app.graphql<{ login: LoginAnswer }>(LOGIN, { userName, password })).data.login;
async function ticketOf(student: SignedUpStudent): Promise<string> {
  const { secondFactor } = await login(student);
  if (!secondFactor) throw new Error('login did not ask for a second factor');
  return secondFactor.ticket;
}
/** @returns the violated rule, or the access token */
async function finish(ticket: string, code: string): Promise<string> {
  const { data, errors } = await app.graphql<{ finishSecondFactor: LoginAnswer }>(FINISH, { ticket, code });
  return errors?.[0]?.extensions.rule ?? data.finishSecondFactor.accessToken ?? '';
}
const ruleOf = async (document: string, token: string, variables = {}): Promise<string | undefined> =>
  (await app.graphql(document, variables, token)).errors?.[0]?.extensions.rule;
const overview = async (token: string) =>
  (await app.graphql<{ getSecondFactor: Record<string, unknown> }>(OVERVIEW, {}, token)).data.getSecondFactor;

describe('authenticator app setup', () => {
  it('requires the password, shows secret and recovery codes once, and ends other sessions', async () => {
    const ada = await app.signUp();
    const other = (await login(ada)).accessToken ?? '';
    const start = 'mutation($password: String!) { startTotp(password: $password) { secret address } }';
    expect(await ruleOf(start, ada.token, { password: 'wrong' })).toBe('PASSWORD_WRONG');
    const { secret, recoveryCodes } = await setUpTotp(app, ada, later);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await overview(ada.token)).toMatchObject({ hasTotp: true, recoveryCodesLeft: 10, isRecent: true });
    expect(await ruleOf(ME, other)).toBe('SIGN_IN_REQUIRED');
    const { rows } = await app.pool.query<{ all: string }>(
      `select coalesce(string_agg(t::text, ' '), '') || (select string_agg(c::text, ' ') from state.recovery_code c)
         || (select coalesce(string_agg(e::text, ' '), '') from log.events e) as all from state.totp_factor t`,
    );
    for (const hidden of [secret, ...recoveryCodes]) expect(rows[0]?.all).not.toContain(hidden);
  });

  it('requires a correct code from the new secret and allows another try', async () => {
    const ada = await app.signUp();
    const { data } = await app.graphql<{ startTotp: { secret: string; address: string } }>(
      'mutation($password: String!) { startTotp(password: $password) { secret address } }',
      { password: ada.password },
      ada.token,
    );
    const { secret, address } = data.startTotp;
    expect(address).toMatch(new RegExp(`^otpauth://totp/Nimo:${ada.userName}\\?.*secret=${secret}`));
    const finishSetUp = 'mutation($code: String!) { finishTotp(code: $code) { recoveryCodes } }';
    const wrong = totpCode(secret, later(), 5);
    expect(await ruleOf(finishSetUp, ada.token, { code: wrong })).toBe('SECOND_FACTOR_CODE_WRONG');
    expect((await login(ada)).accessToken).not.toBeNull();
    expect(await ruleOf(finishSetUp, ada.token, { code: totpCode(secret, now) })).toBeUndefined();
    expect(await ruleOf(finishSetUp, ada.token, { code: totpCode(secret, now) })).toBe(
      'SECOND_FACTOR_EXPIRED',
    );
  });

  it('requires the existing factor before adding another', async () => {
    const ada = await app.signUp();
    const { secret } = await setUpTotp(app, ada, later);
    await app.pool.query('update state.session set factor_at = null where student_id = $1', [ada.studentId]);
    const start = 'mutation($password: String!) { startTotp(password: $password) { secret } }';
    const password = { password: ada.password };
    expect(await ruleOf(start, ada.token, password)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await ruleOf('mutation { removeTotp { flag } }', ada.token)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await ruleOf('mutation { renewRecoveryCodes }', ada.token)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await ruleOf(CONFIRM, ada.token, { code: totpCode(secret, later()) })).toBeUndefined();
    expect(await ruleOf(start, ada.token, password)).toBeUndefined();
  });
});

describe('sign-in with a second factor', () => {
  it('opens no session until the code follows the password', async () => {
    const ada = await app.signUp();
    const { secret } = await setUpTotp(app, ada, later);
    const first = await login(ada);
    expect(first).toMatchObject({
      accessToken: null,
      rule: 'SECOND_FACTOR_REQUIRED',
      secondFactor: { hasTotp: true, hasPasskey: false },
    });
    const ticket = first.secondFactor?.ticket ?? '';
    expect(await ruleOf(ME, ticket)).toBe('SIGN_IN_REQUIRED');
    const token = await finish(ticket, totpCode(secret, later()));
    expect((await app.graphql(ME, {}, token)).data).toEqual({ getStudent: { _id: ada.studentId } });
    expect(await finish(ticket, totpCode(secret, later()))).toBe('SIGN_IN_EXPIRED');
  });

  it('accepts a code only once, even concurrently, and no code older than the last', async () => {
    const ada = await app.signUp();
    const { secret } = await setUpTotp(app, ada, later);
    const code = totpCode(secret, later());
    const tickets = [await ticketOf(ada), await ticketOf(ada)];
    const answers = await Promise.all(tickets.map((ticket) => finish(ticket, code)));
    expect(answers.filter((answer) => answer === 'SECOND_FACTOR_CODE_WRONG')).toHaveLength(1);
    const ticket = await ticketOf(ada);
    expect(await finish(ticket, code)).toBe('SECOND_FACTOR_CODE_WRONG');
    expect(await finish(ticket, totpCode(secret, now, -1))).toBe('SECOND_FACTOR_CODE_WRONG');
    expect(await finish(ticket, totpCode(secret, now, 1))).toMatch(/^[\w-]{43}$/);
  });

  it('throttles guesses across all addresses', async () => {
    const ada = await app.signUp();
    const { secret } = await setUpTotp(app, ada, later);
    const ticket = await ticketOf(ada);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => finish(ticket, '000000')));
    expect(guesses.filter((rule) => rule === 'TOO_MANY_REQUESTS').length).toBeGreaterThanOrEqual(10);
    // One counter per account, one per account and address. Extended, in case the guesses took longer than the wait.
    const { rowCount } = await app.pool.query(
      `update state.login_attempt set retry_at = retry_at + interval '1 hour' where attempts >= 5`,
    );
    expect(rowCount).toBeGreaterThanOrEqual(2);
    expect(await finish(ticket, totpCode(secret, later()))).toBe('TOO_MANY_REQUESTS');
  });

  it('invalidates the ticket when the password changes', async () => {
    const ada = await app.signUp();
    const { secret } = await setUpTotp(app, ada, later);
    const ticket = await ticketOf(ada);
    await app.graphql(
      'mutation($old: String!) { changePassword(oldPassword: $old, password: "battery staple") { flag } }',
      { old: ada.password },
      ada.token,
    );
    expect(await finish(ticket, totpCode(secret, later()))).toBe('SIGN_IN_EXPIRED');
  });

  it('shows in the session list which session confirmed the factor', async () => {
    const ada = await app.signUp();
    const sessions = '{ getSessions { isCurrent factorAt } }';
    const without = await app.graphql<{ getSessions: unknown[] }>(sessions, {}, ada.token);
    expect(without.data.getSessions).toEqual([{ isCurrent: true, factorAt: null }]);
    await setUpTotp(app, ada, later);
    const given = await app.graphql<{ getSessions: unknown[] }>(sessions, {}, ada.token);
    expect(given.data.getSessions).toEqual([{ isCurrent: true, factorAt: expect.any(String) }]);
  });
});

describe('recovery codes', () => {
  it('work once each, in any spelling, and can be replaced', async () => {
    const ada = await app.signUp();
    const { recoveryCodes } = await setUpTotp(app, ada, later);
    const [first = '', second = ''] = recoveryCodes;
    expect(await finish(await ticketOf(ada), ` ${first.toUpperCase().replace('-', ' ')} `)).toMatch(
      /^[\w-]{43}$/,
    );
    expect(await finish(await ticketOf(ada), first)).toBe('SECOND_FACTOR_CODE_WRONG');
    expect(await overview(ada.token)).toMatchObject({ recoveryCodesLeft: 9 });
    const renewed = await app.graphql<{ renewRecoveryCodes: string[] }>(
      'mutation { renewRecoveryCodes }',
      {},
      ada.token,
    );
    expect(renewed.data.renewRecoveryCodes).toHaveLength(10);
    const ticket = await ticketOf(ada);
    expect(await finish(ticket, second)).toBe('SECOND_FACTOR_CODE_WRONG');
    expect(await finish(ticket, renewed.data.renewRecoveryCodes[0] ?? '')).toMatch(/^[\w-]{43}$/);
  });

  it('do not work for another student', async () => {
    const [ada, eve] = await Promise.all([app.signUp(), app.signUp()]);
    const { recoveryCodes } = await setUpTotp(app, ada, later);
    await setUpTotp(app, eve, later);
    expect(await finish(await ticketOf(eve), recoveryCodes[0] ?? '')).toBe('SECOND_FACTOR_CODE_WRONG');
  });
});

describe('the last factor', () => {
  it('cannot be removed by staff; for others its removal also deletes the recovery codes', async () => {
    const [mai, ada] = await Promise.all([app.signUp(), app.signUp()]);
    await app.grantRole(mai.studentId, 'MAINTAINER');
    for (const student of [mai, ada]) await setUpTotp(app, student, later);
    expect(await overview(mai.token)).toMatchObject({ isRequired: true, opensStaffAreas: true });
    expect(await ruleOf('mutation { removeTotp { flag } }', mai.token)).toBe('LAST_SECOND_FACTOR');
    expect(await ruleOf('mutation { removeTotp { flag } }', ada.token)).toBeUndefined();
    expect(await overview(ada.token)).toMatchObject({
      hasTotp: false,
      recoveryCodesLeft: 0,
      isRecent: false,
    });
    expect((await login(ada)).accessToken).not.toBeNull();
  });
});

describe('a lost device', () => {
  const RESET = `mutation($id: ID!, $reason: String!) {
    resetSecondFactor(studentId: $id, reason: $reason) { student { _id } act } }`;

  it('is reset by another maintainer with a reason; the owner is notified and signs in by password', async () => {
    const [mai, ben] = await Promise.all([app.signUp(), app.signUp()]);
    for (const { studentId } of [mai, ben]) await app.grantRole(studentId, 'MAINTAINER');
    for (const student of [mai, ben]) await setUpTotp(app, student, later);
    const reset = (id: string, reason: string) => app.graphql(RESET, { id, reason }, mai.token);
    expect((await reset(mai.studentId, 'Lost')).errors?.[0]?.extensions.rule).toBe('OWN_SECOND_FACTOR');
    expect((await reset(ben.studentId, ' ')).errors?.[0]?.extensions.field).toBe('reason');
    const { data, errors } = await reset(ben.studentId, 'Phone stolen');
    expect(errors).toBeUndefined();
    expect(data['resetSecondFactor']).toEqual({ student: { _id: ben.studentId }, act: expect.any(Number) });
    expect(await ruleOf(ME, ben.token)).toBe('SIGN_IN_REQUIRED');
    expect((await reset(ben.studentId, 'Again')).errors?.[0]?.extensions.rule).toBe(
      'SECOND_FACTOR_NOT_SET_UP',
    );
    const token = (await login(ben)).accessToken ?? '';
    expect(await overview(token)).toMatchObject({
      opensStaffAreas: false,
      hasTotp: false,
      recoveryCodesLeft: 0,
      reset: { reason: 'Phone stolen' },
    });
    expect(await ruleOf('{ getRoleHolders { _id } }', token)).toBe('SECOND_FACTOR_REQUIRED');
    await app.graphql('mutation { dismissSecondFactorReset { flag } }', {}, token);
    expect(await overview(token)).toMatchObject({ reset: null });
  });
});

describe('the name of a factor', () => {
  const NAMES = '{ getSecondFactor { totpName passkeys { _id name } } }';
  const TOTP = 'mutation($name: String!) { renameTotp(name: $name) { flag } }';
  const PASSKEY = 'mutation($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) { flag } }';
  interface Names {
    readonly getSecondFactor: {
      readonly totpName: string | null;
      readonly passkeys: { _id: string; name: string }[];
    };
  }
  const namesOf = async (token: string) => (await app.graphql<Names>(NAMES, {}, token)).data.getSecondFactor;

  it('can be changed only by its owner, has a length limit, and changes appear in the security log', async () => {
    const [ada, ben] = await Promise.all([app.signUp(), app.signUp()]);
    await setUpTotp(app, ada, later);
    await app.api.get(Passkeys, { strict: false }).save(ada.studentId, {
      credentialId: randomUUID(),
      name: 'Laptop',
      publicKey: new Uint8Array([1]),
      counter: 0,
      transports: [],
    });
    const before = await namesOf(ada.token);
    expect(before).toMatchObject({ totpName: null, passkeys: [{ name: 'Laptop' }] });
    const id = before.passkeys[0]?._id;
    for (const name of [' ', 'x'.repeat(61)])
      for (const document of [TOTP, PASSKEY])
        expect(await ruleOf(document, ada.token, { id, name })).toBe('PASSKEY_NAME_INVALID');
    const theirs = await app.graphql(PASSKEY, { id, name: 'Mine' }, ben.token);
    expect(theirs.data).toEqual({ renamePasskey: { flag: 0 } });
    expect((await app.graphql(TOTP, { name: 'Mine' }, ben.token)).data).toEqual({ renameTotp: { flag: 0 } });
    await app.graphql(TOTP, { name: ' Old phone ' }, ada.token);
    await app.graphql(PASSKEY, { id, name: 'Key ring' }, ada.token);
    expect(await namesOf(ada.token)).toEqual({
      totpName: 'Old phone',
      passkeys: [{ _id: id, name: 'Key ring' }],
    });
    const { rowCount } = await app.pool.query(
      `select from state.security_log where student_id = $1 and kind = 'FACTOR_RENAMED'`,
      [ada.studentId],
    );
    expect(rowCount).toBe(2);
  });
});

describe('concurrent factor changes', () => {
  const newPasskey = () => ({
    credentialId: randomUUID(),
    name: 'Laptop',
    publicKey: new Uint8Array([1]),
    counter: 0,
    transports: [],
  });
  const passkeys = (): Passkeys => app.api.get(Passkeys, { strict: false });
  /** Resolves once another transaction waits for the lock. */
  const waitingForLock = async (): Promise<void> => {
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await eventually(async () => (await app.pool.query(waiting)).rowCount !== 0);
  };

  it('leave staff with one of two factors', async () => {
    for (let round = 0; round < 3; round += 1) {
      const mai = await app.signUp();
      await setUpTotp(app, mai, later);
      await passkeys().save(mai.studentId, newPasskey());
      await app.grantRole(mai.studentId, 'MODERATOR');
      const id = (
        await app.pool.query<{ id: string }>('select id from state.passkey where student_id = $1', [
          mai.studentId,
        ])
      ).rows[0]?.id;
      const rules = await Promise.all(
        ['mutation { removeTotp { flag } }', `mutation { removePasskey(id: "${id}") { flag } }`].map(
          (change) => ruleOf(change, mai.token),
        ),
      );
      expect(rules.filter((rule) => rule === 'LAST_SECOND_FACTOR')).toHaveLength(1);
      expect(rules.filter((rule) => rule === undefined)).toHaveLength(1);
    }
  });

  it('do not lose an app set up during a removal', async () => {
    const ada = await app.signUp();
    const factors = app.api.get(SecondFactors, { strict: false });
    const settingUp = await factors.withLock(ada.studentId, async (db) => {
      const setting = setUpTotp(app, ada, later);
      await Promise.race([setting, waitingForLock()]);
      expect(await factors.count(ada.studentId)).toBe(0);
      await factors.removeAll(ada.studentId, db);
      return { setting };
    });
    await settingUp.setting;
    expect(await factors.count(ada.studentId)).toBe(1);
  });

  it('never exceed the passkey limit', async () => {
    const ada = await app.signUp();
    const added = await Promise.allSettled(
      Array.from({ length: 13 }, () => passkeys().save(ada.studentId, newPasskey())),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(passkeys().save(ada.studentId, newPasskey())).rejects.toThrow('at most 10 passkeys');
  });
});

it('shows maintainers which students have a second factor', async () => {
  const [mai, ada] = await Promise.all([app.signUp(), app.signUp()]);
  await setUpTotp(app, mai, later);
  await app.grantRole(mai.studentId, 'MAINTAINER');
  const secondFactorsOf = async ({ userName }: SignedUpStudent) => {
    const { data } = await app.graphql<{ getManagedStudents: { docs: { hasSecondFactor: boolean }[] } }>(
      'query($search: String) { getManagedStudents(search: $search) { docs { hasSecondFactor } } }',
      { search: userName },
      mai.token,
    );
    return data.getManagedStudents.docs;
  };
  expect(await secondFactorsOf(mai)).toEqual([{ hasSecondFactor: true }]);
  expect(await secondFactorsOf(ada)).toEqual([{ hasSecondFactor: false }]);
});

describe('a forgotten password', () => {
  const CHANGE = `mutation($phone: Phone!, $grant: String!, $factorCode: String) {
    changePassword(phone: $phone, grant: $grant, password: "battery staple", factorCode: $factorCode) { flag } }`;
  async function grantOf({ phone }: SignedUpStudent): Promise<string> {
    await app.graphql(
      'mutation($phone: Phone!) { sendOTP(phone: $phone, purpose: FORGOT_PASSWORD) { flag } }',
      { phone },
    );
    const { data } = await app.graphql<{ verifyOTP: { grant: string } }>(
      `mutation($phone: Phone!, $code: String!) {
        verifyOTP(phone: $phone, verificationCode: $code, purpose: FORGOT_PASSWORD) { grant } }`,
      { phone, code: await app.latestCode(phone) },
    );
    return data.verifyOTP.grant;
  }
  const change = async (student: SignedUpStudent, grant: string, factorCode?: string) => {
    const { data, errors } = await app.graphql<{ changePassword: { flag: number } }>(CHANGE, {
      phone: student.phone,
      grant,
      ...(factorCode !== undefined && { factorCode }),
    });
    return errors?.[0]?.extensions.rule ?? data.changePassword.flag;
  };

  it('cannot be reset by phone without the second factor', async () => {
    const ada = await app.signUp();
    const { recoveryCodes } = await setUpTotp(app, ada, later);
    const grant = await grantOf(ada);
    expect(await change(ada, grant)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await change(ada, grant, '000000')).toBe('SECOND_FACTOR_CODE_WRONG');
    expect((await login(ada)).secondFactor).not.toBeNull();
    expect(await change(ada, grant, recoveryCodes[0])).toBe(1);
  });

  it('cannot be reset by phone at all for staff without a second factor', async () => {
    const [mai, ada] = await Promise.all([app.signUp(), app.signUp()]);
    await app.grantRole(mai.studentId, 'MODERATOR');
    expect(await change(mai, await grantOf(mai))).toBe('RESET_BY_PHONE_ALONE');
    expect((await login(mai)).accessToken).not.toBeNull();
    expect(await change(ada, await grantOf(ada))).toBe(1);
  });
});
