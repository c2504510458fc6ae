import { useQuery } from '@apollo/client/react';
import { Button, Group, SegmentedControl, Select, SemiCircleProgress, Skeleton, Tabs } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice, QuietNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { Placeholder, SkeletonRows } from '../../../components/skeletons';
import { chartHeight } from '../../../features/charts/chart-figure';
import { useSubjects } from '../../../features/subjects/use-subjects';
import {
  SolvedShareDocument,
  SpaceStatisticsDocument,
  type SpaceStatisticsQuery,
} from '../../../generated/graphql';
import { useCurrentSpace } from '../../../lib/auth-storage';
import { wholeNumber } from '../../../lib/format';
import { timings } from '../../../lib/timings';
import { CareerTab } from './career-tab';
import { ClarityTab } from './clarity-tab';
import classes from './nimo-sense.module.css';
import { latest, type Span } from './spans';
import { WorkloadTab } from './workload-tab';

const spans = ['30', '90', '365'] as const;

export default function NimoSenseScreen() {
  const { t } = useTranslation('sense');
  const space = useCurrentSpace()?._id ?? '';
  const [subject, setSubject] = useState<string | null>(null);
  const [days, setDays] = useState<string>(spans[0]);
  const subjectIds = subject === null ? null : [subject];
  const span = latest(Number(days), new Date());
  return (
    <div className={classes.screen}>
      <PageHeading>{t('title')}</PageHeading>
      <div className={classes.top}>
        <div className={classes.summary}>
          <Scope space={space} subject={subject} onChoose={setSubject}>
            <SegmentedControl
              aria-label={t('period')}
              value={days}
              onChange={setDays}
              data={spans.map((value) => ({ value, label: t(`spans.${value}`) }))}
            />
          </Scope>
          <Totals space={space} span={span} subjectIds={subjectIds} />
        </div>
        <Gauge space={space} subjectIds={subjectIds} />
      </div>
      <Tabs defaultValue="workload" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="workload">{t('tabs.workload')}</Tabs.Tab>
          <Tabs.Tab value="clarity">{t('tabs.clarity')}</Tabs.Tab>
          <Tabs.Tab value="career">{t('tabs.career')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="workload">
          <OfSpace space={space} span={span} subjectIds={subjectIds}>
            {(statistics) => <WorkloadTab statistics={statistics} />}
          </OfSpace>
        </Tabs.Panel>
        <Tabs.Panel value="clarity">
          <OfSpace space={space} span={span} subjectIds={subjectIds}>
            {(statistics) => <ClarityTab statistics={statistics} />}
          </OfSpace>
        </Tabs.Panel>
        <Tabs.Panel value="career">
          <CareerTab space={space} span={span} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

interface ScopeProps {
  space: string;
  /** Null for the whole class. */
  subject: string | null;
  onChoose: (subject: string | null) => void;
  children: ReactNode;
}

/** Selects the whole class or one subject, next to the page's other filters. */
function Scope({ space, subject, onChoose, children }: ScopeProps) {
  const { t } = useTranslation('sense');
  const { subjects } = useSubjects(space);
  const isBySubject = subject !== null;
  return (
    <div className={classes.scope}>
      <Group justify="space-between">
        <Group gap="xs" role="group" aria-label={t('scope')}>
          <Button
            variant={isBySubject ? 'default' : 'filled'}
            aria-pressed={!isBySubject}
            onClick={() => onChoose(null)}
          >
            {t('byClass')}
          </Button>
          <Button
            variant={isBySubject ? 'filled' : 'default'}
            aria-pressed={isBySubject}
            disabled={subjects.length === 0}
            onClick={() => onChoose(subject ?? subjects[0]?._id ?? null)}
          >
            {t('bySubject')}
          </Button>
        </Group>
        {children}
      </Group>
      {isBySubject && (
        <Select
          label={t('subject')}
          maw="18rem"
          value={subject}
          allowDeselect={false}
          data={subjects.map(({ _id, subjectName }) => ({ value: _id, label: subjectName }))}
          onChange={onChoose}
        />
      )}
    </div>
  );
}

/** Totals of the period. The tab below shows the error when they fail to load. */
function Totals({ space, span, subjectIds }: Omit<OfSpaceProps, 'children'>) {
  const { data, previousData, error } = useQuery(SpaceStatisticsDocument, {
    variables: { space, ...span, subjectIds },
  });
  const statistics = (data ?? previousData)?.getSpaceStatistics;
  if (statistics) return <Sums workload={statistics.workload} />;
  if (error) return null;
  return (
    <Placeholder>
      <Sums workload={[]} />
    </Placeholder>
  );
}

function Sums({ workload }: Pick<SpaceStatisticsQuery['getSpaceStatistics'], 'workload'>) {
  const { t, i18n } = useTranslation('sense');
  const sum = (of: 'questions' | 'answers') =>
    wholeNumber(
      workload.reduce((total, piece) => total + piece[of], 0),
      i18n.language,
    );
  return (
    <dl className={classes.totals}>
      {(['questions', 'answers'] as const).map((of) => (
        <div key={of}>
          <dt>{t(`workload.${of}`)}</dt>
          <dd>{sum(of)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface OfSpaceProps {
  space: string;
  span: Span;
  subjectIds: string[] | null;
  children: (statistics: SpaceStatisticsQuery['getSpaceStatistics']) => ReactNode;
}

/** Statistics of the period; the previous ones stay visible while new ones load. */
function OfSpace({ space, span, subjectIds, children }: OfSpaceProps) {
  const { data, previousData, error, refetch } = useQuery(SpaceStatisticsDocument, {
    variables: { space, ...span, subjectIds },
    fetchPolicy: 'cache-and-network',
  });
  const shown = data ?? previousData;
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!shown) return <SkeletonRows count={1} height={chartHeight} />;
  return children(shown.getSpaceStatistics);
}

interface GaugeProps {
  space: string;
  subjectIds: string[] | null;
}

const size = 240;
const isHidden = () => document.visibilityState === 'hidden';

/** Share of solved questions, polled every two seconds while visible. */
function Gauge({ space, subjectIds }: GaugeProps) {
  const { t, i18n } = useTranslation('sense');
  const isStill = useReducedMotion();
  const { data, error, refetch } = useQuery(SolvedShareDocument, {
    variables: { space, subjectIds },
    fetchPolicy: 'cache-and-network',
    pollInterval: timings.gaugeRefresh,
    skipPollAttempt: isHidden,
  });
  if (!data) {
    if (error) return <QuietNotice error={error} onRetry={() => void refetch()} />;
    return <Skeleton width={size} height={`calc(${size / 2}px + 0.5rem + 1lh)`} radius="lg" />;
  }
  const { questions, solved } = data.getSolvedShare;
  const percent = questions === 0 ? 0 : Math.round((solved / questions) * 100);
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(percent / 100);
  const counts = t('solvedOf', {
    solved: wholeNumber(solved, i18n.language),
    count: questions,
    questions: wholeNumber(questions, i18n.language),
  });
  return (
    <div className={classes.gauge}>
      <SemiCircleProgress
        role="meter"
        aria-label={t('gauge')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${share}. ${counts}`}
        size={size}
        thickness={18}
        value={percent}
        transitionDuration={isStill ? 0 : timings.transition}
        label={<span className={classes.percent}>{share}</span>}
        labelPosition="center"
      />
      <p>{counts}</p>
    </div>
  );
}
