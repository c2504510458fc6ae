import { Button, Loader } from '@mantine/core';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { tryNow, useConnection } from '../lib/api/connection';
import classes from './loading-notice.module.css';

/**
 * Placeholder while the code behind a button loads, so that the press has an effect. Also shows that the server is
 * unreachable.
 */
export function LoadingNotice() {
  const { t } = useTranslation('shell');
  const isAway = useConnection() !== 'reached';
  return createPortal(
    <div role="status" className={classes.place}>
      <div className={classes.card}>
        {isAway ? t('error.unreachable') : t('loading')}
        {isAway ? (
          <Button size="compact-sm" variant="default" onClick={() => void tryNow()}>
            {t('action.retry')}
          </Button>
        ) : (
          <Loader size="xs" aria-hidden />
        )}
      </div>
    </div>,
    document.body,
  );
}
