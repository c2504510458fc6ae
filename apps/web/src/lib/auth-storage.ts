import { useSyncExternalStore } from 'react';

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

const keys = { user: 'authUser', space: 'currentSpace', accessToken: 'accessToken' } as const;
const nobody: Session = { accessToken: null, user: null, space: null };

const listeners = new Set<() => void>();
let session = readSession();

function readJson<T>(storage: Storage, key: string, isValid: (value: Partial<T>) => boolean): T | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return typeof value === 'object' && value !== null && isValid(value) ? (value as T) : null;
  } catch {
    return null;
  }
}

function readSession(): Session {
  const storage = [localStorage, sessionStorage].find(
    (candidate) => candidate.getItem(keys.accessToken) !== null,
  );
  if (!storage) return nobody;
  const user = readJson<AuthUser>(storage, keys.user, ({ _id, userName }) => Boolean(_id && userName));
  if (!user) return nobody;
  return {
    accessToken: storage.getItem(keys.accessToken),
    user,
    space: readJson<CurrentSpace>(localStorage, keys.space, ({ _id, name }) => Boolean(_id && name)),
  };
}

function publish(): void {
  session = readSession();
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Another tab signed in or out.
window.addEventListener('storage', publish);

function clear(): void {
  for (const storage of [localStorage, sessionStorage]) {
    Object.values(keys).forEach((key) => storage.removeItem(key));
  }
}

/** Keeps the session: beyond the browser's end when it is to be remembered, otherwise for this tab. */
export function signIn(accessToken: string, user: AuthUser, remember: boolean): void {
  clear();
  const storage = remember ? localStorage : sessionStorage;
  storage.setItem(keys.accessToken, accessToken);
  storage.setItem(keys.user, JSON.stringify(user));
  publish();
}

/** Forgets token, student and space. The guards then lead to the login. */
export function signOut(): void {
  clear();
  publish();
}

/** Brings the kept student up to date after a change of the profile. */
export function updateAuthUser(changes: Partial<Omit<AuthUser, '_id'>>): void {
  if (!session.user) return;
  const storage = localStorage.getItem(keys.user) === null ? sessionStorage : localStorage;
  storage.setItem(keys.user, JSON.stringify({ ...session.user, ...changes }));
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
