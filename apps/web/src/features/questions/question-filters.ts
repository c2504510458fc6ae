import type { QuestionListQueryVariables, QuestionQueryVals } from '../../generated/graphql';

export const SORT = { recent: 1, answered: 2 } as const;
const QUESTIONS_PER_PAGE = 20;

export type Sort = (typeof SORT)[keyof typeof SORT];

export type Toggle = 'unsolvedQuestions' | 'myQuestions' | 'savedQuestions' | 'solvedQuestions';

/** Filters of questions, without their order. */
export interface Filing {
  subject: string | null;
  topic: string | null;
  toggles: ReadonlySet<Toggle>;
}

export interface QuestionFilters extends Filing {
  sort: Sort;
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

/** Parses filters from a URL, and ignores invalid ones. */
export function filtersFrom(params: URLSearchParams): QuestionFilters {
  return { sort: params.get('sort') === '2' ? SORT.answered : SORT.recent, ...filingFrom(params) };
}

export function filingFrom(params: URLSearchParams): Filing & { toggles: Set<Toggle> } {
  const subject = params.get('subject');
  const on = toggles.filter((toggle) => params.get(toggle) === 'true');
  return {
    subject,
    topic: subject === null ? null : params.get('topic'),
    toggles: new Set(
      on.filter((toggle) => !(toggle === 'solvedQuestions' && on.includes('unsolvedQuestions'))),
    ),
  };
}

/** Search parameters of the filters, without defaults. */
export function searchParamsOf({ sort, ...filing }: QuestionFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (sort !== SORT.recent) params.set('sort', String(sort));
  filingParams(filing).forEach((value, name) => params.set(name, value));
  return params;
}

export function filingParams(filing: Filing): URLSearchParams {
  const params = new URLSearchParams();
  if (filing.subject !== null) params.set('subject', filing.subject);
  if (filing.topic !== null) params.set('topic', filing.topic);
  for (const toggle of toggles) if (filing.toggles.has(toggle)) params.set(toggle, 'true');
  return params;
}

/** Toggles a filter. Solved and Unsolved exclude each other. */
export function withToggle<T extends Filing>(filters: T, toggle: Toggle): T {
  const next = new Set(filters.toggles);
  if (next.has(toggle)) next.delete(toggle);
  else {
    next.add(toggle);
    const excluded = opposite[toggle];
    if (excluded) next.delete(excluded);
  }
  return { ...filters, toggles: next };
}

/** Sets the subject, and drops the topic of another one. */
export function withSubject<T extends Filing>(filters: T, subject: string | null): T {
  return { ...filters, subject, topic: subject === filters.subject ? filters.topic : null };
}

/** Number of active filters. */
export function activeCount(filters: QuestionFilters): number {
  return searchParamsOf(filters).size;
}

/** Query variables of the first page. */
export function queryOf(filters: QuestionFilters, space: string): QuestionListQueryVariables {
  return { page: 1, limit: QUESTIONS_PER_PAGE, sort: filters.sort, queryVals: queryValsOf(filters, space) };
}

/** Filters in the API's format, only active ones. */
export function queryValsOf({ subject, topic, toggles: on }: Filing, space: string): QuestionQueryVals {
  return {
    space,
    scope: 'world',
    ...(subject === null ? {} : { subject }),
    ...(topic === null ? {} : { topic }),
    ...Object.fromEntries([...on].map((toggle) => [toggle, true])),
  };
}
