import { expect } from '@jest/globals';
import { eventually } from '@nimo/testing';
import sharp from 'sharp';
import { newPhone, newUserName } from '../../../../../../test/app.js';
import { HeadlessBrowser, type OpenIdProvider } from '../../../../../../test/servers/open-id-provider.js';
import { totpCode } from '../../../../../../test/second-factor.js';
import { Passkeys } from '../../second-factor/passkeys.js';
import { newWord, type Person } from './person.fixture.js';

const newEmail = (): string => `${newWord()}@Example.org`;

export async function signUpByPhone(person: Person): Promise<void> {
  const phone = person.value('phone at sign-up', newPhone());
  await person.anyoneDoes('createStudent', { phone, registrationType: 'SELF' });
  await person.anyoneDoes('sendOTP', { phone });
  const verificationCode = await person.surroundings.app.latestCode(phone);
  const { id, grant } = await person.anyoneDoes<{ id: string; grant: string }>(
    'verifyOTP',
    { phone, verificationCode },
    'id grant',
  );
  person.studentId = id;
  const { password } = person;
  const userName = person.value('user name at sign-up', newUserName());
  await person.anyoneDoes('updateStudent', { id, grant, userName, password, isRegistered: true });
  await logIn(person);
  await changeContact(person, 'EMAIL', 'PHONE');
}

export async function signUpByEmail(person: Person): Promise<void> {
  const { password } = person;
  const email = person.value('email at sign-up', newEmail());
  const userName = person.value('user name at sign-up', newUserName());
  await person.anyoneDoes('registerByEmail', { email, userName, password });
  await person.messageTo(email.toLowerCase(), /#([\w-]{43})/);
  const { confirmation } = await person.anyoneDoes<{ confirmation: string }>(
    'login',
    { userName, password },
    'confirmation',
  );
  const before = await person.lastMessage();
  await person.anyoneDoes('sendConfirmation', { confirmation });
  const token = await person.messageTo(email.toLowerCase(), /#([\w-]{43})/, before);
  await person.anyoneDoes('confirmEmail', { token, password });
  await logIn(person);
  person.studentId = (await person.reads<{ _id: string }>('getStudent { _id }'))._id;
  person.value('email', email);
  await changeContact(person, 'PHONE', 'EMAIL');
}

export async function logIn(person: Person, userName = latestUserName(person)): Promise<void> {
  const { mutations } = person.surroundings;
  const browser = { 'user-agent': person.value('browser'), 'accept-language': 'it' };
  const { accessToken } = await mutations.send<{ accessToken: string | null }>(
    undefined,
    'login',
    { userName, password: person.password, rememberMe: true },
    'accessToken error',
    browser,
  );
  if (accessToken === null) throw new Error('login was refused');
  person.token = accessToken;
}

const latestUserName = (person: Person): string =>
  person.identity['user name'] ?? person.valueOf('user name at sign-up');

export async function profile(person: Person): Promise<void> {
  const picture = await upload(person, 'profile', 'profile picture');
  await person.does('updateStudent', {
    id: person.studentId,
    userName: person.value('user name', newUserName()),
    firstName: person.value('first name'),
    lastName: person.value('last name'),
    profileDesc: person.value('bio', `${newWord()} & <b>"O'Brien"</b>`),
    realProfilePicUrl: picture,
  });
  await person.does('updateStudent', { id: person.studentId, lastName: person.value('new last name') });
  await person.does('acceptTerms', { version: 'nimo-1' });
}

/** @returns the address of the picture */
export async function upload(
  person: Person,
  shownBy: keyof Person['pictures'],
  label: string,
): Promise<string> {
  const { app } = person.surroundings;
  const create = { width: 8, height: 8, channels: 3, background: '#c33' } as const;
  const png = await sharp({ create }).png().toBuffer();
  const { url, key, doneUrl } = await person.reads<{ url: string; key: string; doneUrl: string | null }>(
    `getPresignedS3Url(contentType: "image/png", contentLength: ${png.length}) { url key doneUrl }`,
  );
  const headers = { 'content-type': 'image/png' };
  const sent = await fetch(new URL(url, app.url), { method: 'PUT', headers, body: new Uint8Array(png) });
  expect(sent.status).toBe(200);
  if (doneUrl !== null) expect((await app.http().post(doneUrl)).status).toBeLessThan(300);
  person.pictures[shownBy][label] = key;
  return `/media/${key}`;
}

/** @param own kind of the confirmed contact that also gets a code */
export async function changeContact(
  person: Person,
  kind: 'PHONE' | 'EMAIL',
  own: 'PHONE' | 'EMAIL',
): Promise<void> {
  const recipient = ownRecipient(person, own);
  const value = kind === 'PHONE' ? newPhone() : newEmail();
  const before = await person.lastMessage();
  const { _id } = await startChange(person, kind, value, own);
  const newCode = await person.messageTo(recipientOf(kind, value), /\b(\d{6})\b/, before);
  const ownCode = await person.messageTo(recipient, /\b(\d{6})\b/, before);
  await person.does('finishContactChange', { id: _id, newCode, ownCode });
  const label = kind.toLowerCase();
  if (person.identity[label] !== undefined) person.value(`former ${label}`, person.valueOf(label));
  person.value(label, value);
}

/** Leaves a change without its codes. */
export async function startContactChange(person: Person): Promise<void> {
  const value = person.value('unconfirmed email', newEmail());
  const before = await person.lastMessage();
  await startChange(person, 'EMAIL', value, 'PHONE');
  await person.messageTo(recipientOf('EMAIL', value), /\b(\d{6})\b/, before);
}

const startChange = (person: Person, kind: string, value: string, via: string) =>
  person.does('startContactChange', { kind, value, password: person.password, via }, '_id');

const recipientOf = (kind: 'PHONE' | 'EMAIL', value: string): string =>
  kind === 'PHONE' ? `+${value}` : value.toLowerCase();

const ownRecipient = (person: Person, kind: 'PHONE' | 'EMAIL'): string => {
  const label = kind.toLowerCase();
  return recipientOf(kind, person.identity[label] ?? person.valueOf(`${label} at sign-up`));
};

/** Changes the password in each way. */
export async function passwords(person: Person): Promise<void> {
  const changed = 'battery staple';
  await person.does('changePassword', { oldPassword: person.password, password: changed });
  const email = person.valueOf('email');
  await person.anyoneDoes('forgotPassword', { email });
  const token = await person.messageTo(email.toLowerCase(), /#([\w-]{43})/);
  await person.anyoneDoes('resetPassword', { token, password: changed });
  person.password = changed;
  await logIn(person);
}

/** Leaves a reset link and a code unused, like somebody who forgot the password and gave up. */
export async function unusedMessages(person: Person): Promise<void> {
  const { app } = person.surroundings;
  await person.anyoneDoes('forgotPassword', { email: person.valueOf('email').toUpperCase() });
  const phone = person.valueOf('phone');
  const before = await person.lastMessage();
  await person.anyoneDoes('sendOTP', { phone, purpose: 'FORGOT_PASSWORD' });
  const verificationCode = await person.messageTo(`+${phone}`, /\b(\d{4})\b/, before);
  await person.anyoneDoes('verifyOTP', { phone, verificationCode, purpose: 'FORGOT_PASSWORD' });
  await person.anyoneDoes('sendOTP', { phone, purpose: 'FORGOT_PASSWORD' });
  const waiting = () =>
    app.pool.query('select from state.mailed_link where student_id = $1', [person.studentId]);
  await eventually(waiting, ({ rowCount }) => (rowCount ?? 0) > 0);
  // Logged, and counted against guessing.
  const userName = latestUserName(person);
  await app.graphql('query($userName: String) { login(userName: $userName, password: "no") { error } }', {
    userName,
  });
}

export async function secondFactors(person: Person): Promise<void> {
  const codes = await setUpTotp(person);
  await person.does('renameTotp', { name: person.hiddenValue('former app') });
  await person.does('confirmSecondFactor', { code: codes.pop() });
  await savePasskey(person, 'former passkey', 'hiddenValue');
  const { secondFactor } = await person.anyoneDoes<{ secondFactor: { ticket: string } }>(
    'login',
    { userName: latestUserName(person), password: person.password },
    'secondFactor { ticket }',
  );
  await person.anyoneDoes('startPasskeySignIn', { ticket: secondFactor.ticket });
  const { accessToken } = await person.anyoneDoes<{ accessToken: string }>(
    'finishSecondFactor',
    { ticket: secondFactor.ticket, code: codes.pop() },
    'accessToken',
  );
  person.token = accessToken;
  await person.does('renewRecoveryCodes');
  const [former] = await passkeysOf(person);
  await person.does('removePasskey', { id: former?._id });
  await person.does('removeTotp');
  await setUpTotp(person);
  const userName = latestUserName(person);
  await person.staffDoes('resetSecondFactor', {
    studentId: person.studentId,
    reason: person.value('reason of the first reset'),
  });
  await logIn(person, userName);
  await person.does('dismissSecondFactorReset');
  await setUpTotp(person);
  await person.staffDoes('resetSecondFactor', {
    studentId: person.studentId,
    reason: person.value('reason of the reset'),
  });
  await logIn(person, userName);
}

/** After all logins, which would ask for them. */
export async function lastingSecondFactors(person: Person): Promise<void> {
  await setUpTotp(person);
  await person.does('renameTotp', { name: person.value('app') });
  await savePasskey(person, 'passkey', 'value');
  const [passkey] = await passkeysOf(person);
  await person.does('renamePasskey', { id: passkey?._id, name: person.value('renamed passkey') });
  await person.does('startPasskeyConfirmation');
  await person.does('startPasskey', { password: person.password });
}

const passkeysOf = async (person: Person) =>
  (await person.reads<{ passkeys: { _id: string }[] }>('getSecondFactor { passkeys { _id } }')).passkeys;

async function setUpTotp(person: Person): Promise<string[]> {
  const { password } = person;
  const { secret } = await person.does<{ secret: string }>('startTotp', { password }, 'secret');
  const code = totpCode(secret, new Date());
  const { recoveryCodes } = await person.does<{ recoveryCodes: string[] }>(
    'finishTotp',
    { code },
    'recoveryCodes',
  );
  person.hiddenValue('secret of the app', secret);
  return [...recoveryCodes];
}

/** Stores the passkey directly: a ceremony needs an authenticator. */
const savePasskey = (person: Person, label: string, as: 'value' | 'hiddenValue') =>
  person.surroundings.app.api.get(Passkeys, { strict: false }).save(person.studentId, {
    credentialId: person[as](`${label} credential`),
    name: person.hiddenValue(label),
    publicKey: Buffer.from(person[as](`${label} key`)),
    counter: 0,
    transports: [],
  });

export async function sessions(person: Person): Promise<void> {
  const first = person.token;
  await logIn(person);
  const all = await person.reads<{ _id: string; isCurrent: boolean }[]>('getSessions { _id isCurrent }');
  await person.does('endSession', { id: all.find(({ isCurrent }) => !isCurrent)?._id });
  expect(first).not.toBe(person.token);
  await logIn(person);
  await person.does('endOtherSessions');
  await person.does('logout');
  await logIn(person);
}

/** Links an account at another service by its email, with groups. */
export async function linkedAccount(person: Person, provider: OpenIdProvider): Promise<void> {
  const { app } = person.surroundings;
  const sub = person.value('account at the provider');
  const groups = [GROUP];
  provider.addAccount({ sub, email: person.valueOf('email'), email_verified: true, groups });
  const { url, secret } = await person.anyoneDoes<{ url: string; secret: string }>(
    'startSignIn',
    { provider: 'first' },
    'url secret',
  );
  const { pathname, search } = new URL(await new HeadlessBrowser(provider.issuer).logInAs(sub, url));
  const back = await fetch(`${app.url}${pathname}${search}`, { redirect: 'manual' });
  const code = new URLSearchParams(back.headers.get('location')?.split('#')[1]).get('code');
  const { id } = await person.anyoneDoes<{ id: string }>('finishSignIn', { code, secret }, 'id accessToken');
  expect(id).toBe(person.studentId);
}
/** Named by an invitation of a space. */
export const GROUP = 'teachers of physics';

export async function erasuresWithdrawn(person: Person): Promise<void> {
  const { studentId, password } = person;
  await person.does('deleteOwnAccount', { password, withPosts: true });
  await person.does('cancelOwnErasure');
  const reason = person.value('reason of a cancelled erasure');
  await person.staffDoes('eraseAccount', { studentId, reason, withPosts: false });
  await person.staffDoes('cancelErasure', { studentId });
}

export async function exports(person: Person): Promise<void> {
  const isReady = () =>
    eventually(
      () => person.reads<{ status: string } | null>('getOwnExport { status }'),
      (found) => found?.status === 'READY',
    );
  await person.does('requestOwnExport', { language: 'en' }, 'status');
  await isReady();
  await person.does('deleteOwnExport');
  await person.does('requestOwnExport', { language: 'en' }, 'status');
  await isReady();
}
