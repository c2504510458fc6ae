import { ScoreExplanationDocument, type ScoreReasonKind } from '../../generated/graphql';
import { idOf, mergeRows, useGrowingList } from '../../lib/paged-list';

export interface ExplanationFilter {
  space: string;
  /** Whose score, for moderators; one's own when left out. */
  studentId?: string;
  kind?: ScoreReasonKind;
}

/** The points loaded so far with the sums of their days, and the way to the next. */
export function useScoreExplanation({ space, studentId, kind }: ExplanationFilter) {
  const { data, previousData, ...list } = useGrowingList(
    ScoreExplanationDocument,
    { space, studentId, kinds: kind && [kind], page: 1 },
    {
      rowsOf: ({ getScoreExplanation }) => getScoreExplanation.docs,
      keyOf: idOf,
      next: ({ getScoreExplanation: { page, totalPages } }) =>
        page < totalPages ? { page: page + 1 } : undefined,
      join: ({ getScoreExplanation: loaded }, { getScoreExplanation: more }, docs) => ({
        getScoreExplanation: {
          ...more,
          docs,
          days: mergeRows(loaded.days, more.days, ({ day }) => day),
        },
      }),
    },
    { fetchPolicy: 'cache-and-network' },
  );
  return {
    ...list,
    explanation: data?.getScoreExplanation,
    /** What does not change with the filter: shown while another filter loads. */
    overview: (data ?? previousData)?.getScoreExplanation,
  };
}
