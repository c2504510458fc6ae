/** Of development, which has no builds and keeps nothing. */
const isBuilt = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="nimo-build"]')?.content.startsWith('__') === false;

const usedParts = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname);

/** Has the app kept for when the server is away, when the page is at rest. */
export async function startOfflineWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isBuilt()) return;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage({ parts: usedParts() });
  } catch {
    // Forbidden by the browser: Nimo works all the same while there is a connection.
  }
}
