import { useEffect, useRef } from 'react';

/** Close handlers of the open full-screen elements; they share one history entry. */
const open = new Set<() => void>();

/** A programmatic step back is pending. */
let isLeaving = false;

const isCovered = (): boolean => (window.history.state as { isCovered?: boolean } | null)?.isCovered === true;

/** Keeps the router's part of the state, so that it takes the step back as one to the same page. */
function cover(): void {
  if (!isCovered()) window.history.pushState({ ...window.history.state, isCovered: true }, '');
}

/** A reload or Forward may lead to the entry of a closed element. */
function leaveIfClosed(): void {
  if (isLeaving || open.size > 0 || !isCovered()) return;
  isLeaving = true;
  window.history.back();
}

window.addEventListener('popstate', () => {
  const wasOwn = isLeaving;
  isLeaving = false;
  if (open.size === 0) leaveIfClosed();
  // Opened while the step back of the previous one was pending.
  else if (wasOwn) cover();
  else for (const close of [...open]) close();
});
leaveIfClosed();

/** While something fills the screen, Back closes it and stays on the page. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => latest.current();
    open.add(close);
    cover();
    return () => {
      open.delete(close);
      // The next one may open at once: discarding a draft opens an empty form.
      setTimeout(leaveIfClosed);
    };
  }, [isOpen]);
}
