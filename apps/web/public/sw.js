// Caches the app for offline use: its page and its chunks, which have hashed names. The worker is the same for every
// build, so a new build needs no new worker: the page comes from the network whenever the server responds. API answers
// are cached by the app (lib/api/offline-cache.ts), which knows whose they are. See docs/decisions/web-app.md.
const SHELL = 'nimo-shell';
const PARTS = 'nimo-parts';
const CONCURRENT_FETCHES = 6;
/** Statuses of a proxy without an API behind it. */
const UNAVAILABLE = new Set([502, 503, 504]);

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  if (Array.isArray(event.data?.parts)) event.waitUntil(cacheApp(event.data.parts).catch(() => undefined));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(part(request));
});

async function page(request) {
  const shell = async () => (await caches.open(SHELL)).match('/');
  try {
    const answer = await fetch(request);
    return UNAVAILABLE.has(answer.status) ? ((await shell()) ?? answer) : answer;
  } catch (lost) {
    const kept = await shell();
    if (kept) return kept;
    throw lost;
  }
}

async function part(request) {
  const parts = await caches.open(PARTS);
  const kept = await parts.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await parts.put(request.url, answer.clone());
  return answer;
}

async function fetchPart(parts, path) {
  const answer = await fetch(path);
  if (answer.ok) await parts.put(path, answer);
}

/** Caches the page last, once everything it needs is cached. */
async function cacheApp(used) {
  const [page, list] = await Promise.all([
    fetch('/space', { headers: { accept: 'text/html' }, cache: 'no-store' }),
    fetch('/offline.json', { cache: 'no-store' }),
  ]);
  if (!page.ok || !list.ok) return;
  const { keep: precached, all } = await list.json();
  const parts = await caches.open(PARTS);
  const current = new Set(all);
  const paths = new Set([...precached, ...used.filter((name) => current.has(name))]);
  const missing = [];
  for (const path of paths) if (!(await parts.match(path))) missing.push(path);
  // A few at a time, so that the requests of the user come first.
  while (missing.length > 0)
    await Promise.all(missing.splice(0, CONCURRENT_FETCHES).map((path) => fetchPart(parts, path)));
  for (const { url } of await parts.keys()) if (!current.has(new URL(url).pathname)) await parts.delete(url);
  await (await caches.open(SHELL)).put('/', page);
}
