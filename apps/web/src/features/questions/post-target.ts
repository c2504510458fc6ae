import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';

/** The linked answer or comment of a question. In the navigation state, because the specification fixes the URL. */
export interface PostTarget {
  answerId?: string | null;
  commentId?: string | null;
}

export interface PostTargetState {
  target: PostTarget;
}

export function usePostTarget(): PostTarget {
  return (useLocation().state as Partial<PostTargetState> | null)?.target ?? {};
}

/** Scrolls to the linked post and focuses it, once per navigation. */
export function useScrollToTarget<T extends HTMLElement>(isTarget: boolean): RefObject<T> {
  const post = useRef<T>(null);
  const { key } = useLocation();
  const shown = useRef<string>();
  useEffect(() => {
    if (!isTarget || shown.current === key) return;
    shown.current = key;
    post.current?.scrollIntoView({ block: 'center' });
    post.current?.focus({ preventScroll: true });
  }, [isTarget, key]);
  return post;
}

/** Whether the focus can be moved: it is on the body, or where a composer was closed. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.hasAttribute('data-rest') === true;

/** Focuses a post without scrolling. */
export function focusPost(post: HTMLElement): void {
  post.tabIndex = -1;
  post.focus({ preventScroll: true });
}
