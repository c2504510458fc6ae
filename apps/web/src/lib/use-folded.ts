import { useCallback, useState } from 'react';

/** Whether a part of a screen is folded away; remembered by this browser. */
export function useFolded(name: string): [isFolded: boolean, toggle: () => void] {
  const key = `folded:${name}`;
  const [isFolded, setFolded] = useState(() => localStorage.getItem(key) === 'true');
  const toggle = useCallback(() => {
    localStorage.setItem(key, String(!isFolded));
    setFolded(!isFolded);
  }, [key, isFolded]);
  return [isFolded, toggle];
}
