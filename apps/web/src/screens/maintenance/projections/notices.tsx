import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ReasonDialog } from '../../../components/dialogs';
import { ExactTime } from '../../../components/exact-time';
import type { ProjectionDetailsFragment } from '../../../generated/graphql';
import { paths } from '../../../lib/paths';
import classes from './projections.module.css';
import { useFormatters } from './parts';
import { useProjectionActions } from './use-projection-actions';

/** The event the projection stopped at, with retry and skip. */
export function StoppedNotice({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  const [isSkipping, setSkipping] = useState(false);
  const actions = useProjectionActions(projection.name);
  const { error } = projection;
  if (!error) return null;
  const skip = async (reason: string) => {
    if (await actions.skip(error.eventId, reason)) setSkipping(false);
  };
  return (
    <Alert color="red" variant="light" title={t('stopped')} role="alert">
      <Text size="sm">
        {t('stoppedEvent', { ordinal: whole(error.ordinal), eventType: error.eventType })}
      </Text>
      <Text size="sm" className={classes.hash}>
        {error.eventId}
      </Text>
      <Text size="sm" my="xs" className={classes.error}>
        {error.message}
      </Text>
      <Anchor component={Link} to={paths.logEvent(error.ordinal)} size="sm" display="inline-block" mb="xs">
        {t('showEvent')}
      </Anchor>
      <Group gap="sm">
        <Button size="xs" loading={actions.isPending} onClick={() => void actions.retry()}>
          {t('action.retry')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setSkipping(true)}>
          {t('action.skip')}
        </Button>
      </Group>
      {isSkipping && (
        <ReasonDialog
          title={t('action.skip')}
          text={t('explanation.skip')}
          label={t('reason')}
          submitLabel={t('action.skip')}
          cancelLabel={t('close')}
          danger
          closeOnClickOutside
          onSubmit={skip}
          onClose={() => setSkipping(false)}
        />
      )}
    </Alert>
  );
}

const colours = { EQUAL: 'green', DIFFERENT: 'red', FAILED: 'yellow' } as const;

/** Result of the last verification: hashes and number of differing rows. */
export function VerificationNotice({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  const result = projection.lastVerification;
  if (!result) return null;
  const { outcome, ordinal, liveHash, rebuiltHash, error, differing, finishedAt } = result;
  return (
    <Alert color={colours[outcome]} variant="light" title={t(`outcome.${outcome}`)}>
      <Text size="sm">
        {t('comparedAt', { ordinal: whole(ordinal) })} · <ExactTime at={finishedAt} />
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
  const { whole } = useFormatters();
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
