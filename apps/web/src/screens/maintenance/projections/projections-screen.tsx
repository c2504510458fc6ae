import { useMutation, useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ConfirmDialog } from '../../../components/dialogs';
import { DataTable } from '../../../components/data-table';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import {
  ProjectionsDocument,
  RebuildProjectionsDocument,
  SwitchProjectionDocument,
  type ProjectionPartsFragment,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { timings } from '../../../lib/timings';
import { ProjectionStateBadge, useFormatters, usePurpose, WorkProgress } from './parts';
import classes from './projections.module.css';
import { StoppedEvents } from './stopped-events';

const isHidden = () => document.visibilityState === 'hidden';

/** All projections and their state, polled. */
export default function ProjectionsScreen() {
  const { t } = useTranslation('projections');
  const { data, error, refetch } = useQuery(ProjectionsDocument, {
    fetchPolicy: 'cache-and-network',
    pollInterval: timings.projectionsRefresh,
    skipPollAttempt: isHidden,
  });
  const [asking, setAsking] = useState(false);
  const all = data?.getProjections;
  const [rebuild, { loading }] = useMutation(RebuildProjectionsDocument);
  const rebuildAll = async () => {
    try {
      await rebuild({ variables: { names: (all ?? []).map(({ name }) => name), hold: false } });
      toast.success(t('done.rebuildAll'));
    } catch (cause) {
      toast.error(errorText(cause));
    }
    setAsking(false);
  };
  return (
    <Stack gap="lg" className={classes.screen}>
      <PageHeading
        actions={
          <Group gap="sm">
            <SwitchAll projections={all ?? []} />
            <Button variant="default" disabled={!all} onClick={() => setAsking(true)}>
              {t('rebuildAll')}
            </Button>
          </Group>
        }
      >
        {t('title')}
      </PageHeading>
      <Text c="dimmed">{t('intro')}</Text>
      {error && !all && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!all && !error && <SkeletonRows count={8} height={52} />}
      {all?.some(({ error: stop }) => stop) && <StoppedEvents />}
      {all && <ConcurrentRebuilds projections={all} />}
      {all && <ProjectionTable projections={all} />}
      <ConfirmDialog
        opened={asking}
        title={t('rebuildAll')}
        text={t('explanation.rebuildAll')}
        confirmLabel={t('action.rebuild')}
        pending={loading}
        onConfirm={() => void rebuildAll()}
        onClose={() => setAsking(false)}
      />
    </Stack>
  );
}

/** Switches all projections that are ready, if there are several. Each is switched on its own, so one refusal stops no other. */
function SwitchAll({ projections }: { projections: readonly ProjectionPartsFragment[] }) {
  const { t } = useTranslation('projections');
  const [isAsking, setAsking] = useState(false);
  const [switchTo, { loading }] = useMutation(SwitchProjectionDocument);
  const ready = projections.flatMap(({ name, rebuild }) =>
    rebuild?.isHeld && rebuild.isReady ? [{ name, generation: rebuild.generation }] : [],
  );
  const switchAll = async () => {
    let areAllSwitched = true;
    for (const { name, generation } of ready) {
      try {
        await switchTo({ variables: { name, generation } });
      } catch (cause) {
        areAllSwitched = false;
        toast.error(t('notSwitched', { name, reason: errorText(cause) }));
      }
    }
    if (areAllSwitched) toast.success(t('done.switchAll'));
    setAsking(false);
  };
  return (
    <>
      {ready.length > 1 && <Button onClick={() => setAsking(true)}>{t('switchAll')}</Button>}
      <ConfirmDialog
        opened={isAsking}
        title={t('switchAll')}
        text={t('explanation.switchAll', { names: ready.map(({ name }) => name).join(', ') })}
        confirmLabel={t('action.switch')}
        cancelLabel={t('close')}
        pending={loading}
        onConfirm={() => void switchAll()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Concurrent rebuilds share one pass over the log; the one furthest behind shows the progress. */
function ConcurrentRebuilds({ projections }: { projections: readonly ProjectionPartsFragment[] }) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  const building = projections.flatMap(({ rebuild, error }) =>
    rebuild && !error && !rebuild.isReady ? [rebuild] : [],
  );
  const [last] = building.toSorted((one, other) => one.done - other.done);
  if (!last || building.length < 2) return null;
  return <WorkProgress label={t('rebuildingMany', { amount: whole(building.length) })} work={last} />;
}

function ProjectionTable({ projections }: { projections: readonly ProjectionPartsFragment[] }) {
  const { t } = useTranslation('projections');
  const { whole, span, rate } = useFormatters();
  const numeric = { className: classes.number };
  return (
    <div className={classes.card}>
      <DataTable
        minWidth={720}
        verticalSpacing="sm"
        aria-label={t('title')}
        rows={projections}
        keyOf={({ name }) => name}
        columns={[
          {
            label: t('column.name'),
            cellProps: { className: classes.name },
            cell: (projection) => <ProjectionName projection={projection} />,
          },
          { label: t('column.state'), cell: ({ state }) => <ProjectionStateBadge state={state} /> },
          { label: t('column.generation'), cellProps: numeric, cell: ({ live }) => live?.generation ?? '–' },
          { label: t('column.lag'), cellProps: numeric, cell: ({ lagEvents }) => whole(lagEvents) },
          { label: t('column.age'), cellProps: numeric, cell: ({ lagMs }) => span(lagMs) },
          {
            label: t('column.rate'),
            cellProps: numeric,
            cell: ({ eventsPerSecond }) => rate(eventsPerSecond),
          },
          { label: t('column.skipped'), cellProps: numeric, cell: ({ skipped }) => whole(skipped.length) },
        ]}
      />
    </div>
  );
}

function rebuildLabel({ error, isHeld, isReady }: NonNullable<ProjectionPartsFragment['rebuild']>) {
  if (error) return 'rebuildStopped';
  return isHeld && isReady ? 'held' : 'building';
}

function ProjectionName({ projection }: { projection: ProjectionPartsFragment }) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  const purpose = usePurpose();
  const { name, error, rebuild, verification } = projection;
  return (
    <>
      <Anchor component={Link} to={paths.projection(name)} fw={600}>
        {name}
      </Anchor>
      <Text size="sm" c="dimmed">
        {purpose(projection)}
      </Text>
      {error && (
        <Text size="sm" className={classes.error}>
          {t('stoppedAt', {
            ordinal: whole(error.ordinal),
            eventType: error.eventType,
            message: error.message,
          })}
        </Text>
      )}
      {rebuild && <WorkProgress label={t(rebuildLabel(rebuild))} work={rebuild} />}
      {verification && <WorkProgress label={t('verifying')} work={verification} />}
    </>
  );
}
