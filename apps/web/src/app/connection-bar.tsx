import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { tryNow, useConnection, useHasNewVersion } from '../lib/api/connection';
import { useAreChangesDelayed } from '../lib/api/stale-answers';
import classes from './connection-bar.module.css';

/** Status bar at the bottom of signed-in pages: server unreachable, changes delayed or a new version available. */
export function ConnectionBar() {
  const { t } = useTranslation(['connection', 'shell']);
  const connection = useConnection();
  const hasNewVersion = useHasNewVersion();
  const areChangesDelayed = useAreChangesDelayed();
  const isDisconnected = connection !== 'reached';
  return (
    <div aria-live="polite" className={classes.place}>
      {isDisconnected && (
        <div className={classes.bar} data-connection={connection}>
          <span>{t(connection)}</span>
          <Button size="compact-sm" variant="default" onClick={() => void tryNow()}>
            {t('shell:action.retry')}
          </Button>
        </div>
      )}
      {!isDisconnected && areChangesDelayed && (
        <div className={classes.bar}>
          <span>{t('delayed')}</span>
        </div>
      )}
      {!isDisconnected && !areChangesDelayed && hasNewVersion && (
        <div className={classes.bar}>
          <span>{t('newVersion')}</span>
          <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
            {t('shell:error.reload')}
          </Button>
        </div>
      )}
    </div>
  );
}
