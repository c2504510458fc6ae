import { useCallback, useEffect, useRef, useState } from 'react';

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where a draft of a student is kept. */
export const draftKey = (studentId: string, place: string): string => `draft:${studentId}:${place}`;

/** What somebody had begun to write is nobody else's business who uses this browser next. */
export function forgetDraftsOf(studentId: string): void {
  Object.keys(localStorage)
    .filter((key) => key.startsWith(draftKey(studentId, '')))
    .forEach((key) => localStorage.removeItem(key));
}

interface Draft<T> {
  value: T;
  /** It was begun before a reload. */
  isRestored: boolean;
  /** The same function for as long as the draft is written. */
  change: (changes: Partial<T>) => void;
  /** Forgets what was kept; done when a dialog is closed or what it wrote was stored. */
  discard: () => void;
}

/**
 * What is being written, kept over a reload.
 *
 * @param key names student and place; another key is another draft
 */
export function useDraft<T extends object>(key: string, initial: T): Draft<T> {
  const [restored] = useState(() => read(key) as Partial<T> | undefined);
  const [value, setValue] = useState<T>({ ...initial, ...restored });
  const isKept = useRef(false);
  useEffect(() => {
    if (isKept.current) localStorage.setItem(key, JSON.stringify(value));
  }, [key, value]);
  const change = useCallback((changes: Partial<T>) => {
    isKept.current = true;
    setValue((current) => ({ ...current, ...changes }));
  }, []);
  return {
    value,
    isRestored: restored !== undefined,
    change,
    discard: () => {
      isKept.current = false;
      localStorage.removeItem(key);
    },
  };
}
