import { useSyncExternalStore } from 'react';
import { newListeners } from './listeners';

/**
 * A secret that every tab of this browser can read until the browser is closed, and nobody afterwards.
 *
 * It is kept in two halves that are worth nothing alone: a random pad in a session cookie, which the browser drops when it ends, and the
 * secret under that pad in local storage, which no request carries. So no request is ever made in somebody's name by the cookie.
 */

/** Cookies are shared by all ports of a host; local storage is not. */
const cookieName = (): string => `nimo-browser${location.port === '' ? '' : `-${location.port}`}`;

const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const combine = (bytes: Uint8Array, pad: Uint8Array): Uint8Array =>
  bytes.map((byte, index) => byte ^ (pad[index] ?? 0));

function setCookie(value: string, more = ''): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${cookieName()}=${value}; Path=/; SameSite=Strict${secure}${more}`;
}

function readPad(): Uint8Array | null {
  const prefix = `${cookieName()}=`;
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(prefix));
  return found === undefined ? null : fromHex(found.slice(prefix.length));
}

/** Puts a new pad into the cookie. @returns the half for local storage */
export function seal(secret: string): string {
  const bytes = new TextEncoder().encode(secret);
  const pad = crypto.getRandomValues(new Uint8Array(bytes.length));
  setCookie(toHex(pad));
  return toHex(combine(bytes, pad));
}

/** @returns null where the browser was closed since, or the halves do not belong together */
export function open(sealed: string): string | null {
  const [bytes, pad] = [fromHex(sealed), readPad()];
  if (!bytes || pad?.length !== bytes.length) return null;
  const secret = new TextDecoder().decode(combine(bytes, pad));
  return /^[\x21-\x7e]+$/.test(secret) ? secret : null;
}

export function forgetPad(): void {
  setCookie('', '; Max-Age=0');
}

/** The signed-in student as it is kept locally. */
export interface AuthUser {
  _id: string;
  firstName: string;
  lastName: string;
  userName: string;
  profileDesc: string;
  realProfilePicUrl: string | null;
}

/** The space that the student is in. */
export interface CurrentSpace {
  _id: string;
  name: string;
}

interface Session {
  accessToken: string | null;
  user: AuthUser | null;
  space: CurrentSpace | null;
}

const keys = {
  user: 'authUser',
  space: 'currentSpace',
  left: 'leftSession',
  accessToken: 'accessToken',
  sealedToken: 'sealedAccessToken',
} as const;
const nobody: Session = { accessToken: null, user: null, space: null };

/** Why nobody is signed in any more, where it was not meant: the api ended the session, or another tab logged out. */
export type SignOutReason = 'ended' | 'elsewhere';

const { subscribe, notify } = newListeners();
let session = readSession();
let signOutReason: SignOutReason | undefined;

// What an ended browser left behind is of no use to anybody.
if (session.user === null && localStorage.getItem(keys.sealedToken) !== null) clear();

function readJson<T>(key: string, isValid: (value: Partial<T>) => boolean): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof value === 'object' && value !== null && isValid(value) ? (value as T) : null;
  } catch {
    return null;
  }
}

function readToken(): string | null {
  const remembered = localStorage.getItem(keys.accessToken);
  if (remembered !== null) return remembered;
  const sealed = localStorage.getItem(keys.sealedToken);
  return sealed === null ? null : open(sealed);
}

function readSession(): Session {
  const token = readToken();
  const user = readJson<AuthUser>(keys.user, ({ _id, userName }) => Boolean(_id && userName));
  if (token === null || !user) return nobody;
  const space = readJson<CurrentSpace>(keys.space, ({ _id, name }) => Boolean(_id && name));
  return { accessToken: token, user, space };
}

function publish(next = readSession()): void {
  session = next;
  if (session.user) signOutReason = undefined;
  notify();
}

/** A cookie that another tab wrote may come later than what it wrote into the storage, and of a cookie nobody tells. */
const LOOKS_AGAIN_MS = [20, 100, 500, 2_000] as const;
let looking: number | undefined;

function readOther(looks = 0): void {
  clearTimeout(looking);
  const next = readSession();
  if (session.user && !next.user)
    signOutReason = leftSession()?.studentId === session.user._id ? 'ended' : 'elsewhere';
  publish(next);
  const pause = LOOKS_AGAIN_MS[looks];
  if (next.user || pause === undefined || localStorage.getItem(keys.sealedToken) === null) return;
  looking = window.setTimeout(() => readOther(looks + 1), pause);
}

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key === null || Object.values<string>(keys).includes(key)) readOther();
});

/** The beginning of the names of caches with what somebody read, and the person's id after it. */
export const KEPT_ANSWERS = 'nimo-read-';

/** What somebody read is not for whoever comes next at this device. */
async function forgetKeptAnswers(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(KEPT_ANSWERS)) await caches.delete(name);
}

function clear(kept?: string): void {
  // There are none without HTTPS.
  if ('caches' in window) void forgetKeptAnswers();
  for (const key of Object.values<string>(keys)) if (key !== kept) localStorage.removeItem(key);
  forgetPad();
}

/** Whose session the api ended, and in which space: the next log-in of the same student leads back into it. */
interface LeftSession {
  studentId: string;
  space: CurrentSpace | null;
}

const leftSession = (): LeftSession | null =>
  readJson<LeftSession>(keys.left, ({ space }) => space === null || Boolean(space?._id && space.name));

/** Keeps the session for all tabs: beyond the browser's end when it is to be remembered, otherwise until then. */
export function signIn(accessToken: string, user: AuthUser, remember: boolean): void {
  const left = leftSession();
  const space = left?.studentId === user._id ? left.space : null;
  clear();
  if (space) localStorage.setItem(keys.space, JSON.stringify(space));
  localStorage.setItem(keys.user, JSON.stringify(user));
  // The token last: by then the other tabs find whose it is.
  if (remember) localStorage.setItem(keys.accessToken, accessToken);
  else localStorage.setItem(keys.sealedToken, seal(accessToken));
  publish();
}

/**
 * Forgets token, student and space, in all tabs. The guards then lead to the login.
 * @param reason said there; none where it was meant
 */
export function signOut(reason?: SignOutReason): void {
  const { user, space } = session;
  if (reason === 'ended' && user) {
    // First: the other tabs find the reason when they find that nobody is signed in.
    const left: LeftSession = { studentId: user._id, space };
    localStorage.setItem(keys.left, JSON.stringify(left));
  }
  clear(reason === 'ended' ? keys.left : undefined);
  signOutReason = reason;
  publish();
}

/** Why this tab is signed out, where that needs saying. */
export function whySignedOut(): SignOutReason | undefined {
  return signOutReason;
}

/** Brings the kept student up to date after a change of the profile. */
export function updateAuthUser(changes: Partial<Omit<AuthUser, '_id'>>): void {
  if (!session.user) return;
  localStorage.setItem(keys.user, JSON.stringify({ ...session.user, ...changes }));
  publish();
}

export function enterSpace({ _id, name }: CurrentSpace): void {
  localStorage.setItem(keys.space, JSON.stringify({ _id, name }));
  publish();
}

export function exitSpace(): void {
  localStorage.removeItem(keys.space);
  publish();
}

export function accessToken(): string | null {
  return session.accessToken;
}

/** The signed-in student, outside of what is drawn. */
export const authUser = (): AuthUser | null => session.user;

/** The header that says who asks; none for a visitor. */
export function authorization(): { authorization?: string } {
  return session.accessToken === null ? {} : { authorization: `Bearer ${session.accessToken}` };
}

/** The signed-in student, or null for a visitor. */
export function useAuthUser(): AuthUser | null {
  return useSyncExternalStore(subscribe, () => session.user);
}

/** The space that was entered last, or null. */
export function useCurrentSpace(): CurrentSpace | null {
  return useSyncExternalStore(subscribe, () => session.space);
}
