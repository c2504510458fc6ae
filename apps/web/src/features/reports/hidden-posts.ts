import { useMemo, useSyncExternalStore } from 'react';
import type { PostType } from '../../generated/graphql';

type HiddenPosts = Partial<Record<PostType, readonly string[]>>;

const nothing: HiddenPosts = {};
const listeners = new Set<() => void>();
const cache = new Map<string, HiddenPosts>();

function keyOf(studentId: string): string {
  return `hiddenPosts:${studentId}`;
}

function read(studentId: string): HiddenPosts {
  const known = cache.get(studentId);
  if (known) return known;
  let posts = nothing;
  try {
    posts = (JSON.parse(localStorage.getItem(keyOf(studentId)) ?? '{}') as HiddenPosts | null) ?? nothing;
  } catch {
    localStorage.removeItem(keyOf(studentId));
  }
  cache.set(studentId, posts);
  return posts;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Another tab reported something, or the storage was cleared.
window.addEventListener('storage', () => {
  cache.clear();
  listeners.forEach((listener) => listener());
});

/** Remembers, for this student, that posts are not to be shown any more: reported or deleted ones. */
export function hidePosts(studentId: string, postType: PostType, ids: readonly string[]): void {
  const posts = read(studentId);
  const known = new Set(posts[postType]);
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return;
  const next = { ...posts, [postType]: [...known, ...added] };
  cache.set(studentId, next);
  localStorage.setItem(keyOf(studentId), JSON.stringify(next));
  listeners.forEach((listener) => listener());
}

/** Ids of the posts of a type that this student does not see. */
export function useHiddenPosts(studentId: string | undefined, postType: PostType): ReadonlySet<string> {
  const posts = useSyncExternalStore(subscribe, () => (studentId === undefined ? nothing : read(studentId)));
  return useMemo(() => new Set(posts[postType]), [posts, postType]);
}
