import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  sharedApp,
  newPhone,
  newUserName,
  type GraphqlAnswer,
  type SignedUpStudent,
  type TestApp,
} from '../../../../../test/app.js';
import type { EventStore } from '@nimo/event-store';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { ClaimsReactor } from '../accounts/claims.reactor.js';
import { ChangeContact } from './commands/change-contact.js';
import { CreateStudent } from '../students/commands/register-student.js';
import { UnfinishedSignUps } from '../accounts/unfinished-sign-ups.js';
import { eventually } from '@nimo/testing';

const START = `mutation($kind: ContactKind!, $value: String!, $password: String!, $via: ContactKind) {
  startContactChange(kind: $kind, value: $value, password: $password, via: $via) { _id sentTo ownSentTo expiresAt }
}`;
const FINISH = `mutation($id: ID!, $newCode: String!, $ownCode: String) {
  finishContactChange(id: $id, newCode: $newCode, ownCode: $ownCode) { flag }
}`;
const ME = '{ getStudent { _id phone email isPhoneVerified } }';
const LOGIN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken error } }';
const LOG = '{ getSecurityLog(paginateOptions: { page: 1, limit: 50 }) { docs { kind } } }';
const PASSWORD = 'correct horse';

interface Started {
  readonly _id: string;
  readonly sentTo: string;
  readonly ownSentTo: string | null;
}
interface Message {
  readonly kind: string;
  readonly text: string;
}

let app: TestApp;
let logStore: EventStore;
/** Log head before this spec. */
let startPosition: string | undefined;
beforeAll(async () => {
  app = await sharedApp();
  if (!app.worker) throw new Error('no worker');
  // The worker's store sees destroyed keys immediately.
  logStore = app.worker.get<EventStore>(EVENT_STORE, { strict: false });
  startPosition = await logStore.head();
});

const newEmail = (): string => `${randomUUID().slice(0, 13)}@example.org`;
const ruleOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0]?.extensions.rule;
const wrongCodeFor = (code: string): string => (code === '000000' ? '111111' : '000000');

const start = (
  student: Pick<SignedUpStudent, 'token'>,
  kind: 'PHONE' | 'EMAIL',
  value: string,
  more: { password?: string; via?: 'PHONE' | 'EMAIL' } = {},
) =>
  app.graphql<{ startContactChange: Started }>(
    START,
    { kind, value, password: PASSWORD, ...more },
    student.token,
  );
const finish = (
  student: Pick<SignedUpStudent, 'token'>,
  id: string,
  newCode: string,
  ownCode: string | null,
  headers: Record<string, string> = {},
) =>
  app.graphql<{ finishContactChange: { flag: number } }>(
    FINISH,
    { id, newCode, ownCode },
    student.token,
    headers,
  );
const me = async ({ token }: Pick<SignedUpStudent, 'token'>) =>
  (await app.graphql<{ getStudent: { phone: string | null; email: string | null } }>(ME, {}, token)).data
    .getStudent;
const logsIn = async (userName: string): Promise<boolean> => {
  const { data } = await app.graphql<{ login: { accessToken: string | null } }>(LOGIN, {
    userName,
    password: PASSWORD,
  });
  return data.login.accessToken !== null;
};

async function messagesTo(recipient: string): Promise<Message[]> {
  const { rows } = await app.pool.query<Message>(
    'select kind, text from state.outbox where recipient = $1 order by id desc',
    [recipient],
  );
  return rows;
}

/** The code in the latest message to the recipient. */
async function codeAt(recipient: string, messages = 1): Promise<string> {
  const codes = async () =>
    (await messagesTo(recipient)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  return (await eventually(codes, (found) => found.length >= messages))[0] ?? '';
}
const phoneCode = (phone: string, messages?: number) => codeAt(`+${phone}`, messages);

/** Adds a confirmed email address. */
async function withEmail(student: SignedUpStudent, email = newEmail()): Promise<string> {
  const { data } = await start(student, 'EMAIL', email);
  const [own, fresh] = [await phoneCode(student.phone), await codeAt(email)];
  expect((await finish(student, data.startContactChange._id, fresh, own)).errors).toBeUndefined();
  return email;
}

/** The last event of each of the student's claims. */
async function claimsOf(studentId: string): Promise<string[]> {
  const events = await logStore.readAll({
    ...(startPosition !== undefined && { after: startPosition }),
    limit: 10_000,
  });
  const own = events.filter(({ type, data }) => type.startsWith('Claim') && data['studentId'] === studentId);
  const last = new Map(own.map(({ streamId, type }) => [streamId, type]));
  return [...last].map(([streamId, type]) => `${streamId.split('-')[0] ?? ''} ${type}`).sort();
}

describe('a phone change', () => {
  it('needs a code from the old phone and one from the new', async () => {
    const ada = await app.signUp();
    const phone = newPhone();
    const { data } = await start(ada, 'PHONE', phone);
    expect(data.startContactChange).toMatchObject({
      sentTo: `…${phone.slice(-4)}`,
      ownSentTo: `…${ada.phone.slice(-4)}`,
    });
    const [own, fresh] = [await phoneCode(ada.phone), await phoneCode(phone)];
    const id = data.startContactChange._id;
    expect(ruleOf(await finish(ada, id, fresh, wrongCodeFor(own)))).toBe('OWN_CODE_WRONG');
    expect(ruleOf(await finish(ada, id, wrongCodeFor(fresh), own))).toBe('NEW_CODE_WRONG');
    expect(await me(ada)).toMatchObject({ phone: ada.phone });
    expect((await finish(ada, id, fresh, own)).data).toEqual({ finishContactChange: { flag: 1 } });
    expect(await me(ada)).toMatchObject({ phone, isPhoneVerified: true });
    expect([await logsIn(phone), await logsIn(ada.phone)]).toEqual([true, false]);
    expect(await claimsOf(ada.studentId)).toEqual([
      'phone ClaimConfirmed',
      'phone ClaimReleased',
      'username ClaimConfirmed',
    ]);
  });

  it('happens once, however often the codes are submitted', async () => {
    const ada = await app.signUp();
    const phone = newPhone();
    const id = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    const [own, fresh] = [await phoneCode(ada.phone), await phoneCode(phone)];
    const answers = await Promise.all([finish(ada, id, fresh, own), finish(ada, id, fresh, own)]);
    answers.push(await finish(ada, id, fresh, own));
    expect(answers.map(({ data }) => data)).toEqual(Array(3).fill({ finishContactChange: { flag: 1 } }));
    const { rows } = await app.pool.query(
      `select data from log.events where type = 'StudentPhoneChanged' and data ->> 'studentId' = $1`,
      [ada.studentId],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(phone);
  });

  it('ends all other sessions, notifies the old number and is in the security log', async () => {
    const ada = await app.signUp();
    const { data } = await app.graphql<{ login: { accessToken: string } }>(LOGIN, {
      userName: ada.userName,
      password: PASSWORD,
    });
    const phone = newPhone();
    const id = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    await finish(ada, id, await phoneCode(phone), await phoneCode(ada.phone));
    expect(ruleOf(await app.graphql(ME, {}, data.login.accessToken))).toBe('SIGN_IN_REQUIRED');
    const messages = await eventually(
      () => messagesTo(`+${ada.phone}`),
      (sent) => sent.length === 2,
    );
    expect(messages[0]?.text).toMatch(/mobile number of your Nimo account .* was changed/);
    expect(await messagesTo(`+${phone}`)).toHaveLength(1);
    const kinds = async () =>
      (
        await app.graphql<{ getSecurityLog: { docs: { kind: string }[] } }>(LOG, {}, ada.token)
      ).data.getSecurityLog.docs.map(({ kind }) => kind);
    expect(await eventually(kinds, (all) => all.includes('PHONE_CHANGED'))).toEqual(
      expect.arrayContaining(['CONTACT_CHANGE_ASKED', 'OTHER_SESSIONS_ENDED', 'PHONE_CHANGED']),
    );
  });

  it('sends the code in the language of the screen, and the notice in the language last chosen', async () => {
    const ada = await app.signUp();
    const german = { 'accept-language': 'de' };
    await app.graphql(LOGIN, { userName: ada.userName, password: PASSWORD }, undefined, german);
    const phone = newPhone();
    const input = { kind: 'PHONE', value: phone, password: PASSWORD };
    const { data } = await app.graphql<{ startContactChange: Started }>(START, input, ada.token, german);
    const fresh = await phoneCode(phone);
    expect((await messagesTo(`+${phone}`))[0]?.text).toBe(
      `${fresh} ist dein Nimo-Code, um diese Nummer für dein Konto zu verwenden. Er gilt 10 Minuten.`,
    );
    await finish(ada, data.startContactChange._id, fresh, await phoneCode(ada.phone));
    const notices = await eventually(
      () => messagesTo(`+${ada.phone}`),
      (messages) => messages.length === 2,
    );
    expect(notices[0]?.text).toContain(`Die Handynummer deines Nimo-Kontos ${ada.userName} wurde geändert.`);
  });

  it('can be confirmed by email if the old phone is lost', async () => {
    const ada = await app.signUp();
    const email = await withEmail(ada);
    const phone = newPhone();
    const started = await start(ada, 'PHONE', phone, { via: 'EMAIL' });
    expect(started.data.startContactChange.ownSentTo).toBe(`${email.slice(0, 1)}…@example.org`);
    const own = await codeAt(email, 2);
    const id = started.data.startContactChange._id;
    expect((await finish(ada, id, await phoneCode(phone), own)).errors).toBeUndefined();
    expect(await me(ada)).toMatchObject({ phone, email });
  });

  it('rejects a taken, unchanged or invalid number and a wrong password', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    expect(ruleOf(await start(ada, 'PHONE', bob.phone))).toBe('USER_EXISTS');
    expect(ruleOf(await start(ada, 'PHONE', ada.phone))).toBe('CONTACT_UNCHANGED');
    expect(ruleOf(await start(ada, 'PHONE', newPhone(), { via: 'EMAIL' }))).toBe('CONTACT_NOT_CONFIRMED');
    expect(ruleOf(await start(ada, 'PHONE', '12'))).toBe('PHONE_INVALID');
    expect(ruleOf(await start(ada, 'PHONE', newPhone(), { password: 'not it at all' }))).toBe(
      'PASSWORD_WRONG',
    );
    expect(ruleOf(await start({ token: '' }, 'PHONE', newPhone()))).toBe('SIGN_IN_REQUIRED');
  });

  it('gives the number to only one of two concurrent requests', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    const phone = newPhone();
    const first = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    const ofAda = await phoneCode(phone);
    const second = (await start(bob, 'PHONE', phone)).data.startContactChange._id;
    const ofBob = await phoneCode(phone, 2);
    const [adas, bobs] = [await phoneCode(ada.phone), await phoneCode(bob.phone)];
    const answers = await Promise.all([finish(ada, first, ofAda, adas), finish(bob, second, ofBob, bobs)]);
    expect(answers.map((answer) => ruleOf(answer) ?? 'changed').sort()).toEqual(['USER_EXISTS', 'changed']);
    const phones = [(await me(ada)).phone, (await me(bob)).phone];
    expect(phones.filter((own) => own === phone)).toHaveLength(1);
    expect(phones.filter((own) => own === ada.phone || own === bob.phone)).toHaveLength(1);
  });

  it.each(['PHONE', 'EMAIL'] as const)(
    'changes nothing if someone else took the %s between start and confirmation',
    async (kind) => {
      const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
      const value = kind === 'PHONE' ? newPhone() : newEmail();
      const codeToNew = () => codeAt(kind === 'PHONE' ? `+${value}` : value);
      const id = (await start(ada, kind, value)).data.startContactChange._id;
      const [own, fresh] = [await phoneCode(ada.phone), await codeToNew()];
      const { data } = await app.graphql<{ login: { accessToken: string } }>(LOGIN, {
        userName: ada.userName,
        password: PASSWORD,
      });
      await app.execute(
        new ChangeContact(
          app.contextOf(bob.studentId),
          { kind: kind === 'PHONE' ? 'phone' : 'email', value },
          '',
        ),
      );
      const before = await claimsOf(ada.studentId);
      const answer = await finish(ada, id, fresh, own);
      expect(answer.errors).toMatchObject([
        { extensions: { code: 'CONFLICT', rule: kind === 'PHONE' ? 'USER_EXISTS' : 'EMAIL_TAKEN' } },
      ]);
      expect(await me(ada)).toMatchObject({ phone: ada.phone, email: null });
      expect(await claimsOf(ada.studentId)).toEqual(before);
      // Her other session is still open.
      expect((await app.graphql(ME, {}, data.login.accessToken)).errors).toBeUndefined();
      expect((await finish(ada, id, fresh, own)).errors).toHaveLength(1);
    },
  );

  it('replaces an earlier one, and completes at the same moment as an email change', async () => {
    const ada = await app.signUp();
    const [first, phone, email] = [newPhone(), newPhone(), newEmail()];
    const replaced = (await start(ada, 'PHONE', first)).data.startContactChange._id;
    const ofFirst = await phoneCode(first);
    const replacedOwn = await phoneCode(ada.phone);
    const byPhone = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    const phoneCodes = [await phoneCode(phone), await phoneCode(ada.phone, 2)] as const;
    const byEmail = (await start(ada, 'EMAIL', email)).data.startContactChange._id;
    const emailCodes = [await codeAt(email), await phoneCode(ada.phone, 3)] as const;
    expect(ruleOf(await finish(ada, replaced, ofFirst, replacedOwn))).toBe('CONTACT_CHANGE_EXPIRED');
    const answers = await Promise.all([
      finish(ada, byPhone, ...phoneCodes),
      finish(ada, byEmail, ...emailCodes),
    ]);
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([]);
    expect(await me(ada)).toMatchObject({ phone, email });
    expect(await claimsOf(ada.studentId)).toEqual([
      'email ClaimConfirmed',
      'phone ClaimConfirmed',
      'phone ClaimReleased',
      'username ClaimConfirmed',
    ]);
  });

  it('rejects another user’s codes and expired codes', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    const phone = newPhone();
    const id = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    const [own, fresh] = [await phoneCode(ada.phone), await phoneCode(phone)];
    expect(ruleOf(await finish(bob, id, fresh, own))).toBe('CONTACT_CHANGE_EXPIRED');
    await app.pool.query('update state.contact_change set expires_at = now() where id = $1', [id]);
    expect(ruleOf(await finish(ada, id, fresh, own))).toBe('CONTACT_CHANGE_EXPIRED');
    expect(await me(ada)).toMatchObject({ phone: ada.phone });
  });

  it('fails after five wrong codes', async () => {
    const ada = await app.signUp();
    const phone = newPhone();
    const id = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    const [own, fresh] = [await phoneCode(ada.phone), await phoneCode(phone)];
    for (let tries = 0; tries < 5; tries++) await finish(ada, id, wrongCodeFor(fresh), own);
    expect(ruleOf(await finish(ada, id, fresh, own))).toBe('CONTACT_CHANGE_EXPIRED');
  });
});

describe('an email change', () => {
  it('adds an address, and changes it with codes to both', async () => {
    const ada = await app.signUp();
    const former = await withEmail(ada);
    const email = newEmail();
    const { data } = await start(ada, 'EMAIL', email);
    const id = data.startContactChange._id;
    const [own, fresh] = [await codeAt(former, 2), await codeAt(email)];
    expect((await finish(ada, id, fresh, own)).errors).toBeUndefined();
    expect(await me(ada)).toMatchObject({ email, phone: ada.phone });
    expect([await logsIn(email), await logsIn(former)]).toEqual([true, false]);
    const messages = await eventually(
      () => messagesTo(former),
      (sent) => sent.length === 3,
    );
    expect(messages[0]?.text).toContain('The email address of your account was changed.');
  });

  it('does not reveal a taken address: its owner gets a notice without a code', async () => {
    const [ada, bob] = await Promise.all([app.signUp(), app.signUp()]);
    const email = await withEmail(bob);
    const answer = await start(ada, 'EMAIL', email.toUpperCase());
    expect(answer.errors).toBeUndefined();
    const messages = await eventually(
      () => messagesTo(email),
      (sent) => sent.length === 2,
    );
    expect(messages[0]?.text).toContain('use this address for another Nimo account');
    expect(messages[0]?.text).not.toMatch(/\b\d{6}\b/);
  });
});

describe('an unfinished sign-up', () => {
  const abandoned = async (phone: string): Promise<string> =>
    app.execute<string>(new CreateStudent(app.contextOf(randomUUID()), phone));
  const keyOf = async (studentId: string) =>
    (
      await app.pool.query<{ wrapped_key: Buffer | null }>(
        `select wrapped_key from state.student_key where id = $1 and kind = 'identity'`,
        [studentId],
      )
    ).rows[0]?.wrapped_key;
  const signUps = () => app.worker?.get(UnfinishedSignUps, { strict: false }) as UnfinishedSignUps;
  const isPendingRemoval = async (studentId: string) =>
    (await app.pool.query('select from state.abandoned_sign_up where student_id = $1', [studentId]))
      .rowCount !== 0;

  it('gives up its number to the user who verifies it', async () => {
    const ada = await app.signUp();
    const phone = newPhone();
    const stranger = await abandoned(phone);
    const id = (await start(ada, 'PHONE', phone)).data.startContactChange._id;
    const [own, fresh] = [await phoneCode(ada.phone), await phoneCode(phone)];
    expect((await finish(ada, id, fresh, own)).errors).toBeUndefined();
    expect(await me(ada)).toMatchObject({ phone });
    expect(await keyOf(stranger)).toBeNull();
  });

  it('is removed after a week with its claim, key and row', async () => {
    const [old, young] = [newPhone(), newPhone()];
    const [studentId, other] = [await abandoned(old), await abandoned(young)];
    await app.pool.query(
      `update read.students set created_at = now() - interval '8 days' where student_id = $1`,
      [studentId],
    );
    await signUps().sweep();
    expect(await keyOf(studentId)).toBeNull();
    expect(await keyOf(other)).not.toBeNull();
    expect(await claimsOf(studentId)).toEqual([]);
    expect(await claimsOf(other)).toEqual(['phone ClaimConfirmed']);
    const rows = async () =>
      (await app.pool.query('select from read.students where student_id = $1', [studentId])).rowCount;
    await eventually(rows, (count) => count === 0);
    expect(await abandoned(old)).not.toBe(studentId);
    expect(await isPendingRemoval(studentId)).toBe(false);
    // The claims reactor has nothing left to do.
    await app.worker?.get(ClaimsReactor, { strict: false }).settleDue();
    expect(await isPendingRemoval(studentId)).toBe(false);
  });

  it('is kept if the student has registered', async () => {
    const { studentId, phone } = await app.signUp({ userName: newUserName() });
    await signUps().abandon(studentId);
    expect(await claimsOf(studentId)).toEqual(['phone ClaimConfirmed', 'username ClaimConfirmed']);
    expect(await keyOf(studentId)).not.toBeNull();
    expect(await logsIn(phone)).toBe(true);
  });
});
