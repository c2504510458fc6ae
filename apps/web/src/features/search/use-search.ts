import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { searchFrom, searchParamsOf, type SearchAddress } from './search-address';

interface Wanted {
  search: SearchAddress;
  /** The address that it was chosen on: at the next one it is said by that. */
  on: URLSearchParams;
}

/**
 * The search as the address says it, and ways to change it. The router follows an address when there is time for it; what was
 * chosen counts at once, as with the filters of the questions.
 */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const [lastWanted, setWanted] = useState<Wanted>();
  const wanted = lastWanted?.on === params ? lastWanted.search : undefined;
  const search = useMemo(() => wanted ?? searchFrom(params), [wanted, params]);
  /** Another tab or other filters close what was open. */
  const change = useCallback(
    (changes: Partial<SearchAddress>) => {
      const next = { ...search, questionId: null, ...changes };
      setWanted({ search: next, on: params });
      setParams(searchParamsOf(next), { replace: true });
    },
    [search, params, setParams],
  );
  const searchFor = (questionId: string) => `?${searchParamsOf({ ...search, questionId }).toString()}`;
  return { ...search, change, searchFor };
}
