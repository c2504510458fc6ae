import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';

/** The answer or comment of a question that somebody was led to. It is part of the step, not of the address, which the specification gives. */
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

/** Shows whoever was led to this post where it is, once a step: in view, with the focus and a frame. */
export function useShownTarget<T extends HTMLElement>(isTarget: boolean): RefObject<T> {
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

/** Whether the focus may be led on: it is nowhere, or rests where a composer was closed. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.hasAttribute('data-rest') === true;

/** Leads the focus to a post without scrolling; only a click or a key inside it did so before. */
export function focusPost(post: HTMLElement): void {
  post.tabIndex = -1;
  post.focus({ preventScroll: true });
}
