import { useState } from 'react';
import { useOnRecovery } from './connection';

export interface NextPage {
  isLoading: boolean;
  error: unknown;
  load: () => void;
}

interface Attempt {
  list: string;
  isLoading: boolean;
  error?: unknown;
}

/**
 * Fetches the next page of a list, one at a time, and keeps what went wrong until the next try, which the return of the server is, too.
 *
 * @param list names the list: an attempt for another one says nothing about this one
 */
export function useNextPage(list: string, fetchNext: () => Promise<unknown>): NextPage {
  const [latest, setLatest] = useState<Attempt>();
  const attempt = latest?.list === list ? latest : undefined;
  const isLoading = attempt?.isLoading ?? false;
  const settle = (error?: unknown) =>
    setLatest((current) => (current?.list === list ? { list, isLoading: false, error } : current));
  const load = () => {
    if (isLoading) return;
    setLatest({ list, isLoading: true });
    fetchNext().then(() => settle(), settle);
  };
  useOnRecovery(attempt?.error !== undefined, load);
  return { isLoading, error: attempt?.error, load };
}
