import { useTranslation } from 'react-i18next';
import type { AuditLineFragment, AuditPersonLineFragment } from '../../../generated/graphql';

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
    if (kind === 'VoteCast') return t(isSwitch ? `switched.${direction}` : `cast.${direction}`);
    if (kind === 'VoteWithdrawn') return t(isSwitch ? `switchedAway.${direction}` : `withdrawn.${direction}`);
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

/** An import by the community that it brought, which is called as its space; of a line without a space just that it is one. */
export function useImportName(): (line: Pick<AuditLineFragment, 'space'>) => string {
  const { t } = useTranslation('audit');
  return ({ space }) => (space?.name ? t('actor.importOf', { name: space.name }) : t('actor.import'));
}

/** Whether an import acted itself, and not on behalf of one of the people whom it brought. */
export const isImportItself = ({
  actor,
  actorKind,
}: Pick<AuditLineFragment, 'actor' | 'actorKind'>): boolean =>
  actorKind === 'import' &&
  (actor === null || (actor.userName === '' && !actor.isErased && !actor.isStandIn));

/** How a person is called in the audit: somebody erased or unnamed has words of their own. */
export function usePersonName(): (person: AuditPersonLineFragment) => string {
  const { t } = useTranslation('audit');
  return ({ userName, isErased, isStandIn }) => {
    if (isErased) return t('person.erased');
    if (isStandIn) return t('person.standIn');
    return userName === '' ? t('person.unknown') : userName;
  };
}
