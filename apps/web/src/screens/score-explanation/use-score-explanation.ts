import { useQuery } from '@apollo/client/react';
import { ScoreExplanationDocument, type ScoreReasonKind } from '../../generated/graphql';
import { withPage } from '../../lib/merge-pages';
import { useMore } from '../../lib/use-more';
import { useNextPage } from '../../lib/use-next-page';

export interface ExplanationFilter {
  space: string;
  /** Whose score, for moderators; one's own when left out. */
  studentId?: string;
  kind?: ScoreReasonKind;
}

/** The points loaded so far with the sums of their days, and the way to the next. */
export function useScoreExplanation({ space, studentId, kind }: ExplanationFilter) {
  const variables = { space, studentId, kinds: kind && [kind], page: 1 };
  const { data, previousData, error, refetch } = useQuery(ScoreExplanationDocument, {
    variables,
    fetchPolicy: 'cache-and-network',
  });
  const explanation = data?.getScoreExplanation;
  const hasMore = explanation !== undefined && explanation.page < explanation.totalPages;

  const readMore = useMore(ScoreExplanationDocument, variables);
  const nextPage = useNextPage([space, studentId, kind].join(' '), () =>
    readMore({ page: (explanation?.page ?? 0) + 1 }, ({ getScoreExplanation: loaded }, more) => {
      const days = [...loaded.days, ...more.getScoreExplanation.days];
      const joined = withPage(loaded, more.getScoreExplanation);
      return {
        getScoreExplanation: { ...joined, days: [...new Map(days.map((day) => [day.day, day])).values()] },
      };
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
