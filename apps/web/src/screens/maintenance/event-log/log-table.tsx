import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { DataTable } from '../../../components/data-table';
import { ExactTime } from '../../../components/exact-time';
import type { LogEventLineFragment } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { paths } from '../../../lib/paths';
import classes from './event-log.module.css';

interface LogTableProps {
  label: string;
  events: readonly LogEventLineFragment[];
  /** All events are of one stream. */
  isOfStream?: boolean;
}

/** Events of the log, each with a link to its data and to its stream. */
export function LogTable({ label, events, isOfStream = false }: LogTableProps) {
  const { t, i18n } = useTranslation('eventLog');
  const number = { className: classes.number };
  const id = { className: classes.id };
  return (
    <div className={classes.card}>
      <DataTable
        aria-label={label}
        minWidth={isOfStream ? 560 : 900}
        rows={events}
        keyOf={({ ordinal }) => String(ordinal)}
        columns={[
          {
            label: t('column.event'),
            isRowHeader: true,
            cellProps: number,
            cell: ({ ordinal }) => (
              <Anchor component={Link} to={paths.logEvent(ordinal)} inherit>
                {wholeNumber(ordinal, i18n.language)}
              </Anchor>
            ),
          },
          {
            label: t('column.time'),
            cellProps: { className: classes.time },
            cell: ({ recordedAt }) => <ExactTime at={recordedAt} />,
          },
          { label: t('column.type'), cellProps: id, cell: ({ type }) => type },
          !isOfStream && {
            label: t('column.stream'),
            cellProps: id,
            cell: ({ ordinal, streamId }) => (
              <Anchor
                component={Link}
                to={paths.logStreamOf(ordinal)}
                inherit
                aria-label={t('streamOf', { streamId, ordinal: wholeNumber(ordinal, i18n.language) })}
              >
                {streamId}
              </Anchor>
            ),
          },
          {
            label: t('column.revision'),
            cellProps: number,
            cell: ({ revision }) => wholeNumber(revision, i18n.language),
          },
        ]}
      />
    </div>
  );
}
