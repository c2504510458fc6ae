import { useMemo, useSyncExternalStore } from 'react';
import { reportTypes, type ReportType } from './report-type';
import { newListeners } from '../../lib/listeners';

type HiddenPosts = Partial<Record<ReportType, readonly string[]>>;

const nothing: HiddenPosts = {};
const { subscribe, notify } = newListeners();
const cache = new Map<string, HiddenPosts>();

function keyOf(studentId: string): string {
  return `hiddenPosts:${studentId}`;
}

function read(studentId: string): HiddenPosts {
  const known = cache.get(studentId);
  if (known) return known;
  let posts = nothing;
  try {
    posts = parseHidden(JSON.parse(localStorage.getItem(keyOf(studentId)) ?? 'null'));
  } catch {
    localStorage.removeItem(keyOf(studentId));
  }
  cache.set(studentId, posts);
  return posts;
}

/** Extracts valid lists: users can edit the storage. */
function parseHidden(stored: unknown): HiddenPosts {
  const lists = new Map(Object.entries(stored ?? {}).filter(([, ids]) => Array.isArray(ids)));
  return Object.fromEntries(
    reportTypes.flatMap((type) => (lists.has(type) ? [[type, lists.get(type)]] : [])),
  );
}

// Another tab hid a post, or the storage was cleared.
window.addEventListener('storage', () => {
  cache.clear();
  notify();
});

/** Hides reported or deleted posts from this student, on this device. */
export function hidePosts(studentId: string, type: ReportType, ids: readonly string[]): void {
  const posts = read(studentId);
  const known = new Set(posts[type]);
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return;
  const next = { ...posts, [type]: [...known, ...added] };
  cache.set(studentId, next);
  localStorage.setItem(keyOf(studentId), JSON.stringify(next));
  notify();
}

/** IDs of the posts of a type that are hidden from this student. */
export function useHiddenPosts(studentId: string | undefined, type: ReportType): ReadonlySet<string> {
  const posts = useSyncExternalStore(subscribe, () => (studentId === undefined ? nothing : read(studentId)));
  return useMemo(() => new Set(posts[type]), [posts, type]);
}
