import { Anchor, Badge, Pagination, Stack, Text } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { LoadedRows } from '../../../components/paged-rows';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { PersonName } from '../../../features/vote-cases/person-name';
import {
  InvalidationCasesDocument,
  type InvalidationCaseRowFragment,
  type InvalidationState,
} from '../../../generated/graphql';
import { idOf } from '../../../lib/api/paged-list';

const STATE_COLORS: Readonly<Record<InvalidationState, string>> = {
  PROPOSED: 'blue',
  INVALIDATED: 'red',
  DECLINED: 'gray',
  REVERSED: 'gray',
};

/** Vote invalidations in the spaces the caller moderates. */
export default function CasesScreen() {
  const { t } = useTranslation('patterns');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(InvalidationCasesDocument, {
    variables: { page },
    fetchPolicy: 'cache-and-network',
  });
  const cases = data?.getInvalidationCases;
  return (
    <Stack gap="lg">
      <PageHeading>{t('cases.title')}</PageHeading>
      <Text>{t('cases.intro')}</Text>
      <LoadedRows
        list={{ rows: cases?.docs, error, refetch: () => void refetch() }}
        count={5}
        height={48}
        empty={<EmptyState icon={IconGavel} title={t('cases.emptyTitle')} text={t('cases.emptyText')} />}
      >
        {(rows) => <CasesTable cases={rows} />}
      </LoadedRows>
      {cases && cases.totalPages > 1 && (
        <Pagination
          total={cases.totalPages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
        />
      )}
    </Stack>
  );
}

function CasesTable({ cases }: { cases: readonly InvalidationCaseRowFragment[] }) {
  const { t } = useTranslation('patterns');
  return (
    <DataTable
      minWidth={720}
      aria-label={t('cases.title')}
      rows={cases}
      keyOf={idOf}
      columns={[
        { label: t('cases.when'), cell: ({ openedAt }) => <ExactTime at={openedAt} /> },
        {
          label: t('cases.reason'),
          cell: ({ _id, reason }) => (
            <Anchor component={Link} to={paths.voteCase(_id)}>
              <bdi>{reason}</bdi>
            </Anchor>
          ),
        },
        { label: t('cases.votes'), cell: ({ votes }) => votes },
        { label: t('cases.space'), cell: ({ spaces }) => spaces.map(({ name }) => name).join(', ') },
        { label: t('cases.moderator'), cell: ({ moderator }) => <PersonName person={moderator} /> },
        {
          label: t('cases.state'),
          cell: ({ state }) => (
            <Badge variant="light" color={STATE_COLORS[state]}>
              {t(`cases.states.${state}`)}
            </Badge>
          ),
        },
      ]}
    />
  );
}
