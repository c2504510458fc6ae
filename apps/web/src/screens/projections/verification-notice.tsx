import { Alert, Code, List, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';

const colours = { EQUAL: 'green', DIFFERENT: 'red', FAILED: 'yellow' } as const;

/** What the last verification came to, with the hashes that were compared and how many rows differ. */
export function VerificationNotice({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  const result = projection.lastVerification;
  if (!result) return null;
  const { outcome, ordinal, liveHash, rebuiltHash, error, differing, finishedAt } = result;
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
      {outcome === 'DIFFERENT' && <Differing name={projection.name} tables={differing} />}
    </Alert>
  );
}

type Tables = NonNullable<ProjectionDetailsFragment['lastVerification']>['differing'];

function Differing({ name, tables }: { name: string; tables: Tables }) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  if (tables === null) return <Text size="sm">{t('differing.unknown')}</Text>;
  if (tables.length === 0) return <Text size="sm">{t('differing.none')}</Text>;
  return (
    <>
      <List size="sm">
        {tables.map(({ table, rows }) => (
          <List.Item key={table}>
            {t('differing.table', { table, count: rows, amount: whole(rows) })}
          </List.Item>
        ))}
      </List>
      <Text size="sm">
        <Trans t={t} i18nKey="differing.named" components={{ command: <Code /> }} values={{ name }} />
      </Text>
    </>
  );
}
