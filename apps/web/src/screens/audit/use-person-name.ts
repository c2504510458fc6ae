import { useTranslation } from 'react-i18next';
import type { AuditPersonLineFragment } from '../../generated/graphql';

/** How a person is called in the audit: somebody erased or unnamed has words of their own. */
export function usePersonName(): (person: AuditPersonLineFragment) => string {
  const { t } = useTranslation('audit');
  return ({ userName, isErased, isStandIn }) => {
    if (isErased) return t('person.erased');
    if (isStandIn) return t('person.standIn');
    return userName === '' ? t('person.unknown') : userName;
  };
}
