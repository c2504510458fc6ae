import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { filtersFrom, searchParamsOf, type QuestionFilters } from './question-filters';

const SELECTED = 'question';

interface FilterState {
  filters: QuestionFilters;
  /** Choosing other filters begins anew, with no question chosen. */
  setFilters: (filters: QuestionFilters) => void;
  /** The list that the address says: behind the filters for as long as the router takes to follow. */
  listAddress: string;
  selectedId: string | null;
  /** The address of the same list with a question chosen. */
  searchFor: (questionId: string) => string;
  deselect: () => void;
}

interface Wanted {
  filters: QuestionFilters;
  /** The address that they were chosen on: at the next one they are said by that. */
  on: URLSearchParams;
}

/**
 * The filters and the chosen question, kept in the address, so that a link or the way back shows the same. The router follows
 * an address when there is time for it; what was chosen counts at once, or the next click would bring back what the last one cleared.
 */
export function useQuestionFilters(): FilterState {
  const [params, setParams] = useSearchParams();
  const [lastWanted, setWanted] = useState<Wanted>();
  const wanted = lastWanted?.on === params ? lastWanted.filters : undefined;
  const filters = useMemo(() => wanted ?? filtersFrom(params), [wanted, params]);
  const setFilters = useCallback(
    (next: QuestionFilters) => {
      setWanted({ filters: next, on: params });
      setParams(searchParamsOf(next));
    },
    [params, setParams],
  );
  const searchFor = (questionId: string) => {
    const next = searchParamsOf(filters);
    next.set(SELECTED, questionId);
    return `?${next.toString()}`;
  };
  const deselect = useCallback(
    () => setParams(searchParamsOf(filters), { replace: true }),
    [filters, setParams],
  );
  const listAddress = searchParamsOf(filtersFrom(params)).toString();
  const selectedId = wanted ? null : params.get(SELECTED);
  return { filters, setFilters, listAddress, selectedId, searchFor, deselect };
}
