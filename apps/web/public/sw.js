// Keeps the app itself for when the server is away: its page, and its parts, whose names change with their content. It is the same for every
// build, so a new build needs no new worker: the page comes from the network whenever that answers. Answers of the api are kept by the app
// (lib/kept-answers.ts), which knows whose they are. See docs/decisions/web-app.md.
const SHELL = 'nimo-shell';
const PARTS = 'nimo-parts';
const FETCHED_AT_ONCE = 6;
/** What a proxy says while there is no api behind it. */
const AWAY = new Set([502, 503, 504]);

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  if (Array.isArray(event.data?.parts)) event.waitUntil(keep(event.data.parts).catch(() => undefined));
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
    return AWAY.has(answer.status) ? ((await shell()) ?? answer) : answer;
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

/** The page last: by then everything that it needs is there. */
async function keep(used) {
  const [page, list] = await Promise.all([
    fetch('/space', { headers: { accept: 'text/html' }, cache: 'no-store' }),
    fetch('/offline.json', { cache: 'no-store' }),
  ]);
  if (!page.ok || !list.ok) return;
  const { keep: wanted, all } = await list.json();
  const parts = await caches.open(PARTS);
  const ours = new Set(all);
  const paths = new Set([...wanted, ...used.filter((name) => ours.has(name))]);
  const missing = [];
  for (const path of paths) if (!(await parts.match(path))) missing.push(path);
  // A few at a time: whoever uses the app meanwhile comes first.
  while (missing.length > 0)
    await Promise.all(missing.splice(0, FETCHED_AT_ONCE).map((path) => fetchPart(parts, path)));
  for (const { url } of await parts.keys()) if (!ours.has(new URL(url).pathname)) await parts.delete(url);
  await (await caches.open(SHELL)).put('/', page);
}
