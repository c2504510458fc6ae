import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../app/paths';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { ProjectionDetailDocument, type ProjectionDetailsFragment } from '../../generated/graphql';
import { timings } from '../../lib/timings';
import { GenerationTable } from './generation-table';
import { ProjectionActions } from './projection-actions';
import { ProjectionHistory } from './projection-history';
import { ProjectionStateBadge } from './projection-state';
import classes from './projections.module.css';
import { SkippedEvents } from './skipped-events';
import { StoppedNotice } from './stopped-notice';
import { useAmounts } from './use-amounts';
import { usePurpose } from './use-purpose';
import { VerificationNotice } from './verification-notice';
import { WorkProgress } from './work-progress';

const isHidden = () => document.visibilityState === 'hidden';

/** One projection: how it stands, what can be done, and what was done. */
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
      <Standing projection={projection} />
      <StoppedNotice projection={projection} />
      {projection.state === 'AHEAD' && (
        <Alert color="red" variant="light" title={t('state.AHEAD')}>
          {t('ahead')}
        </Alert>
      )}
      <section className={classes.card} aria-label={t('work')}>
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

function rebuildLabel({ isHeld, isReady, isWayBack }: NonNullable<ProjectionDetailsFragment['rebuild']>) {
  if (isHeld && isReady) return 'heldGeneration';
  return isWayBack ? 'wayBack' : 'buildingGeneration';
}

function Standing({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole, span, rate } = useAmounts();
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
