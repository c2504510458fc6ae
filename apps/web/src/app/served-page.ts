import { loadKatex } from '../components/rich-text/lazy-katex';
import { accessToken } from '../lib/auth-storage';

/** How long the outlines of parts that are still on their way keep the app's page back. */
const patience = 5000;

const unready = '.mantine-Skeleton-root, [data-source]:not([data-drawn])';
const mayHaveFormulas = /\$|nimo-math/;

/**
 * Keeps what the server rendered in sight, in front of the hidden root, until the app has the same to show: a heading, no outlines,
 * and no formula that is still its source.
 * Where the app gets nothing to show, because the api is away, the served page stays, which can at least be read.
 */
export function keepServedPage(root: HTMLElement): void {
  const served = root.firstElementChild;
  // A signed-in student sees the question inside the product, which looks different anyway.
  if (!served || accessToken() !== null) return;
  root.before(served);
  root.hidden = true;
  if (mayHaveFormulas.test(served.innerHTML)) void loadKatex();
  let isLate = false;
  const release = () => {
    const isShown = root.querySelector('h1') !== null;
    if (!isShown || (!isLate && root.querySelector(unready) !== null)) return;
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
