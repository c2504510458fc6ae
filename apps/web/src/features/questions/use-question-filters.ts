import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { filtersFrom, searchParamsOf, type QuestionFilters } from './question-filters';

const SELECTED = 'question';

interface FilterState {
  filters: QuestionFilters;
  /** Choosing other filters begins anew, with no question chosen. */
  setFilters: (filters: QuestionFilters) => void;
  selectedId: string | null;
  /** The address of the same list with a question chosen. */
  searchFor: (questionId: string) => string;
  deselect: () => void;
}

/** The filters and the chosen question, kept in the address, so that a link or the way back shows the same. */
export function useQuestionFilters(): FilterState {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersFrom(params), [params]);
  const setFilters = useCallback((next: QuestionFilters) => setParams(searchParamsOf(next)), [setParams]);
  const searchFor = (questionId: string) => {
    const next = searchParamsOf(filters);
    next.set(SELECTED, questionId);
    return `?${next.toString()}`;
  };
  const deselect = useCallback(
    () => setParams(searchParamsOf(filters), { replace: true }),
    [filters, setParams],
  );
  return { filters, setFilters, selectedId: params.get(SELECTED), searchFor, deselect };
}
