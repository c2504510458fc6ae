import { useTranslation } from 'react-i18next';
import type { ProjectionPartsFragment } from '../../generated/graphql';

/** What a projection is for, in the reader's language; one that the catalogue does not know says it in English. */
export function usePurpose() {
  const { t, i18n } = useTranslation('projections');
  return ({ name, purpose }: Pick<ProjectionPartsFragment, 'name' | 'purpose'>): string => {
    const key = `purpose.${name}`;
    return i18n.exists(key, { ns: 'projections' }) ? t(key as 'purpose.questions') : purpose;
  };
}
