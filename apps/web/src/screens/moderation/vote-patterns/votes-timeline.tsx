import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JudgedVoteRowFragment } from '../../../generated/graphql';

const day = 86_400_000;
const minute = 60_000;
const steps = [minute, 10 * minute, 60 * minute, day, 7 * day, 30 * day, 365 * day] as const;
const MAX_BARS = 40;

/** Buckets votes into equal time spans, at most `mostBars`. */
function barsOf(votes: readonly Pick<JudgedVoteRowFragment, 'castAt'>[]): { at: number; votes: number }[] {
  const times = votes.flatMap(({ castAt }) => (castAt ? [Date.parse(castAt)] : []));
  if (times.length === 0) return [];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const step = steps.find((length) => (last - first) / length < MAX_BARS) ?? 365 * day;
  const start = Math.floor(first / step) * step;
  const count = Math.floor((last - start) / step) + 1;
  const bars = Array.from({ length: count }, (_, place) => ({ at: start + place * step, votes: 0 }));
  for (const time of times) {
    const bar = bars[Math.floor((time - start) / step)];
    if (bar) bar.votes += 1;
  }
  return bars;
}

/** Histogram of vote times. The table below has the exact values. */
export default function VotesTimeline({ votes }: { votes: readonly JudgedVoteRowFragment[] }) {
  const { t, i18n } = useTranslation('patterns');
  const bars = barsOf(votes);
  const span = (bars.at(-1)?.at ?? 0) - (bars[0]?.at ?? 0);
  const format = new Intl.DateTimeFormat(
    i18n.language,
    span > 2 * day ? { dateStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' },
  );
  const data = bars.map(({ at, votes: count }) => ({ label: format.format(at), votes: count }));
  return (
    <figure style={{ margin: 0 }}>
      <VisuallyHidden component="figcaption">{t('timeline')}</VisuallyHidden>
      <div aria-hidden>
        <BarChart
          h={160}
          data={data}
          dataKey="label"
          series={[{ name: 'votes', label: t('votes'), color: 'blue.6' }]}
          xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
          yAxisProps={{ allowDecimals: false, interval: 0 }}
          barProps={{ isAnimationActive: false, maxBarSize: 48 }}
        />
      </div>
    </figure>
  );
}
