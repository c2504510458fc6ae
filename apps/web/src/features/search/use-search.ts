import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { searchFrom, searchParamsOf, type SearchAddress } from './search-address';

/** The search as the address says it, and ways to change it. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const search = useMemo(() => searchFrom(params), [params]);
  /** Another tab or other filters close what was open. */
  const change = useCallback(
    (changes: Partial<SearchAddress>) =>
      setParams(searchParamsOf({ ...search, questionId: null, ...changes }), { replace: true }),
    [search, setParams],
  );
  const searchFor = (questionId: string) => `?${searchParamsOf({ ...search, questionId }).toString()}`;
  return { ...search, change, searchFor };
}
