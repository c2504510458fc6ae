import { skipToken, useQuery } from '@apollo/client/react';
import { Alert, Anchor, Group, Skeleton, Table, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconDatabaseSearch from '@tabler/icons-react/dist/esm/icons/IconDatabaseSearch.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { EmptyState } from '../../../components/empty-state';
import { ExactTime } from '../../../components/exact-time';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { LogEventDocument, type LogEventQuery } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { paths } from '../../../lib/paths';
import classes from './event-log.module.css';

type Detail = NonNullable<LogEventQuery['getLogEvent']>;

/** One event with its metadata and data, without personal data. */
export default function LogEventScreen() {
  const { t, i18n } = useTranslation('eventLog');
  const { ordinal: named = '' } = useParams();
  const ordinal = /^[1-9]\d{0,8}$/.test(named) ? Number(named) : 0;
  const { data, error, refetch } = useQuery(
    LogEventDocument,
    ordinal === 0 ? skipToken : { variables: { ordinal } },
  );
  const detail = data?.getLogEvent;
  return (
    <div className={classes.screen}>
      <Anchor component={Link} to={paths.log} className={classes.back}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('title')}
      </Anchor>
      <PageHeading>{t('event.title', { ordinal: wholeNumber(ordinal, i18n.language) })}</PageHeading>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && ordinal > 0 && <Skeleton height={320} radius="lg" />}
      {(detail === null || ordinal === 0) && (
        <EmptyState icon={IconDatabaseSearch} title={t('event.missing')} text={t('event.missingText')} />
      )}
      {detail && <EventDetails detail={detail} />}
    </div>
  );
}

function EventDetails({ detail: { event, undecodable, data } }: { detail: Detail }) {
  const { t } = useTranslation('eventLog');
  const { t: audit } = useTranslation('audit');
  const { ordinal, type, isStaffAction } = event;
  return (
    <>
      {undecodable !== null && (
        <Alert color="red" variant="light" title={t('event.undecodable')}>
          {undecodable}
        </Alert>
      )}
      <Group gap="md">
        <Anchor component={Link} to={paths.logStreamOf(ordinal)}>
          {t('event.openStream')}
        </Anchor>
        {isStaffAction && (
          <Anchor component={Link} to={paths.act(ordinal)}>
            {t('event.openAudit')}
          </Anchor>
        )}
      </Group>
      <Facts id="log-event" title={type} rows={useMetadata(event)} />
      <Facts
        id="log-data"
        title={audit('event.data')}
        rows={data.map(({ name, value, isProtected }) => [
          name,
          isProtected ? t('event.protected', { size: value }) : value,
        ])}
      />
      <p className={classes.lead}>{t('event.protection')}</p>
    </>
  );
}

function useMetadata(event: Detail['event']): ReadonlyArray<readonly [string, ReactNode]> {
  const { t, i18n } = useTranslation('audit');
  const { actorKind, operator } = event;
  return [
    [t('event.stream'), <code key="stream">{event.streamId}</code>],
    [t('event.revision'), wholeNumber(event.revision, i18n.language)],
    [t('event.occurredAt'), <ExactTime key="occurred" at={event.occurredAt} />],
    [t('event.recordedAt'), <ExactTime key="recorded" at={event.recordedAt} />],
    [t('event.actor'), [t(`actor.${actorKind}`), operator].filter((part) => part !== null).join(' · ')],
    [t('event.event'), <code key="event">{event.eventId}</code>],
    [t('event.command'), <code key="command">{event.commandId}</code>],
    [t('event.correlation'), <code key="correlation">{event.correlationId}</code>],
    [t('event.causation'), <code key="causation">{event.causationId}</code>],
    [t('event.schemaVersion'), event.schemaVersion],
  ];
}

interface FactsProps {
  id: string;
  title: string;
  rows: ReadonlyArray<readonly [name: string, value: ReactNode]>;
}

function Facts({ id, title, rows }: FactsProps) {
  return (
    <section aria-labelledby={id} className={classes.card}>
      <Title order={2} size="h4" id={id} mb="xs">
        {title}
      </Title>
      <Table className={classes.facts} layout="fixed">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
