import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useReducedMotion } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { ModerationCaseFragment } from '../../../generated/graphql';

/** Upvotes and downvotes per day, as grouped bars. */
export function VoteChart({ days }: { days: ModerationCaseFragment['voteDays'] }) {
  const { t } = useTranslation('moderation');
  const isStill = useReducedMotion();
  return (
    <BarChart
      h={160}
      dataKey="day"
      withLegend
      tooltipAnimationDuration={0}
      data={days.map(({ day, up, down }) => ({ day, up, down }))}
      series={[
        { name: 'up', label: t('votes.up'), color: 'teal.6' },
        { name: 'down', label: t('votes.down'), color: 'red.6' },
      ]}
      barProps={{ isAnimationActive: !isStill, maxBarSize: 28 }}
      xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
      yAxisProps={{ allowDecimals: false, interval: 0 }}
    />
  );
}
