import { accessToken } from './auth-storage';

/** How long the outlines of parts that are still on their way keep the app's page back. */
const patience = 5000;

/**
 * Keeps what the server rendered in sight, in front of the hidden root, until the app has the same to show: a heading and no outlines.
 * Where the app gets nothing to show, because the api is away, the served page stays, which can at least be read.
 */
export function keepServedPage(root: HTMLElement): void {
  const served = root.firstElementChild;
  // A signed-in student sees the question inside the product, which looks different anyway.
  if (!served || accessToken() !== null) return;
  root.before(served);
  root.hidden = true;
  let isLate = false;
  const release = () => {
    const isShown = root.querySelector('h1') !== null;
    if (!isShown || (!isLate && root.querySelector('.mantine-Skeleton-root') !== null)) return;
    observer.disconnect();
    served.remove();
    root.hidden = false;
  };
  const observer = new MutationObserver(release);
  observer.observe(root, { childList: true, subtree: true });
  setTimeout(() => {
    isLate = true;
    release();
  }, patience);
}
