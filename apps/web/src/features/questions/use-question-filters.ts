import { useCallback } from 'react';
import { useAddressed } from '../../lib/use-addressed';
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
  const { value: filters, change, params, setParams, isAhead } = useAddressed(filtersFrom, searchParamsOf);
  const searchFor = (questionId: string) => {
    const next = searchParamsOf(filters);
    next.set(SELECTED, questionId);
    return `?${next.toString()}`;
  };
  const deselect = useCallback(
    () => setParams(searchParamsOf(filters), { replace: true }),
    [filters, setParams],
  );
  const selectedId = isAhead ? null : params.get(SELECTED);
  return { filters, setFilters: change, selectedId, searchFor, deselect };
}
