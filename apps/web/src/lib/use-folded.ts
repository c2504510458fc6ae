import { useCallback, useId, useState } from 'react';

export interface Fold {
  /** The element that is folded away. */
  id: string;
  isFolded: boolean;
  toggle: () => void;
}

/** A part of a screen that is folded away at first; this browser remembers which parts are open. */
export function useFolded(name: string): Fold {
  const id = useId();
  const key = `folded:${name}`;
  const [isFolded, setFolded] = useState(() => localStorage.getItem(key) !== 'false');
  const toggle = useCallback(() => {
    localStorage.setItem(key, String(!isFolded));
    setFolded(!isFolded);
  }, [key, isFolded]);
  return { id, isFolded, toggle };
}
