import { paths } from '../../../lib/paths';

const KEY = 'pendingInvitation';
const LIVES_MS = 24 * 60 * 60 * 1_000;

/** @param hash of the address, including its # */
export function decodeSecret(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // Not a valid secret; the API then reports an unknown invitation.
    return hash.slice(1);
  }
}

const LINK_SECRET = /^[\w-]{43}$/;

/** The page of an invitation. @param input a secret, a class code, or a whole link or address that someone pasted */
export function invitationPath(input: string): string {
  const secret = input.trim().replace(/^.*\/join[/#]/, '');
  return LINK_SECRET.test(secret) ? paths.invitation(secret) : paths.classCode(secret);
}

/** Kept during sign-up, even when an email opens another tab. */
export function keepInvitation(secret: string): void {
  localStorage.setItem(KEY, JSON.stringify({ secret, at: Date.now() }));
}

/** Reads and removes it; undefined after a day. */
export function takeInvitation(): string | undefined {
  const kept = localStorage.getItem(KEY);
  localStorage.removeItem(KEY);
  try {
    const { secret, at } = JSON.parse(kept ?? '{}') as { secret?: unknown; at?: unknown };
    const isFresh = typeof at === 'number' && Date.now() - at < LIVES_MS;
    return isFresh && typeof secret === 'string' && secret !== '' ? secret : undefined;
  } catch {
    return undefined;
  }
}
