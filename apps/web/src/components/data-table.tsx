import { Table, VisuallyHidden, type TableProps, type TableTdProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsNarrow } from '../lib/browser/device';

interface Column<Row> {
  label: ReactNode;
  /** For screen readers only: a column of buttons needs no visible heading. */
  isLabelHidden?: boolean;
  /** Names the row. */
  isRowHeader?: boolean;
  /** Class of the heading and of each cell. */
  cellProps?: Pick<TableTdProps, 'className' | 'style' | 'ta' | 'w'>;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> extends TableProps {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: ReadonlyArray<Column<Row> | false>;
  /** Minimum width in pixels; a narrower window scrolls. */
  minWidth?: number;
}

/** A table with a row per entry and a column per value. */
export function DataTable<Row>({ rows, keyOf, columns, minWidth, ...table }: DataTableProps<Row>) {
  const isNarrow = useIsNarrow();
  const shown = columns.filter((column) => column !== false);
  const content = (
    <Table {...table}>
      <Table.Thead>
        <Table.Tr>
          {shown.map(({ label, isLabelHidden = false, cellProps }, index) => (
            <Table.Th key={index} {...cellProps}>
              {isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {shown.map(({ isRowHeader = false, cellProps, cell }, index) =>
              isRowHeader ? (
                <Table.Th key={index} scope="row" fw={400} {...cellProps}>
                  {cell(row)}
                </Table.Th>
              ) : (
                <Table.Td key={index} {...cellProps}>
                  {cell(row)}
                </Table.Td>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return content;
  // Where it may scroll, the keyboard must reach it, even without a link or button in a row.
  const viewportProps = isNarrow ? { tabIndex: 0 } : {};
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps }}>
      {content}
    </Table.ScrollContainer>
  );
}
