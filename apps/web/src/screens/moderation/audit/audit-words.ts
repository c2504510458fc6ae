import { useTranslation } from 'react-i18next';
import type { AuditLineFragment, AuditPersonLineFragment } from '../../../generated/graphql';
import { shownName } from '../../../lib/api/erased';

/** Label of an entry. Both entries of a changed vote say so. */
export function useEventLabel(): (
  line: Pick<AuditLineFragment, 'kind' | 'direction' | 'isSwitch' | 'about'>,
) => string {
  const { t } = useTranslation('audit');
  return ({ kind, direction, isSwitch, about }) => {
    if (kind === 'ConfidentialDataRead') return t(`reads.${readKindOf(about)}`);
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
  'WARNINGS',
  'AUDIT',
  'AUDIT_EXPORT',
  'PROVEN_AUDIT_EXPORT',
  'LOG',
  'LOG_EXPORT',
  'SPACE_EXPORT',
  'BACKUP',
] as const;

/** The kind of data viewed; `OTHER` if unknown. */
const readKindOf = (about: string | null) => READS.find((read) => read === about) ?? 'OTHER';

const INVITATION_KINDS = ['LINK', 'CODE', 'LIST'] as const;
const ROLES = { MODERATOR: 'content:roles.moderator', MAINTAINER: 'content:roles.maintainer' } as const;
const OUTCOMES = ['EQUAL', 'DIFFERENT', 'FAILED'] as const;

/** Text of what an action concerns: names as they are, codes of the API in the reader's language. */
export function useAboutText(): (line: Pick<AuditLineFragment, 'kind' | 'about'>) => string | null {
  const { t } = useTranslation(['audit', 'content', 'entry', 'moderation', 'projections']);
  return ({ kind, about }) => {
    if (about === null) return null;
    if (kind === 'InvitationMade') {
      const invitation = INVITATION_KINDS.find((one) => one === about);
      return invitation ? t(`entry:kind.${invitation}`) : about;
    }
    if (kind === 'ReportsUpheld')
      return about === 'NONE' || about === 'FULL' ? t(`moderation:penaltyChosen.${about}`) : null;
    if (kind === 'RoleGranted' || kind === 'RoleRevoked')
      return about === 'MODERATOR' || about === 'MAINTAINER' ? t(ROLES[about]) : about;
    const outcome = OUTCOMES.find((one) => about.endsWith(`: ${one}`));
    return kind === 'ProjectionVerificationFinished' && outcome
      ? about.replace(outcome, t(`projections:outcome.${outcome}`))
      : about;
  };
}

/** Label of an import, with the name of the imported space if the entry has one. */
export function useImportName(): (line: Pick<AuditLineFragment, 'space'>) => string {
  const { t } = useTranslation('audit');
  return ({ space }) => (space?.name ? t('actor.importOf', { name: space.name }) : t('actor.import'));
}

/** Whether the import itself acted, not on behalf of an imported person. */
export const isImportItself = ({
  actor,
  actorKind,
}: Pick<AuditLineFragment, 'actor' | 'actorKind'>): boolean =>
  actorKind === 'import' &&
  (actor === null || (actor.userName === '' && !actor.isErased && !actor.isStandIn));

/** Display name of a person in the audit log, including deleted and unnamed ones. */
export function usePersonName(): (person: AuditPersonLineFragment) => string {
  const { t } = useTranslation('audit');
  return (person) => {
    if (person.isErased) return shownName(person);
    if (person.isStandIn) return t('person.standIn');
    return person.userName || t('person.unknown');
  };
}
