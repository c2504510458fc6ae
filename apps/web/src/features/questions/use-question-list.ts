import { QuestionListDocument } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { useListPolicy, usePagedList } from '../../lib/paged-list';
import { useHiddenPosts } from '../reports/hidden-posts';
import { useNewQuestions } from './use-new-questions';
import { queryOf, type QuestionFilters } from './question-filters';
import { useWholeQuestions } from './use-whole-questions';

/** The questions of a space under some filters, twenty a page, without those hidden from the student. */
export function useQuestionList(space: string, filters: QuestionFilters) {
  const variables = queryOf(filters, space);
  const { data, rows, ...list } = usePagedList(
    QuestionListDocument,
    variables,
    'getPaginatedQuestions',
    { ...useListPolicy(), notifyOnNetworkStatusChange: true },
    { withFirst: false },
  );
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  useWholeQuestions(data && { ...variables, page: data.getPaginatedQuestions.page });
  const { newCount, forget } = useNewQuestions(
    space,
    filters,
    rows?.map(({ _id }) => _id),
  );
  return {
    ...list,
    questions: rows?.filter(({ _id }) => !hidden.has(_id)),
    /** How many have come since the list was read. */
    newCount,
    showNew: () => {
      forget();
      list.refetch();
    },
  };
}
