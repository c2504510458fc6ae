import { Button, Group, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table';
import classes from './chart-figure.module.css';

export const chartHeight = 300;

interface Numbers {
  key: string;
  cells: readonly string[];
}

interface ChartFigureProps {
  title: string;
  columns: readonly string[];
  /** Values of the chart, as table rows. */
  rows: readonly Numbers[];
  /** The chart, loaded lazily. */
  children: ReactNode;
}

/** A chart with a table of its values: always for screen readers, on demand for others. */
export function ChartFigure({ title, columns, rows, children }: ChartFigureProps) {
  const { t } = useTranslation('sense');
  const id = useId();
  const [isShown, table] = useDisclosure();
  const numbers = (
    <DataTable
      aria-labelledby={id}
      className="nimo-tabular"
      rows={rows}
      keyOf={({ key }) => key}
      columns={columns.map((label, index) => ({
        label,
        isRowHeader: index === 0,
        cell: ({ cells }: Numbers) => cells[index],
      }))}
    />
  );
  return (
    <figure className={classes.figure}>
      <Group justify="space-between">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        <Button variant="default" size="compact-sm" aria-expanded={isShown} onClick={table.toggle}>
          {t(isShown ? 'hideNumbers' : 'showNumbers')}
        </Button>
      </Group>
      <div aria-hidden className={classes.chart}>
        <Suspense fallback={<Skeleton height={chartHeight} radius="md" />}>{children}</Suspense>
      </div>
      {isShown ? numbers : <VisuallyHidden>{numbers}</VisuallyHidden>}
    </figure>
  );
}
