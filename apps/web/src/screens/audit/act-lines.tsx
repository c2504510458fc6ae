import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { MoreButton } from '../../components/more-button';
import { SkeletonRows } from '../../components/skeletons';
import { AuditTable } from './audit-table';
import classes from './audit.module.css';
import { useAudit } from './use-audit';

/** What the event is in the history: one line, or one for each vote of a case. */
export function ActLines({ ordinal }: { ordinal: number }) {
  const { t } = useTranslation('audit');
  const filter = useMemo(() => ({ fromOrdinal: ordinal, toOrdinal: ordinal }), [ordinal]);
  const { lines, error, refetch, hasMore, nextPage } = useAudit(filter);
  return (
    <section aria-labelledby="act-lines">
      <Title order={2} size="h4" id="act-lines" mb="xs">
        {t('act.lines')}
      </Title>
      {error && !lines && <ErrorNotice error={error} onRetry={refetch} />}
      {!error && !lines && <SkeletonRows count={2} height={44} />}
      {lines && <AuditTable lines={lines} />}
      {hasMore && (
        <div className={classes.older}>
          <MoreButton nextPage={nextPage}>{t('act.more')}</MoreButton>
        </div>
      )}
    </section>
  );
}
