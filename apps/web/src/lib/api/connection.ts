import { useEffect, useRef, useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/**
 * Whether the server can be reached, for the whole page: `offline` says the browser, `unreachable` a question to the server that
 * got no answer.
 */
export type Connection = 'reached' | 'offline' | 'unreachable';

/** Longer from try to try, so that a server that starts again is not met by everybody every second. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000];
const PATIENCE = 5_000;

const { subscribe, notify } = newListeners();
const recoveries = newListeners();

let connection: Connection = navigator.onLine ? 'reached' : 'offline';
let hasNewVersion = false;
let servedVersion: string | null = null;
let tries = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<boolean> | undefined;

function become(next: Connection): void {
  if (next === connection) return;
  connection = next;
  notify();
  if (next !== 'reached') return;
  tries = 0;
  clearTimeout(nextTry);
  recoveries.notify();
}

async function ask(): Promise<boolean> {
  try {
    const answer = await fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) noteServedVersion(answer.headers.get('x-web-version'));
    return answer.ok;
  } catch {
    return false;
  }
}

/** Asks the server once, however many want to know. @returns whether it answered */
export async function tryNow(): Promise<boolean> {
  asking ??= ask().finally(() => (asking = undefined));
  const isThere = await asking;
  if (isThere) become('reached');
  else {
    become(navigator.onLine ? 'unreachable' : 'offline');
    clearTimeout(nextTry);
    nextTry = setTimeout(() => void tryNow(), WAITS[Math.min(tries, WAITS.length - 1)]);
    tries += 1;
  }
  return isThere;
}

/** Something got no answer: found out at once whether the server is away, and then until it is back. */
export function suspect(): void {
  if (connection === 'reached') void tryNow();
}

export const isReached = (): boolean => connection === 'reached';

/** Settles when the server is reached; at once where it is. */
export function whenReached(): Promise<void> {
  if (connection === 'reached') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onRecovery(() => {
      stop();
      resolve();
    });
  });
}

/** Told each time the server is back. @returns what ends it */
export const onRecovery = recoveries.subscribe;

/** The same while something waits for it. */
export function useOnRecovery(isAwaited: boolean, recovered: () => void): void {
  const latest = useRef(recovered);
  useEffect(() => {
    latest.current = recovered;
  });
  useEffect(() => (isAwaited ? onRecovery(() => latest.current()) : undefined), [isAwaited]);
}

window.addEventListener('offline', () => become('offline'));
window.addEventListener('online', () => void tryNow());

/** The build that this page came from, as the server wrote it into the page; none in development. */
const ownVersion = document.querySelector<HTMLMetaElement>('meta[name="nimo-build"]')?.content;

/**
 * The api itself has answered: nobody waits for the next try.
 * @param version of the web app that the server has now
 */
export function noteServedVersion(version: string | null): void {
  if (version === null) return;
  servedVersion = version;
  become('reached');
  if (hasNewVersion || ownVersion === undefined || ownVersion.startsWith('__')) return;
  if (version !== ownVersion) noteNewVersion();
}

/** @returns whether the server is known to serve the build of this page */
export const isOwnVersionServed = (): boolean => servedVersion !== null && servedVersion === ownVersion;

/** What this page needs is not there any more. */
export function noteNewVersion(): void {
  hasNewVersion = true;
  notify();
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** Whether the server serves another build than the one of this page. */
export const useHasNewVersion = (): boolean => useSyncExternalStore(subscribe, () => hasNewVersion);
