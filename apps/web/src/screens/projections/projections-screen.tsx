import { useMutation, useQuery } from '@apollo/client/react';
import { Anchor, Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  ProjectionsDocument,
  RebuildProjectionsDocument,
  type ProjectionPartsFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { timings } from '../../lib/timings';
import { ProjectionStateBadge } from './projection-state';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';
import { usePurpose } from './use-purpose';
import { WorkProgress } from './work-progress';

const isHidden = () => document.visibilityState === 'hidden';

/** How the read side stands, kept current while one looks. */
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
          <Button variant="default" disabled={!all} onClick={() => setAsking(true)}>
            {t('rebuildAll')}
          </Button>
        }
      >
        {t('title')}
      </PageHeading>
      <Text c="dimmed">{t('intro')}</Text>
      {error && !all && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!all && !error && <SkeletonRows count={8} height={52} />}
      {all && <RebuildsTogether projections={all} />}
      {all && <ProjectionTable projections={all} />}
      <ConfirmDialog
        opened={asking}
        title={t('rebuildAll')}
        text={t('ask.rebuildAll')}
        confirmLabel={t('action.rebuild')}
        pending={loading}
        onConfirm={() => void rebuildAll()}
        onClose={() => setAsking(false)}
      />
    </Stack>
  );
}

/** They go along the log together: the one that is furthest behind tells how far. */
function RebuildsTogether({ projections }: { projections: readonly ProjectionPartsFragment[] }) {
  const { t } = useTranslation('projections');
  const { whole } = useAmounts();
  const building = projections.flatMap(({ rebuild, error }) =>
    rebuild && !error && !rebuild.isReady ? [rebuild] : [],
  );
  const [last] = building.toSorted((one, other) => one.done - other.done);
  if (!last || building.length < 2) return null;
  return <WorkProgress label={t('together', { amount: whole(building.length) })} work={last} />;
}

function ProjectionTable({ projections }: { projections: readonly ProjectionPartsFragment[] }) {
  const { t } = useTranslation('projections');
  return (
    <div className={classes.card}>
      <Table.ScrollContainer minWidth={720}>
        <Table verticalSpacing="sm" aria-label={t('title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.name')}</Table.Th>
              <Table.Th>{t('column.state')}</Table.Th>
              <Table.Th className={classes.number}>{t('column.generation')}</Table.Th>
              <Table.Th className={classes.number}>{t('column.lag')}</Table.Th>
              <Table.Th className={classes.number}>{t('column.age')}</Table.Th>
              <Table.Th className={classes.number}>{t('column.rate')}</Table.Th>
              <Table.Th className={classes.number}>{t('column.skipped')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {projections.map((projection) => (
              <ProjectionRow key={projection.name} projection={projection} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function ProjectionRow({ projection }: { projection: ProjectionPartsFragment }) {
  const { t } = useTranslation('projections');
  const { whole, span, rate } = useAmounts();
  const purpose = usePurpose();
  const { name, state, live, lagEvents, lagMs, eventsPerSecond, skipped, error, rebuild, verification } =
    projection;
  return (
    <Table.Tr>
      <Table.Td className={classes.name}>
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
        {rebuild && (
          <WorkProgress label={t(rebuild.isHeld && rebuild.isReady ? 'held' : 'building')} work={rebuild} />
        )}
        {verification && <WorkProgress label={t('verifying')} work={verification} />}
      </Table.Td>
      <Table.Td>
        <ProjectionStateBadge state={state} />
      </Table.Td>
      <Table.Td className={classes.number}>{live?.generation ?? '–'}</Table.Td>
      <Table.Td className={classes.number}>{whole(lagEvents)}</Table.Td>
      <Table.Td className={classes.number}>{span(lagMs)}</Table.Td>
      <Table.Td className={classes.number}>{rate(eventsPerSecond)}</Table.Td>
      <Table.Td className={classes.number}>{whole(skipped.length)}</Table.Td>
    </Table.Tr>
  );
}
