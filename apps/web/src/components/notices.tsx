import { Alert, Button } from '@mantine/core';
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs';
import { useTranslation } from 'react-i18next';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { errorText } from '../lib/api/errors';
import classes from './notices.module.css';
import { useFocusAfterRemoval } from '../lib/browser/focus';

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
}

/** Replaces content that could not be loaded. */
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

interface QuietNoticeProps {
  error: unknown;
  /** The content is from before the failure and may be stale. */
  isStale?: boolean;
  onRetry: () => void;
}

/** A one-line error; the rest of the screen stays usable. */
export function QuietNotice({ error, isStale = false, onRetry }: QuietNoticeProps) {
  const { t } = useTranslation('shell');
  const reason = errorText(error);
  return (
    <div className={classes.notice} role="status">
      <span>{isStale ? t('error.stale', { reason }) : reason}</span>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  );
}

/** Status of a whole form: red for failure, green for success. */
export function FormAlert({ kind, children }: { kind: 'error' | 'success'; children: string }) {
  const isError = kind === 'error';
  const alert = useFocusAfterRemoval<HTMLDivElement>();
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      role={isError ? 'alert' : 'status'}
      color={isError ? 'red' : 'green'}
      variant="light"
      py="xs"
      icon={isError ? <IconAlertCircle /> : <IconCircleCheck />}
    >
      {children}
    </Alert>
  );
}
