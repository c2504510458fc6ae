import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Filing, filingFrom, filingParams, type Sort, SORT } from '../questions/question-filters';

export const searchTabs = ['questions', 'answers', 'topics', 'people'] as const;
export type SearchTab = (typeof searchTabs)[number];

/** Filters of a search. Without a sort order, the best match comes first. */
export interface SearchFilters extends Filing {
  sort: Sort | null;
}

/** State of the search page, as in its URL. */
interface SearchAddress {
  text: string;
  tab: SearchTab;
  filters: SearchFilters;
  questionId: string | null;
}

const names = { text: 'text', tab: 'tab', sort: 'sort', question: 'question' } as const;

export const noSearchFilters: SearchFilters = { sort: null, subject: null, topic: null, toggles: new Set() };

export function textFrom(params: URLSearchParams): string {
  return params.get(names.text)?.trim() ?? '';
}

/** Replaces the text of a search, and closes the open question. */
export function withText(params: URLSearchParams, text: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(names.question);
  if (text === '') next.delete(names.text);
  else next.set(names.text, text);
  return next;
}

function sortFrom(params: URLSearchParams): Sort | null {
  const sort = Number(params.get(names.sort));
  return sort === SORT.recent || sort === SORT.answered ? sort : null;
}

function searchFrom(params: URLSearchParams): SearchAddress {
  const filing = filingFrom(params);
  filing.toggles.delete('savedQuestions');
  return {
    text: textFrom(params),
    tab: searchTabs.find((tab) => tab === params.get(names.tab)) ?? 'questions',
    filters: { ...filing, sort: sortFrom(params) },
    questionId: params.get(names.question),
  };
}

/** Search parameters of a search, without defaults. */
function searchParamsOf({ text, tab, filters, questionId }: SearchAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (text !== '') params.set(names.text, text);
  if (tab !== 'questions') params.set(names.tab, tab);
  if (filters.sort !== null) params.set(names.sort, String(filters.sort));
  filingParams(filters).forEach((value, name) => params.set(name, value));
  if (questionId !== null) params.set(names.question, questionId);
  return params;
}

export function isAnySearchFilterActive({ sort, ...filing }: SearchFilters): boolean {
  return sort !== null || filingParams(filing).size > 0;
}

/** The search in the URL, and functions to change it. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const search = useMemo(() => searchFrom(params), [params]);
  /** Changes tab or filters, and closes the open question. */
  const change = useCallback(
    (changes: Partial<SearchAddress>) =>
      setParams(searchParamsOf({ ...search, questionId: null, ...changes }), { replace: true }),
    [search, setParams],
  );
  const searchFor = (questionId: string) => `?${searchParamsOf({ ...search, questionId }).toString()}`;
  return { ...search, change, searchFor };
}
