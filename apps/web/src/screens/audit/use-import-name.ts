import { useTranslation } from 'react-i18next';
import type { AuditLineFragment } from '../../generated/graphql';

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
