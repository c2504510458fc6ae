import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';

interface QueueSectionProps<Row> {
  /** ID of the heading. */
  id: string;
  title: string;
  lead?: string;
  /** Undefined while loading. */
  list: { readonly docs: readonly Row[]; readonly hasNext: boolean } | undefined;
  error: Error | undefined;
  refetch: () => unknown;
  page: number;
  onPage: (page: number) => void;
  empty: ReactNode;
  /** @param onGone called after the row has left the list */
  row: (row: Row, onGone: () => void) => ReactNode;
}

/** A list whose rows disappear as they are handled. */
export function QueueSection<Row>(props: QueueSectionProps<Row>) {
  const { id, title, lead, list, error, refetch, page, onPage, empty, row } = props;
  const { t } = useTranslation('entry');
  const onGone = () => {
    // The rows of the next page move up.
    if (page > 1 && list?.docs.length === 1) onPage(page - 1);
    else void refetch();
  };
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {lead !== undefined && <Text c="dimmed">{lead}</Text>}
      {error && !list && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !list && <SkeletonRows count={3} height={64} />}
      {list?.docs.length === 0 && page === 1 && empty}
      {list && list.docs.length > 0 && (
        <Stack component="ul" gap="sm" p={0} m={0}>
          {list.docs.map((doc) => row(doc, onGone))}
        </Stack>
      )}
      {list?.hasNext && (
        <Group>
          <Button variant="default" onClick={() => onPage(page + 1)}>
            {t('more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
