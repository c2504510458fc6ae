import { useQuery } from '@apollo/client/react';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ArchivedSpacesDocument } from '../../generated/graphql';
import { useSpaceStart } from '../../lib/api/use-space-start';
import { useCurrentSpace } from '../../lib/auth-storage';

/** Says on every screen of an archived space that it is read-only. */
export function ArchivedBanner() {
  const { t } = useTranslation('spaces');
  const current = useCurrentSpace()?._id;
  const { data } = useQuery(ArchivedSpacesDocument, { fetchPolicy: useSpaceStart(current) });
  const space = data?.getStudentSpaces.find(({ _id }) => _id === current);
  if (space?.isArchived !== true) return null;
  return (
    <Alert role="status" color="gray" variant="light" radius={0}>
      {t('archivedText')}
    </Alert>
  );
}
