import { useQuery } from '@apollo/client/react';
import {
  ScoreExplanationDocument,
  ScoreNoticesDocument,
  type ScoreReasonKind,
  ScoringRulesDocument,
} from '../../../generated/graphql';
import { idOf, mergeRows, useGrowingList } from '../../../lib/api/paged-list';

interface ExplanationFilter {
  space: string;
  /** For moderators; omitted for the reader's own score. */
  studentId?: string;
  kind?: ScoreReasonKind;
}

/**
 * The points loaded so far with the totals of their days, the next page, rule changes and moderators' decisions. Undefined
 * until all of them are loaded, so that nothing moves when one arrives late.
 */
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
  const rules = useQuery(ScoringRulesDocument);
  const notices = useQuery(ScoreNoticesDocument, {
    variables: { space, studentId: studentId ?? null },
    fetchPolicy: 'cache-and-network',
  });
  const isComplete = isSettled(rules) && isSettled(notices);
  return {
    ...list,
    explanation: isComplete ? data?.getScoreExplanation : undefined,
    /** Independent of the filter: stays visible while another filter loads. */
    overview: isComplete ? (data ?? previousData)?.getScoreExplanation : undefined,
    changes: rules.data?.getScoringRules.changes ?? [],
    notices: notices.data?.getScoreNotices ?? [],
  };
}

const isSettled = ({ data, error }: { readonly data: unknown; readonly error?: unknown }): boolean =>
  data !== undefined || error !== undefined;
