import { useEffect, useRef } from 'react';

const isCovered = (): boolean => (window.history.state as { isCovered?: boolean } | null)?.isCovered === true;

/** While something fills the screen, Back closes it and stays on the page beneath it. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  const leaving = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    if (!isOpen) return undefined;
    clearTimeout(leaving.current);
    // The router reads its own part of the state, and takes the step back for one to the same page.
    if (!isCovered()) window.history.pushState({ ...window.history.state, isCovered: true }, '');
    const close = () => latest.current();
    window.addEventListener('popstate', close);
    return () => {
      window.removeEventListener('popstate', close);
      leaving.current = setTimeout(() => isCovered() && window.history.back());
    };
  }, [isOpen]);
}
