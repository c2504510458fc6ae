import { useTranslation } from 'react-i18next';
import type { AuditLineFragment } from '../../generated/graphql';

/** What a line tells, in words: a vote turned round reads as that, on both of its lines. */
export function useWhat(): (
  line: Pick<AuditLineFragment, 'kind' | 'direction' | 'isSwitch' | 'about'>,
) => string {
  const { t } = useTranslation('audit');
  return ({ kind, direction, isSwitch, about }) => {
    if (kind === 'ConfidentialDataRead') return t(`reads.${readNamed(about)}`);
    const verdict = VERDICTS.find((one) => one === about);
    if (kind === 'VotePatternTriaged' && verdict) return t(`triaged.${verdict}`);
    if (direction === null) return t(`kinds.${kind}`);
    if (kind === 'VoteCast') return t(`${isSwitch ? 'switched' : 'cast'}.${direction}`);
    if (kind === 'VoteWithdrawn') return t(`${isSwitch ? 'switchedAway' : 'withdrawn'}.${direction}`);
    return t('kindOfVote', { kind: t(`kinds.${kind}`), vote: t(`cast.${direction}`) });
  };
}

const VERDICTS = ['SEEN', 'HARMLESS', 'WATCHED'] as const;

const READS = [
  'VOTES',
  'VOTE_PATTERNS',
  'VOTE_CASES',
  'REPORTERS',
  'SCORES',
  'PAST_POSTS',
  'PEOPLE',
  'SECURITY_LOG',
  'NOTES',
  'AUDIT',
  'AUDIT_EXPORT',
  'PROVEN_AUDIT_EXPORT',
  'LOG_EXPORT',
  'SPACE_EXPORT',
  'BACKUP',
] as const;

/** What was read, as its event names it. */
const readNamed = (about: string | null) => READS.find((read) => read === about) ?? 'OTHER';
