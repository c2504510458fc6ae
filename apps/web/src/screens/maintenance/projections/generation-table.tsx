import { Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialogs';
import { DataTable } from '../../../components/data-table';
import { ExactTime } from '../../../components/exact-time';
import type { ProjectionDetailsFragment } from '../../../generated/graphql';
import classes from './projections.module.css';
import { useFormatters } from './parts';
import { useProjectionActions } from './use-projection-actions';

/** All generations, with a switch back to the retired one. */
export function GenerationTable({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole, megabytes } = useFormatters();
  const [switchBackTo, setSwitchBackTo] = useState<number>();
  const actions = useProjectionActions(projection.name);
  const right = { className: classes.number };
  return (
    <>
      <DataTable
        minWidth={640}
        verticalSpacing="sm"
        aria-label={t('generations')}
        rows={projection.generations}
        keyOf={({ generation }) => String(generation)}
        columns={[
          {
            label: t('column.generation'),
            cell: ({ generation, version }) => t('generationOf', { generation, version }),
          },
          {
            label: t('column.state'),
            cell: ({ status }) => (
              <Badge variant="light" color={status === 'live' ? 'green' : 'gray'}>
                {t(`status.${status}`)}
              </Badge>
            ),
          },
          { label: t('column.events'), cellProps: right, cell: ({ ordinal }) => whole(ordinal) },
          { label: t('column.size'), cellProps: right, cell: ({ bytes }) => megabytes(bytes) },
          {
            label: t('column.started'),
            cellProps: { className: classes.afterNumber },
            cell: ({ startedAt }) => <ExactTime at={startedAt} />,
          },
          {
            label: t('column.liveSince'),
            cell: ({ switchedAt }) => (switchedAt === null ? '–' : <ExactTime at={switchedAt} />),
          },
          {
            label: t('column.action'),
            isLabelHidden: true,
            cellProps: right,
            cell: ({ generation, status, isSwitchable }) =>
              status === 'retired' &&
              isSwitchable &&
              !projection.rebuild && (
                <Button size="xs" variant="default" onClick={() => setSwitchBackTo(generation)}>
                  {t('action.switchBack')}
                </Button>
              ),
          },
        ]}
      />
      <ConfirmDialog
        opened={switchBackTo !== undefined}
        title={t('action.switchBack')}
        text={t('explanation.switchBack')}
        confirmLabel={t('action.switchBack')}
        cancelLabel={t('close')}
        pending={actions.isPending}
        onConfirm={() => {
          if (switchBackTo !== undefined)
            void actions.switchTo(switchBackTo).then(() => setSwitchBackTo(undefined));
        }}
        onClose={() => setSwitchBackTo(undefined)}
      />
    </>
  );
}
