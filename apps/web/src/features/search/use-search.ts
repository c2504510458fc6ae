import { useCallback } from 'react';
import { useAddressed } from '../../lib/use-addressed';
import { searchFrom, searchParamsOf, type SearchAddress } from './search-address';

const navigation = { replace: true } as const;

/** The search as the address says it, and ways to change it. */
export function useSearch() {
  const { value: search, change: set } = useAddressed(searchFrom, searchParamsOf, navigation);
  /** Another tab or other filters close what was open. */
  const change = useCallback(
    (changes: Partial<SearchAddress>) => set({ ...search, questionId: null, ...changes }),
    [search, set],
  );
  const searchFor = (questionId: string) => `?${searchParamsOf({ ...search, questionId }).toString()}`;
  return { ...search, change, searchFor };
}
