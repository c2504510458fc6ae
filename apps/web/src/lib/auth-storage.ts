import { useSyncExternalStore } from 'react';
import { newListeners } from './listeners';

/**
 * A secret that every tab can read until the browser is closed. It is stored in two halves, each useless alone: a
 * random pad in a session cookie, which the browser drops when it closes, and the secret XORed with it in local
 * storage, which no request carries. The cookie alone therefore authenticates nothing.
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

/** @returns null if the browser was closed, or if the halves do not match */
export function open(sealed: string): string | null {
  const [bytes, pad] = [fromHex(sealed), readPad()];
  if (!bytes || pad?.length !== bytes.length) return null;
  const secret = new TextDecoder().decode(combine(bytes, pad));
  return /^[\x21-\x7e]+$/.test(secret) ? secret : null;
}

export function forgetPad(): void {
  setCookie('', '; Max-Age=0');
}

/** The signed-in student, as stored locally. */
export interface AuthUser {
  _id: string;
  firstName: string;
  lastName: string;
  userName: string;
  profileDesc: string;
  realProfilePicUrl: string | null;
}

/** The student's current space. */
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
const signedOut: Session = { accessToken: null, user: null, space: null };

/** Why the session ended without the person's doing: the API ended it, or another tab logged out. */
export type SignOutReason = 'ended' | 'elsewhere';

const { subscribe, notify } = newListeners();
let session = readSession();
let signOutReason: SignOutReason | undefined;

// Leftovers of a closed browser are useless.
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
  if (token === null || !user) return signedOut;
  const space = readJson<CurrentSpace>(keys.space, ({ _id, name }) => Boolean(_id && name));
  return { accessToken: token, user, space };
}

function publish(next = readSession()): void {
  session = next;
  if (session.user) signOutReason = undefined;
  notify();
}

/** A cookie set by another tab may arrive after its local storage, and there is no event for cookies. */
const REREAD_DELAYS_MS = [20, 100, 500, 2_000] as const;
let rereadTimer: number | undefined;

function syncSession(attempt = 0): void {
  clearTimeout(rereadTimer);
  const next = readSession();
  if (session.user && !next.user)
    signOutReason = leftSession()?.studentId === session.user._id ? 'ended' : 'elsewhere';
  publish(next);
  const pause = REREAD_DELAYS_MS[attempt];
  if (next.user || pause === undefined || localStorage.getItem(keys.sealedToken) === null) return;
  rereadTimer = window.setTimeout(() => syncSession(attempt + 1), pause);
}

// Another tab logged in or out.
window.addEventListener('storage', ({ key }) => {
  if (key === null || Object.values<string>(keys).includes(key)) syncSession();
});

/** Prefix of the caches with a person's data; the person's id follows. */
export const OFFLINE_CACHE_PREFIX = 'nimo-read-';

/** Deletes cached reads, so that the next person on this device does not see them. */
async function deleteOfflineCaches(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(OFFLINE_CACHE_PREFIX)) await caches.delete(name);
}

function clear(kept?: string): void {
  // Not available without HTTPS.
  if ('caches' in window) void deleteOfflineCaches();
  for (const key of Object.values<string>(keys)) if (key !== kept) localStorage.removeItem(key);
  forgetPad();
}

/** Whose session the API ended, and in which space: the same student returns there at the next login. */
interface LeftSession {
  studentId: string;
  space: CurrentSpace | null;
}

const leftSession = (): LeftSession | null =>
  readJson<LeftSession>(keys.left, ({ space }) => space === null || Boolean(space?._id && space.name));

/** Stores the session for all tabs: permanently if it is to be remembered, otherwise until the browser is closed. */
export function signIn(accessToken: string, user: AuthUser, remember: boolean): void {
  const left = leftSession();
  const space = left?.studentId === user._id ? left.space : null;
  clear();
  if (space) localStorage.setItem(keys.space, JSON.stringify(space));
  localStorage.setItem(keys.user, JSON.stringify(user));
  // The token last: other tabs then already find whose it is.
  if (remember) localStorage.setItem(keys.accessToken, accessToken);
  else localStorage.setItem(keys.sealedToken, seal(accessToken));
  publish();
}

/**
 * Removes token, student and space in all tabs. The route guards then redirect to the login.
 * @param reason shown there; omitted for a deliberate logout
 */
export function signOut(reason?: SignOutReason): void {
  const { user, space } = session;
  if (reason === 'ended' && user) {
    // First, so that other tabs find the reason when they notice the logout.
    const left: LeftSession = { studentId: user._id, space };
    localStorage.setItem(keys.left, JSON.stringify(left));
  }
  clear(reason === 'ended' ? keys.left : undefined);
  signOutReason = reason;
  publish();
}

/** Why this tab was logged out, if that needs explaining. */
export function whySignedOut(): SignOutReason | undefined {
  return signOutReason;
}

/** Updates the stored student after a change of the profile. */
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

/** The signed-in student, for code outside React. */
export const authUser = (): AuthUser | null => session.user;

/** The authorization header; empty for a visitor. */
export function authorization(): { authorization?: string } {
  return session.accessToken === null ? {} : { authorization: `Bearer ${session.accessToken}` };
}

/** The signed-in student, or null for a visitor. */
export function useAuthUser(): AuthUser | null {
  return useSyncExternalStore(subscribe, () => session.user);
}

/** The last space entered, or null. */
export function useCurrentSpace(): CurrentSpace | null {
  return useSyncExternalStore(subscribe, () => session.space);
}
