import { useQuery } from '@apollo/client/react';
import { Anchor, Group, Skeleton, Table, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ExactTime } from '../../../components/exact-time';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { MoreButton } from '../../../components/paged-rows';
import { SkeletonRows } from '../../../components/skeletons';
import { useOwnAreas } from '../../../features/areas/own-areas';
import { AuditActDocument, type AuditActQuery } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { auditPath } from './audit-address';
import { AuditTable } from './audit-table';
import classes from './audit.module.css';
import { useAudit } from './use-audit';
import { isImportItself, useImportName, usePersonName, useEventLabel } from './audit-words';

type AuditEvent = NonNullable<AuditActQuery['getAuditEntry']>;

/** One event with all its data. */
export default function EventScreen() {
  const { t, i18n } = useTranslation('audit');
  const { ordinal: named = '' } = useParams();
  const ordinal = /^\d{1,9}$/.test(named) ? Number(named) : 0;
  const { data, error, refetch } = useQuery(AuditActDocument, { variables: { ordinal } });
  const act = data?.getAuditEntry;
  return (
    <div className={classes.screen}>
      <Anchor component={Link} to={paths.audit} className={classes.back}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('links.back')}
      </Anchor>
      <PageHeading>{t('event.title', { ordinal: wholeNumber(ordinal, i18n.language) })}</PageHeading>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={320} radius="lg" />}
      {data && !act && (
        <EmptyState icon={IconHistory} title={t('event.missingTitle')} text={t('event.missingText')} />
      )}
      {act && (
        <>
          <EventMetadata act={act} />
          <Data act={act} />
          <EventEntries ordinal={ordinal} />
        </>
      )}
    </div>
  );
}

/** The event's payload. */
function Data({ act: { data } }: { act: AuditEvent }) {
  const { t } = useTranslation('audit');
  const nameOf = usePersonName();
  return (
    <section aria-labelledby="act-data">
      <Title order={2} size="h4" id="act-data" mb="xs">
        {t('event.data')}
      </Title>
      <Table className={classes.facts} layout="fixed">
        <Table.Tbody>
          {data.map(({ name, value, isErased, person }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>
                {person && (
                  <Anchor component={Link} to={auditPath({ view: 'receiver', of: person._id })} mr="sm">
                    {nameOf(person)}
                  </Anchor>
                )}
                <span className={value === null ? classes.nothing : classes.value}>
                  {isErased ? t('event.erased') : (value ?? t('event.none'))}
                </span>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** The event's metadata. */
function EventMetadata({ act }: { act: AuditEvent }) {
  const { t } = useTranslation('audit');
  const what = useEventLabel();
  const isMaintainer = useOwnAreas()?.includes('maintenance') ?? false;
  const { entry } = act;
  const { actor, caseId, post, receiver, space } = entry;
  return (
    <div className={classes.card}>
      <Group justify="space-between" align="baseline">
        <strong className={classes.ofName}>{what(entry)}</strong>
        <code>{entry.kind}</code>
      </Group>
      <dl className={classes.factList}>
        <Fact label={t('event.actor')}>
          <ActorName act={act} />
        </Fact>
        <Fact label={t('event.occurredAt')}>
          <ExactTime at={entry.occurredAt} />
        </Fact>
        <Fact label={t('event.recordedAt')}>
          <ExactTime at={entry.recordedAt} />
        </Fact>
        {space && <Fact label={t('event.space')}>{space.name}</Fact>}
        <Fact label={t('event.stream')}>
          <StreamName act={act} isLink={isMaintainer} />
        </Fact>
        <Fact label={t('event.revision')}>{act.revision}</Fact>
        <Fact label={t('event.event')}>
          <code>{entry.eventId}</code>
        </Fact>
        <Fact label={t('event.command')}>
          <code>{entry.commandId}</code>
        </Fact>
        <Fact label={t('event.correlation')}>
          <code>{act.correlationId}</code>
        </Fact>
        <Fact label={t('event.causation')}>
          <code>{act.causationId}</code>
        </Fact>
        <Fact label={t('event.schemaVersion')}>{act.schemaVersion}</Fact>
      </dl>
      <Group gap="md">
        {post && (
          <>
            <Anchor component={Link} to={paths.singleQuestion(post.questionId, 'home')}>
              {t('links.question')}
            </Anchor>
            <Anchor component={Link} to={auditPath({ view: 'post', of: post._id })}>
              {t('links.postHistory')}
            </Anchor>
          </>
        )}
        {receiver && !receiver.isErased && (
          <Anchor component={Link} to={paths.userDetail(receiver._id, space?._id)}>
            {t('links.profile')}
          </Anchor>
        )}
        {actor && (
          <Anchor component={Link} to={auditPath({ actor: actor._id })}>
            {t('links.asActor')}
          </Anchor>
        )}
        {caseId !== null && (
          <Anchor component={Link} to={auditPath({ caseId })}>
            {t('links.case')}
          </Anchor>
        )}
        {isMaintainer && (
          <Anchor component={Link} to={paths.logEvent(entry.ordinal)}>
            {t('links.inLog')}
          </Anchor>
        )}
      </Group>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Links to the stream in the log, which only maintainers can read. */
function StreamName({ act: { streamId, entry }, isLink }: { act: AuditEvent; isLink: boolean }) {
  const name = <code>{streamId}</code>;
  if (!isLink) return name;
  return (
    <Anchor component={Link} to={paths.logStreamOf(entry.ordinal)}>
      {name}
    </Anchor>
  );
}

function ActorName({ act: { entry } }: { act: AuditEvent }) {
  const { t } = useTranslation('audit');
  const nameOf = usePersonName();
  const importName = useImportName();
  const { actor, actorKind, operator } = entry;
  const who = actor && !isImportItself(entry) ? nameOf(actor) : null;
  const otherwise = who === null ? t(`actor.${actorKind}`) : null;
  return [who, actorKind === 'import' ? importName(entry) : otherwise, operator]
    .filter((part) => part !== null)
    .join(' · ');
}

/** The event's audit entries: one, or one per vote of an invalidation. */
function EventEntries({ ordinal }: { ordinal: number }) {
  const { t } = useTranslation('audit');
  const filter = useMemo(() => ({ fromOrdinal: ordinal, toOrdinal: ordinal }), [ordinal]);
  const { lines, error, refetch, hasMore, nextPage } = useAudit(filter);
  return (
    <section aria-labelledby="act-lines">
      <Title order={2} size="h4" id="act-lines" mb="xs">
        {t('event.entries')}
      </Title>
      {error && !lines && <ErrorNotice error={error} onRetry={refetch} />}
      {!error && !lines && <SkeletonRows count={2} height={44} />}
      {lines && <AuditTable lines={lines} />}
      {hasMore && (
        <div className={classes.older}>
          <MoreButton nextPage={nextPage}>{t('event.more')}</MoreButton>
        </div>
      )}
    </section>
  );
}
