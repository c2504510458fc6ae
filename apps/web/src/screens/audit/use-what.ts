import { useTranslation } from 'react-i18next';
import type { AuditLineFragment } from '../../generated/graphql';

/** What a line tells, in words: a vote turned round reads as that, on both of its lines. */
export function useWhat(): (line: Pick<AuditLineFragment, 'kind' | 'direction' | 'isSwitch'>) => string {
  const { t } = useTranslation('audit');
  return ({ kind, direction, isSwitch }) => {
    if (direction === null) return t(`kinds.${kind}`);
    if (kind === 'VoteCast') return t(`${isSwitch ? 'switched' : 'cast'}.${direction}`);
    if (kind === 'VoteWithdrawn') return t(`${isSwitch ? 'switchedAway' : 'withdrawn'}.${direction}`);
    return t('kindOfVote', { kind: t(`kinds.${kind}`), vote: t(`cast.${direction}`) });
  };
}
