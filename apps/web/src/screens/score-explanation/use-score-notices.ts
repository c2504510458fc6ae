import { useQuery } from '@apollo/client/react';
import { ScoreNoticesDocument } from '../../generated/graphql';
import type { ScoreNotice } from './day-section';

/** What moderators decided on votes by or for that student. */
export function useScoreNotices(space: string, studentId: string | null): readonly ScoreNotice[] {
  const { data } = useQuery(ScoreNoticesDocument, {
    variables: { space, studentId },
    fetchPolicy: 'cache-and-network',
  });
  return data?.getScoreNotices ?? [];
}
