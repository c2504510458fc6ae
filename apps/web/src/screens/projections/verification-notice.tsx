import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';

const colours = { EQUAL: 'green', DIFFERENT: 'red', FAILED: 'yellow' } as const;

/** What the last verification came to, with the hashes that were compared. */
export function VerificationNotice({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  const result = projection.lastVerification;
  if (!result) return null;
  const { outcome, ordinal, liveHash, rebuiltHash, error, finishedAt } = result;
  return (
    <Alert color={colours[outcome]} variant="light" title={t(`outcome.${outcome}`)}>
      <Text size="sm">
        {t('comparedAt', { ordinal: whole(ordinal) })} · <RelativeTime at={finishedAt} />
      </Text>
      {error !== null && <Text size="sm">{error}</Text>}
      {liveHash !== null && (
        <Text className={classes.hash}>
          {t('hashLive')}: {liveHash}
        </Text>
      )}
      {outcome === 'DIFFERENT' && (
        <Text className={classes.hash}>
          {t('hashRebuilt')}: {rebuiltHash}
        </Text>
      )}
    </Alert>
  );
}
