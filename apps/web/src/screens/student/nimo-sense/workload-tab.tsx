import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import type { SpaceStatisticsQuery } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { ChartFigure } from '../../../features/charts/chart-figure';
import { Bars } from '../../../features/charts/lazy-charts';
import { useSpanLabel, workloadSeries } from './spans';

/** Questions and answers over time. */
export function WorkloadTab({ statistics }: { statistics: SpaceStatisticsQuery['getSpaceStatistics'] }) {
  const { t, i18n } = useTranslation('sense');
  const labelOf = useSpanLabel();
  const number = (value: number) => wholeNumber(value, i18n.language);
  if (statistics.workload.length === 0) return <NoQuestions />;
  const series = workloadSeries(statistics.workload, statistics);
  return (
    <ChartFigure
      title={t('workload.title')}
      columns={[t('period'), t('workload.questions'), t('workload.answers')]}
      rows={series.map((piece) => ({
        key: piece.from,
        cells: [labelOf(piece), number(piece.questions), number(piece.answers)],
      }))}
    >
      <Bars
        data={series.map((piece) => ({ ...piece, label: labelOf(piece) }))}
        series={[
          { name: 'questions', label: t('workload.questions'), color: 'accent.6' },
          { name: 'answers', label: t('workload.answers'), color: 'teal.6' },
        ]}
        valueFormatter={number}
      />
    </ChartFigure>
  );
}

/** Shown instead of zeros. */
export function NoQuestions() {
  const { t } = useTranslation('sense');
  const action = (
    <Button component={Link} to={paths.dashboard}>
      {t('toQuestions')}
    </Button>
  );
  return <EmptyState icon={IconChartBar} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
}
