import { loadKatex } from '../components/rich-text/lazy-katex';
import { accessToken } from '../lib/auth-storage';

/** How long skeletons may delay showing the app, in ms. */
const MAX_DELAY_MS = 5000;

const unready = '.mantine-Skeleton-root, [data-source]:not([data-drawn])';
const mayHaveFormulas = /\$|nimo-math/;

/**
 * Shows the server-rendered page in front of the hidden root until the app is ready: a heading, no skeletons and no
 * unrendered formulas. If the API is unreachable, the served page stays, so it can at least be read.
 */
export function keepServedPage(root: HTMLElement): void {
  const served = root.firstElementChild;
  // Signed-in students see the question inside the app, with a different layout.
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
  }, MAX_DELAY_MS);
}
