import { useQuery } from '@apollo/client/react';
import {
  ScoreExplanationDocument,
  ScoreNoticesDocument,
  type ScoreReasonKind,
} from '../../../generated/graphql';
import { idOf, mergeRows, useGrowingList } from '../../../lib/api/paged-list';
import type { ScoreNotice } from './day-section';

interface ExplanationFilter {
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

/** What moderators decided on votes by or for that student. */
export function useScoreNotices(space: string, studentId: string | null): readonly ScoreNotice[] {
  const { data } = useQuery(ScoreNoticesDocument, {
    variables: { space, studentId },
    fetchPolicy: 'cache-and-network',
  });
  return data?.getScoreNotices ?? [];
}
