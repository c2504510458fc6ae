import { Button, Group, Skeleton, Table, Title, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './chart-figure.module.css';

export const chartHeight = 300;

interface ChartFigureProps {
  title: string;
  columns: readonly string[];
  /** The numbers of the chart, for those who cannot see it and those who want them exactly. */
  rows: ReadonlyArray<{ key: string; cells: readonly string[] }>;
  /** The chart itself, which comes when it is needed. */
  children: ReactNode;
}

/** A chart and its numbers: always there for screen readers, on demand for everybody. */
export function ChartFigure({ title, columns, rows, children }: ChartFigureProps) {
  const { t } = useTranslation('sense');
  const id = useId();
  const [isShown, table] = useDisclosure();
  const numbers = (
    <Table aria-labelledby={id} className="nimo-tabular">
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells: [head, ...cells] }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={400}>
              {head}
            </Table.Th>
            {cells.map((cell, index) => (
              <Table.Td key={columns[index + 1]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
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
