import { useEffect, useRef } from 'react';

/** Closes the full-screen parts that are open; they share one step of the history. */
const open = new Set<() => void>();

/** A step back of our own is on its way. */
let isLeaving = false;

const isCovered = (): boolean => (window.history.state as { isCovered?: boolean } | null)?.isCovered === true;

/** The router reads its own part of the state, and takes the step back for one to the same page. */
function cover(): void {
  if (!isCovered()) window.history.pushState({ ...window.history.state, isCovered: true }, '');
}

/** A reload, or Forward, may lead to the step of a part that is closed. */
function leaveIfClosed(): void {
  if (isLeaving || open.size > 0 || !isCovered()) return;
  isLeaving = true;
  window.history.back();
}

window.addEventListener('popstate', () => {
  const wasOwn = isLeaving;
  isLeaving = false;
  if (open.size === 0) leaveIfClosed();
  // Opened while the step of the one before was on its way.
  else if (wasOwn) cover();
  else for (const close of [...open]) close();
});
leaveIfClosed();

/** While something fills the screen, Back closes it and stays on the page beneath it. */
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
      // The next may open in the same moment: a draft that is discarded leaves an empty form.
      setTimeout(leaveIfClosed);
    };
  }, [isOpen]);
}
