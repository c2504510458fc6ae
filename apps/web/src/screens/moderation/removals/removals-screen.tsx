import { Anchor, Badge, Pagination, Stack, Text } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { ExactTime } from '../../../components/exact-time';
import { PageHeading } from '../../../components/page-heading';
import { LoadedRows } from '../../../components/paged-rows';
import { PersonName } from '../../../features/vote-cases/person-name';
import {
  ModerationChangedDocument,
  PostsRemovalsDocument,
  type PostsRemovalRowFragment,
} from '../../../generated/graphql';
import { useLive } from '../../../lib/api/live';
import { idOf } from '../../../lib/api/paged-list';
import { paths } from '../../../lib/paths';

/** Removals of all posts of a student in the spaces the caller moderates. */
export default function RemovalsScreen() {
  const { t } = useTranslation('moderation', { keyPrefix: 'removals' });
  const { t: patterns } = useTranslation('patterns');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(PostsRemovalsDocument, {
    variables: { page },
    fetchPolicy: 'cache-and-network',
  });
  useLive(ModerationChangedDocument, { variables: {} }, () => void refetch().catch(() => undefined));
  const removals = data?.getPostsRemovals;
  return (
    <Stack gap="lg">
      <PageHeading>{t('title')}</PageHeading>
      <Text>{t('intro')}</Text>
      <LoadedRows
        list={{ rows: removals?.docs, error, refetch: () => void refetch() }}
        count={5}
        height={48}
        empty={<EmptyState icon={IconEraser} title={t('emptyTitle')} text={t('emptyText')} />}
      >
        {(rows) => <RemovalsTable removals={rows} />}
      </LoadedRows>
      {removals && removals.totalPages > 1 && (
        <Pagination
          total={removals.totalPages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': patterns(`pages.${control}`) })}
        />
      )}
    </Stack>
  );
}

function RemovalsTable({ removals }: { removals: readonly PostsRemovalRowFragment[] }) {
  const { t } = useTranslation('moderation', { keyPrefix: 'removals' });
  return (
    <DataTable
      minWidth={720}
      aria-label={t('title')}
      rows={removals}
      keyOf={idOf}
      columns={[
        { label: t('when'), cell: ({ removedAt }) => <ExactTime at={removedAt} /> },
        {
          label: t('reason'),
          cell: ({ _id, reason }) => (
            <Anchor component={Link} to={paths.removal(_id)}>
              <bdi>{reason || t('noReason')}</bdi>
            </Anchor>
          ),
        },
        {
          label: t('author'),
          cell: ({ author, space }) => <PersonName person={author} spaceId={space._id} />,
        },
        { label: t('posts'), cell: ({ posts }) => posts },
        { label: t('space'), cell: ({ space }) => space.name },
        { label: t('moderator'), cell: ({ moderator }) => <PersonName person={moderator} /> },
        {
          label: t('state'),
          cell: ({ restoredAt }) => (
            <Badge variant="light" color={restoredAt === null ? 'red' : 'gray'}>
              {t(restoredAt === null ? 'states.REMOVED' : 'states.RESTORED')}
            </Badge>
          ),
        },
      ]}
    />
  );
}
