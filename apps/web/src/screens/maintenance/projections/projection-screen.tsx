import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ConfirmDialog } from '../../../components/dialogs';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { SkeletonRows } from '../../../components/skeletons';
import { ProjectionDetailDocument, type ProjectionDetailsFragment } from '../../../generated/graphql';
import { timings } from '../../../lib/timings';
import { GenerationTable } from './generation-table';
import { ProjectionStateBadge, useFormatters, usePurpose, WorkProgress } from './parts';
import classes from './projections.module.css';
import { StoppedNotice, VerificationNotice } from './notices';
import { useProjectionActions } from './use-projection-actions';
import { shownName } from '../../../lib/api/erased';

const isHidden = () => document.visibilityState === 'hidden';

/** One projection: state, actions and activity. */
export default function ProjectionScreen() {
  const { t } = useTranslation('projections');
  const { name = '' } = useParams();
  const { data, error, refetch } = useQuery(ProjectionDetailDocument, {
    variables: { name },
    fetchPolicy: 'cache-and-network',
    pollInterval: timings.projectionRefresh,
    skipPollAttempt: isHidden,
  });
  const projection = data?.getProjection;
  return (
    <Stack gap="lg" className={classes.screen}>
      <Anchor component={Link} to={paths.maintenance} size="sm">
        {t('back')}
      </Anchor>
      <PageHeading>{name}</PageHeading>
      {error && !projection && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!projection && !error && <SkeletonRows count={4} height={96} />}
      {projection && <ProjectionView projection={projection} />}
    </Stack>
  );
}

function ProjectionView({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { rebuild, verification } = projection;
  return (
    <>
      <ProjectionStatus projection={projection} />
      <StoppedNotice projection={projection} />
      {projection.state === 'AHEAD' && (
        <Alert color="red" variant="light" title={t('state.AHEAD')}>
          {t('ahead')}
        </Alert>
      )}
      <section className={classes.card} aria-label={t('operations')}>
        <Stack gap="md">
          {rebuild && (
            <WorkProgress
              label={t(rebuildLabel(rebuild), { generation: rebuild.generation })}
              work={rebuild}
            />
          )}
          {verification && <WorkProgress label={t('verifying')} work={verification} />}
          <ProjectionActions projection={projection} />
          <VerificationNotice projection={projection} />
        </Stack>
      </section>
      <Section title={t('generations')}>
        <GenerationTable projection={projection} />
      </Section>
      <Section title={t('skippedEvents')}>
        <SkippedEvents skipped={projection.skipped} />
      </Section>
      <Section title={t('history')}>
        <ProjectionHistory history={projection.history} />
      </Section>
    </>
  );
}

function rebuildLabel({
  error,
  isHeld,
  isReady,
  isRollback,
}: NonNullable<ProjectionDetailsFragment['rebuild']>) {
  if (error) return 'rebuildStopped';
  if (isHeld && isReady) return 'heldGeneration';
  return isRollback ? 'catchingUpToSwitchBack' : 'buildingGeneration';
}

function ProjectionStatus({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole, span, rate } = useFormatters();
  const purpose = usePurpose();
  const { state, lagEvents, lagMs, eventsPerSecond, live } = projection;
  return (
    <div>
      <Text c="dimmed">{purpose(projection)}</Text>
      <Group gap="sm" mt="xs">
        <ProjectionStateBadge state={state} />
        <Text size="sm">
          {t('lag', { count: lagEvents, events: whole(lagEvents), span: span(lagMs) })} ·{' '}
          {rate(eventsPerSecond)}
          {live?.leader != null && ` · ${t('leader', { leader: live.leader })}`}
        </Text>
      </Group>
    </div>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={classes.card} aria-label={title}>
      <Title order={2} size="h3" mb="md">
        {title}
      </Title>
      {children}
    </section>
  );
}

type ConfirmedAction = 'rebuild' | 'hold' | 'cancel' | 'switch' | 'verify' | 'cancelVerification';

/** Actions available in the current state, each with a confirmation. */
function ProjectionActions({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const [confirming, setConfirming] = useState<ConfirmedAction>();
  const actions = useProjectionActions(projection.name);
  const { rebuild, verification } = projection;
  const available: ConfirmedAction[] = rebuild
    ? [...(rebuild.isHeld && rebuild.isReady ? (['switch'] as const) : []), 'cancel']
    : ['rebuild', 'hold'];
  available.push(verification ? 'cancelVerification' : 'verify');
  const execute = async (action: ConfirmedAction) => {
    if (action === 'switch') await actions.switchTo(rebuild?.generation ?? 0);
    else if (action === 'rebuild' || action === 'hold') await actions.rebuild(action === 'hold');
    else await actions[action]();
    setConfirming(undefined);
  };
  return (
    <Group gap="sm">
      {available.map((action) => (
        <Button
          key={action}
          variant={action === 'rebuild' || action === 'switch' ? 'filled' : 'default'}
          onClick={() => setConfirming(action)}
        >
          {t(`action.${action}`)}
        </Button>
      ))}
      <ConfirmDialog
        opened={confirming !== undefined}
        title={confirming ? t(`action.${confirming}`) : ''}
        text={confirming ? t(`explanation.${confirming}`) : ''}
        confirmLabel={confirming ? t(`action.${confirming}`) : ''}
        cancelLabel={t('close')}
        danger={confirming === 'cancel'}
        pending={actions.isPending}
        onConfirm={() => {
          if (confirming) void execute(confirming);
        }}
        onClose={() => setConfirming(undefined)}
      />
    </Group>
  );
}

type Entry = ProjectionDetailsFragment['history'][number];

/** Actions on the projection, newest first. */
function ProjectionHistory({ history }: { history: readonly Entry[] }) {
  const { t } = useTranslation('projections');
  if (history.length === 0) return <Text c="dimmed">{t('noHistory')}</Text>;
  return (
    <ol className={classes.list}>
      {history.map((entry) => (
        <HistoryEntry key={entry._id} entry={entry} />
      ))}
    </ol>
  );
}

function HistoryEntry({ entry }: { entry: Entry }) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  const { kind, at, actor, actorKind, operator, generation, outcome, eventType, ordinal, reason, hold } =
    entry;
  const actorLabel = t(actorKind === 'operator' ? 'actor.operator' : 'actor.system');
  const who = actor ? shownName(actor) : [actorLabel, operator].filter((part) => part !== null).join(' · ');
  return (
    <li>
      <Text fw={600}>
        {kind === 'ProjectionRebuildStarted' && hold
          ? t('activity.held')
          : t(`activity.${kind}`, {
              generation: generation ?? '',
              outcome: outcome === null ? '' : t(`outcome.${outcome}`),
              eventType: eventType ?? '',
              ordinal: whole(ordinal ?? 0),
            })}
      </Text>
      {reason !== null && <Text size="sm">{reason}</Text>}
      <Text size="sm" c="dimmed">
        {who} · <ExactTime at={at} />
      </Text>
    </li>
  );
}

/** Events skipped by the live generation, with reasons. */
function SkippedEvents({ skipped }: Pick<ProjectionDetailsFragment, 'skipped'>) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  if (skipped.length === 0) return <Text c="dimmed">{t('noSkippedEvents')}</Text>;
  return (
    <ul className={classes.list}>
      {skipped.map(({ eventId, eventType, ordinal, reason, at }) => (
        <li key={eventId}>
          <Text fw={600}>{t('stoppedEvent', { ordinal: whole(ordinal), eventType })}</Text>
          <Text>{reason}</Text>
          <Text size="sm" c="dimmed">
            <ExactTime at={at} /> · <span className={classes.hash}>{eventId}</span>
          </Text>
        </li>
      ))}
    </ul>
  );
}
