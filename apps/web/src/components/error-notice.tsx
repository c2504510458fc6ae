import { Alert, Button } from '@mantine/core';
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/errors';

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
}

/** In place of what could not be loaded. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const { t } = useTranslation('shell');
  return (
    <Alert role="alert" color="red" variant="light" title={t('error.title')} icon={<IconAlertCircle />}>
      {errorText(error)}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" display="block" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </Alert>
  );
}
