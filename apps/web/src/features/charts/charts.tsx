import { AreaChart, BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useReducedMotion } from '@mantine/hooks';
import { chartHeight } from './chart-figure';

interface Series {
  name: string;
  label: string;
  color: string;
}

export interface ChartProps {
  data: ReadonlyArray<Record<string, string | number>>;
  series: readonly Series[];
  valueFormatter: (value: number) => string;
}

const axes = { h: chartHeight, dataKey: 'label', withLegend: true, tooltipAnimationDuration: 0 } as const;

/** Grouped bars, one group per time bucket. */
export function Bars({ data, series, valueFormatter }: ChartProps) {
  const isStill = useReducedMotion();
  return (
    <BarChart
      {...axes}
      data={[...data]}
      series={[...series]}
      valueFormatter={valueFormatter}
      barProps={{ isAnimationActive: !isStill }}
      yAxisProps={{ allowDecimals: false, interval: 0 }}
    />
  );
}

/** Stacked areas; the upper edge is the sum. */
export function StackedAreas({ data, series, valueFormatter }: ChartProps) {
  const isStill = useReducedMotion();
  return (
    <AreaChart
      {...axes}
      type="stacked"
      curveType="stepAfter"
      withDots={false}
      data={[...data]}
      series={[...series]}
      valueFormatter={valueFormatter}
      areaProps={{ isAnimationActive: !isStill }}
      yAxisProps={{ allowDecimals: false, interval: 0 }}
    />
  );
}
