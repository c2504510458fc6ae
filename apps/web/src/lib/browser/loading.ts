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

/** Number of visible skeletons. */
let skeletonCount = 0;
const { subscribe, notify } = newListeners();

function count(by: 1 | -1): void {
  skeletonCount += by;
  notify();
}

/** Skeletons are silent for screen readers: `LoadingStatus` announces for all of them that something is loading. */
export function useSkeletonCount(isAnnounced = true): void {
  useEffect(() => {
    if (!isAnnounced) return undefined;
    count(1);
    return () => count(-1);
  }, [isAnnounced]);
}

export const useIsLoading = (): boolean => useSyncExternalStore(subscribe, () => skeletonCount > 0);

/** Calls back once no skeleton is visible; immediately if there is none. */
export function onceLoaded(loaded: () => void): () => void {
  const check = (): void => {
    if (skeletonCount > 0) return;
    stop();
    loaded();
  };
  const stop = subscribe(check);
  check();
  return stop;
}

/** The server no longer has this chunk: the page is of an older build. */
export class MissingChunkError extends Error {
  override readonly name = 'MissingChunkError';
}

/** Attempts while the server responds with errors, which may be temporary, before the chunk counts as gone. */
const MAX_FAILURES = 2;

// The `sheet` property cannot tell: in Chromium a failed sheet is empty and one still loading has none.
const failedStyles = new Set<HTMLLinkElement>();
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  true,
);

/**
 * Removes failed style sheets, which the next import would not request again. Sheets that are still loading stay:
 * their import waits for an event of this very element.
 */
async function removeFailedStyles(): Promise<void> {
  const links = [...failedStyles];
  failedStyles.clear();
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
const MIN_RELOAD_INTERVAL_MS = 60_000;

/**
 * Chromium caches a failed import until the page is left, so only a reload helps.
 * @returns whether the page reloads; at most once a minute
 */
function reloadOnce(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED));
    if (Math.abs(Date.now() - last) < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** Loads a chunk and waits while the server is away. @throws MissingChunkError if the server answers without the chunk */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 0; ;) {
    try {
      return await load();
    } catch (cause) {
      if (await tryNow()) failures += 1;
      if (failures >= MAX_FAILURES) {
        if (isOwnVersionServed() && reloadOnce()) return new Promise(() => undefined);
        noteNewVersion();
        throw new MissingChunkError('The server no longer has this chunk.', { cause });
      }
      await whenReached();
      await removeFailedStyles();
    }
  }
}

export type LazyPart<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/**
 * React's `lazy`, which caches the first failure, on top of `loadPart`, which survives a lost connection. A preloaded
 * component renders at once: `lazy` would show its fallback first.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: FunctionComponent<Props> }>,
): LazyPart<Props> {
  let preloaded: FunctionComponent<Props> | undefined;
  // The props are the same, but unknown at this point, so the type cannot say so.
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

/** Runs when the browser is idle. */
function whenIdle(act: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 1_000);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(act, { timeout: 5_000 });
  return () => cancelIdleCallback(idle);
}

/** Preloads chunks when idle, after everything that has a skeleton. Errors are left to the code that needs the chunk. */
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
