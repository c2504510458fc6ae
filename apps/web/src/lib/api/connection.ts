import { useEffect, useRef, useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/** Whether the server can be reached: the browser reports `offline`; `unreachable` means that a request got no answer. */
export type Connection = 'reached' | 'offline' | 'unreachable';

/** Backoff, so that a restarting server is not hit by everyone every second. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
const PING_TIMEOUT_MS = 5_000;

const { subscribe, notify } = newListeners();
const recoveries = newListeners();

let connection: Connection = navigator.onLine ? 'reached' : 'offline';
let hasNewVersion = false;
let servedVersion: string | null = null;
let tries = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;
let pendingPing: Promise<boolean> | undefined;

function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  notify();
  if (next !== 'reached') return;
  tries = 0;
  clearTimeout(nextTry);
  recoveries.notify();
}

async function ping(): Promise<boolean> {
  try {
    const answer = await fetch('/health/live', {
      cache: 'no-store',
      signal: AbortSignal.timeout(PING_TIMEOUT_MS),
    });
    if (answer.ok) noteServedVersion(answer.headers.get('x-web-version'));
    return answer.ok;
  } catch {
    return false;
  }
}

/** Pings the server; concurrent callers share one request. @returns whether it answered */
export async function tryNow(): Promise<boolean> {
  pendingPing ??= ping().finally(() => (pendingPing = undefined));
  const isUp = await pendingPing;
  if (isUp) setConnection('reached');
  else {
    setConnection(navigator.onLine ? 'unreachable' : 'offline');
    clearTimeout(nextTry);
    nextTry = setTimeout(() => void tryNow(), RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)]);
    tries += 1;
  }
  return isUp;
}

/** Call when a request got no answer: checks the server now, and then until it is back. */
export function suspectOutage(): void {
  if (connection === 'reached') void tryNow();
}

export const isReached = (): boolean => connection === 'reached';

/** Resolves when the server can be reached. */
export function whenReached(): Promise<void> {
  if (connection === 'reached') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onRecovery(() => {
      stop();
      resolve();
    });
  });
}

/** Calls the listener each time the server is back. @returns unsubscribe */
export const onRecovery = recoveries.subscribe;

/** Calls `recovered` when the server is back, while `isAwaited`. */
export function useOnRecovery(isAwaited: boolean, recovered: () => void): void {
  const latest = useRef(recovered);
  useEffect(() => {
    latest.current = recovered;
  });
  useEffect(() => (isAwaited ? onRecovery(() => latest.current()) : undefined), [isAwaited]);
}

window.addEventListener('offline', () => setConnection('offline'));
window.addEventListener('online', () => void tryNow());

/** The build of this page, written into it by the server; undefined in development. */
const ownVersion = document.querySelector<HTMLMetaElement>('meta[name="nimo-build"]')?.content;

/** The API itself has answered: stop waiting for the next check. @param version of the web app on the server */
export function noteServedVersion(version: string | null): void {
  if (version === null) return;
  servedVersion = version;
  setConnection('reached');
  if (hasNewVersion || ownVersion === undefined || ownVersion.startsWith('__')) return;
  if (version !== ownVersion) noteNewVersion();
}

/** @returns whether the server is known to serve the build of this page */
export const isOwnVersionServed = (): boolean => servedVersion !== null && servedVersion === ownVersion;

/** Something this page needs no longer exists on the server. */
export function noteNewVersion(): void {
  hasNewVersion = true;
  notify();
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** Whether the server serves another build than this page's. */
export const useHasNewVersion = (): boolean => useSyncExternalStore(subscribe, () => hasNewVersion);
