import { useQuery } from '@apollo/client/react';
import { ScoreExplanationDocument, type ScoreReasonKind } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';

export interface ExplanationFilter {
  space: string;
  /** Whose score, for moderators; one's own when left out. */
  studentId?: string;
  kind?: ScoreReasonKind;
}

/** The points loaded so far with the sums of their days, and the way to the next. */
export function useScoreExplanation({ space, studentId, kind }: ExplanationFilter) {
  const { data, previousData, error, fetchMore, refetch } = useQuery(ScoreExplanationDocument, {
    variables: { space, studentId, kinds: kind && [kind], page: 1 },
    fetchPolicy: 'cache-and-network',
  });
  const explanation = data?.getScoreExplanation;
  const hasMore = explanation !== undefined && explanation.page < explanation.totalPages;

  const nextPage = useNextPage([space, studentId, kind].join(' '), () =>
    fetchMore({
      variables: { page: (explanation?.page ?? 0) + 1 },
      updateQuery: ({ getScoreExplanation: loaded }, { fetchMoreResult }) => {
        const next = fetchMoreResult.getScoreExplanation;
        const days = new Map([...loaded.days, ...next.days].map((day) => [day.day, day]));
        const docs = mergePages(loaded.docs, next.docs);
        return { getScoreExplanation: { ...next, docs, days: [...days.values()] } };
      },
    }),
  );

  return {
    explanation,
    /** What does not change with the filter: shown while another filter loads. */
    overview: explanation ?? previousData?.getScoreExplanation,
    error,
    hasMore,
    nextPage,
    refetch,
  };
}
