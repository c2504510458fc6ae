import { skipToken, useQuery } from '@apollo/client/react';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/notices';
import { AuditTotalsDocument, type AuditFilterInput } from '../../../generated/graphql';
import { AuditPoints } from './audit-points';
import classes from './audit.module.css';

/** Sums of the filtered list. On request only, because adding up reads every entry. */
export function AuditSums({ filter }: { filter: AuditFilterInput }) {
  const { t } = useTranslation('audit');
  const [isAsked, setAsked] = useState(false);
  const { data, error, refetch } = useQuery(
    AuditTotalsDocument,
    isAsked ? { variables: { filter }, fetchPolicy: 'network-only' } : skipToken,
  );
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const sums = data?.getAuditTotals;
  if (!sums)
    return (
      <Button variant="default" className={classes.addUp} loading={isAsked} onClick={() => setAsked(true)}>
        {t('sums.show')}
      </Button>
    );
  const { lines, entries, isComplete } = sums;
  return (
    <Group role="status" gap="sm" className={classes.sums}>
      <strong>{t('sums.lines', { count: lines })}</strong>
      {entries !== lines && <span>{t('sums.entries', { count: entries })}</span>}
      <AuditPoints
        points={[
          { side: 'RECEIVER', merit: sums.receiverMerit, impact: sums.receiverImpact },
          { side: 'VOTER', merit: sums.voterMerit, impact: sums.voterImpact },
        ]}
      />
      {!isComplete && <span>{t('sums.incomplete')}</span>}
    </Group>
  );
}
