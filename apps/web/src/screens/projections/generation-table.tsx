import { Badge, Button, Table, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { RelativeTime } from '../../components/relative-time';
import type { ProjectionDetailsFragment } from '../../generated/graphql';
import classes from './projections.module.css';
import { useAmounts } from './use-amounts';
import { useProjectionActs } from './use-projection-acts';

/** Every generation that there is, with the way back to the former one. */
export function GenerationTable({ projection }: { projection: ProjectionDetailsFragment }) {
  const { t } = useTranslation('projections');
  const { whole, megabytes } = useAmounts();
  const [wayBack, setWayBack] = useState<number>();
  const acts = useProjectionActs(projection.name);
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm" aria-label={t('generations')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.generation')}</Table.Th>
            <Table.Th>{t('column.state')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.events')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.size')}</Table.Th>
            <Table.Th className={classes.afterNumber}>{t('column.begun')}</Table.Th>
            <Table.Th>{t('column.served')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('column.action')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {projection.generations.map((row) => (
            <Table.Tr key={row.generation}>
              <Table.Td>{t('generationOf', { generation: row.generation, version: row.version })}</Table.Td>
              <Table.Td>
                <Badge variant="light" color={row.status === 'live' ? 'green' : 'gray'}>
                  {t(`status.${row.status}`)}
                </Badge>
              </Table.Td>
              <Table.Td className={classes.number}>{whole(row.ordinal)}</Table.Td>
              <Table.Td className={classes.number}>{megabytes(row.bytes)}</Table.Td>
              <Table.Td className={classes.afterNumber}>
                <RelativeTime at={row.startedAt} />
              </Table.Td>
              <Table.Td>{row.switchedAt === null ? '–' : <RelativeTime at={row.switchedAt} />}</Table.Td>
              <Table.Td className={classes.number}>
                {row.status === 'former' && row.isSwitchable && !projection.rebuild && (
                  <Button size="xs" variant="default" onClick={() => setWayBack(row.generation)}>
                    {t('action.switchBack')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmDialog
        opened={wayBack !== undefined}
        title={t('action.switchBack')}
        text={t('ask.switchBack')}
        confirmLabel={t('action.switchBack')}
        cancelLabel={t('close')}
        pending={acts.isPending}
        onConfirm={() => {
          if (wayBack !== undefined) void acts.switchTo(wayBack).then(() => setWayBack(undefined));
        }}
        onClose={() => setWayBack(undefined)}
      />
    </Table.ScrollContainer>
  );
}
