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
  /** For moderators; omitted for the reader's own score. */
  studentId?: string;
  kind?: ScoreReasonKind;
}

/** The points loaded so far with the totals of their days, and the next page. */
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
    /** Independent of the filter: stays visible while another filter loads. */
    overview: (data ?? previousData)?.getScoreExplanation,
  };
}

/** Moderators' decisions on votes by or for the student. */
export function useScoreNotices(space: string, studentId: string | null): readonly ScoreNotice[] {
  const { data } = useQuery(ScoreNoticesDocument, {
    variables: { space, studentId },
    fetchPolicy: 'cache-and-network',
  });
  return data?.getScoreNotices ?? [];
}
