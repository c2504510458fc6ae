import { Anchor, Badge, Pagination, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { RelativeTime } from '../../components/relative-time';
import { SkeletonRows } from '../../components/skeletons';
import { PersonName } from '../../features/vote-cases/person-name';
import { InvalidationCasesDocument, type InvalidationCaseRowFragment } from '../../generated/graphql';

/** Cases of votes that were declared invalid, in the spaces that the caller moderates. */
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
      {error && !cases && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !cases && <SkeletonRows count={5} height={48} />}
      {cases && cases.docs.length === 0 && (
        <EmptyState icon={IconGavel} title={t('cases.emptyTitle')} text={t('cases.emptyText')} />
      )}
      {cases && cases.docs.length > 0 && <CasesTable cases={cases.docs} />}
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
    <Table.ScrollContainer minWidth={720}>
      <Table aria-label={t('cases.title')}>
        <Table.Thead>
          <Table.Tr>
            {(['when', 'reason', 'votes', 'space', 'moderator', 'state'] as const).map((column) => (
              <Table.Th key={column}>{t(`cases.${column}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cases.map((each) => (
            <Table.Tr key={each._id}>
              <Table.Td>
                <RelativeTime at={each.openedAt} />
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} to={paths.voteCase(each._id)}>
                  <bdi>{each.reason}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td>{each.votes}</Table.Td>
              <Table.Td>{each.spaces.map(({ name }) => name).join(', ')}</Table.Td>
              <Table.Td>
                <PersonName person={each.moderator} />
              </Table.Td>
              <Table.Td>
                <Badge variant="light" color={each.reversedAt ? 'gray' : 'red'}>
                  {t(each.reversedAt ? 'cases.reversed' : 'cases.open')}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
