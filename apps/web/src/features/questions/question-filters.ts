import type { QuestionListQueryVariables } from '../../generated/graphql';

export const SORT = { recent: 1, answered: 2 } as const;
export const QUESTIONS_PER_PAGE = 20;

export type Toggle = 'unsolvedQuestions' | 'myQuestions' | 'savedQuestions' | 'solvedQuestions';

export interface QuestionFilters {
  sort: 1 | 2;
  subject: string | null;
  topic: string | null;
  toggles: ReadonlySet<Toggle>;
}

export const toggles: readonly Toggle[] = [
  'unsolvedQuestions',
  'myQuestions',
  'savedQuestions',
  'solvedQuestions',
];
const opposite: Partial<Record<Toggle, Toggle>> = {
  unsolvedQuestions: 'solvedQuestions',
  solvedQuestions: 'unsolvedQuestions',
};

export const noFilters: QuestionFilters = {
  sort: SORT.recent,
  subject: null,
  topic: null,
  toggles: new Set(),
};

/** Filters out of an address; what makes no sense there is left out. */
export function filtersFrom(params: URLSearchParams): QuestionFilters {
  const subject = params.get('subject');
  const on = toggles.filter((toggle) => params.get(toggle) === 'true');
  return {
    sort: params.get('sort') === '2' ? SORT.answered : SORT.recent,
    subject,
    topic: subject === null ? null : params.get('topic'),
    toggles: new Set(
      on.filter((toggle) => !(toggle === 'solvedQuestions' && on.includes('unsolvedQuestions'))),
    ),
  };
}

/** The filters as an address; what is at its default is not written. */
export function searchParamsOf(filters: QuestionFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (filters.sort !== SORT.recent) params.set('sort', String(filters.sort));
  if (filters.subject !== null) params.set('subject', filters.subject);
  if (filters.topic !== null) params.set('topic', filters.topic);
  for (const toggle of toggles) if (filters.toggles.has(toggle)) params.set(toggle, 'true');
  return params;
}

/** Solved and Unsolved exclude each other; the others add up. */
export function withToggle(filters: QuestionFilters, toggle: Toggle): QuestionFilters {
  const next = new Set(filters.toggles);
  if (next.has(toggle)) next.delete(toggle);
  else {
    next.add(toggle);
    const excluded = opposite[toggle];
    if (excluded) next.delete(excluded);
  }
  return { ...filters, toggles: next };
}

/** A topic belongs to one subject, so another subject forgets it. */
export function withSubject(filters: QuestionFilters, subject: string | null): QuestionFilters {
  return { ...filters, subject, topic: subject === filters.subject ? filters.topic : null };
}

export function isAnyFilterActive(filters: QuestionFilters): boolean {
  return searchParamsOf(filters).size > 0;
}

/** What is asked of the api; a change of filters always begins at page 1. */
export function queryOf(filters: QuestionFilters, space: string): QuestionListQueryVariables {
  const on = Object.fromEntries([...filters.toggles].map((toggle) => [toggle, true]));
  return {
    page: 1,
    limit: QUESTIONS_PER_PAGE,
    sort: filters.sort,
    queryVals: {
      space,
      scope: 'world',
      ...(filters.subject === null ? {} : { subject: filters.subject }),
      ...(filters.topic === null ? {} : { topic: filters.topic }),
      ...on,
    },
  };
}
