import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Stands with a text that the connection kept from being sent. */
export function UnsentNotice() {
  const { t } = useTranslation('connection');
  return (
    <Alert color="yellow" variant="light" py="xs" my="xs" role="status">
      {t('unsent')}
    </Alert>
  );
}
