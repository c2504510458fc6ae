import {
  createElement,
  type FunctionComponent,
  lazy,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { isOwnVersionServed, noteNewVersion, tryNow, whenReached } from '../api/connection';
import { newListeners } from '../listeners';

/** How many outlines stand where something is to come. */
let outlines = 0;
const { subscribe, notify } = newListeners();

function count(by: 1 | -1): void {
  outlines += by;
  notify();
}

/** An outline says nothing to who does not see it: while any is shown, `LoadingStatus` says for all of them that something loads. */
export function useOutline(isWaitedFor = true): void {
  useEffect(() => {
    if (!isWaitedFor) return undefined;
    count(1);
    return () => count(-1);
  }, [isWaitedFor]);
}

export const useIsLoading = (): boolean => useSyncExternalStore(subscribe, () => outlines > 0);

/** Calls it once no outline is shown, at once where there is none. */
export function onceLoaded(loaded: () => void): () => void {
  const look = (): void => {
    if (outlines > 0) return;
    stop();
    loaded();
  };
  const stop = subscribe(look);
  look();
  return stop;
}

/** A part of the app that the server has not got any more: the page is of an older build. */
export class PartGoneError extends Error {
  override readonly name = 'PartGoneError';
}

/** A fault of the server or a proxy, which may pass; what is gone for good fails as often. */
const TRIES_WHILE_REACHED = 2;

// Their `sheet` does not tell: Chromium gives one that failed an empty sheet, and one that still loads none.
const lostStyles = new Set<HTMLLinkElement>();
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target);
  },
  true,
);

/**
 * The next import of a part does not ask again for a style sheet that failed. Those that still load stay: their import waits for the event of
 * this very element, and would wait forever.
 */
async function reloadLostStyles(): Promise<void> {
  const links = [...lostStyles];
  lostStyles.clear();
  await Promise.all(
    links.map(
      (lost) =>
        new Promise<void>((resolve) => {
          const again = lost.cloneNode() as HTMLLinkElement;
          again.onload = again.onerror = () => resolve();
          lost.replaceWith(again);
        }),
    ),
  );
}

const RELOADED = 'reloadedAt';
const BETWEEN_RELOADS = 60_000;

/**
 * Chromium caches a failed import until the page is left, so only a reload can load the part again.
 * @returns whether the page reloads: at most once a minute
 */
function reloadOnce(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED));
    if (Math.abs(Date.now() - last) < BETWEEN_RELOADS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/**
 * Loads a part of the app, for as long as it takes: while the server is away, it waits for it.
 * @throws PartGoneError where the server is there and the part is not
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 0; ;) {
    try {
      return await load();
    } catch (cause) {
      if (await tryNow()) failures += 1;
      if (failures >= TRIES_WHILE_REACHED) {
        if (isOwnVersionServed() && reloadOnce()) return new Promise(() => undefined);
        noteNewVersion();
        throw new PartGoneError('A part of the app is not there.', { cause });
      }
      await whenReached();
      await reloadLostStyles();
    }
  }
}

export type LazyPart<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/**
 * `lazy` of React, which remembers the first failure for good, over `loadPart`, which does not fail for a lost connection. A part that is
 * preloaded is drawn at once: `lazy` would show its fallback first, and a slow device would draw the screen twice.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: FunctionComponent<Props> }>,
): LazyPart<Props> {
  let preloaded: FunctionComponent<Props> | undefined;
  // It takes the same props, which its type cannot say of props that are not known yet.
  const Lazy = lazy(() => loadPart(load)) as unknown as FunctionComponent<Props>;
  const Part = (props: Props) => {
    const [Shown] = useState<FunctionComponent<Props>>(() => preloaded ?? Lazy);
    return createElement(Shown, props);
  };
  const preload = async (): Promise<void> => {
    preloaded = (await load()).default;
  };
  return Object.assign(Part, { preload });
}

/** Calls it while the browser has nothing else to do. */
function whenIdle(act: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 1_000);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(act, { timeout: 5_000 });
  return () => cancelIdleCallback(idle);
}

/**
 * Loads parts while nobody waits, so that they are there when they are wanted: after all that the page shows an outline for, as a browser that
 * waits for that is idle, too. A failure is for whoever wants them.
 */
export function preloadParts(loads: readonly (() => Promise<unknown>)[]): () => void {
  const load = () => loads.forEach((each) => void each().catch(() => undefined));
  let cancelIdle = (): void => undefined;
  const stop = onceLoaded(() => {
    cancelIdle = whenIdle(load);
  });
  return () => {
    stop();
    cancelIdle();
  };
}
