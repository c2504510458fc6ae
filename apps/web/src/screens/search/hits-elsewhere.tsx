import { skipToken, useQuery } from '@apollo/client/react';
import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { noSearchFilters, searchTabs } from '../../features/search/search-address';
import { HITS_PER_PAGE } from '../../features/search/use-hits';
import { useSearch } from '../../features/search/use-search';
import { SearchElsewhereDocument } from '../../generated/graphql';
import { useCurrentSpace } from '../../lib/auth-storage';

/** Where nothing is found: the other tabs that have something, and how much. */
export function HitsElsewhere() {
  const { t } = useTranslation('search');
  const space = useCurrentSpace()?._id;
  const { text, tab, change } = useSearch();
  const { data } = useQuery(
    SearchElsewhereDocument,
    space === undefined
      ? skipToken
      : {
          variables: { search: text, space, queryVals: { space, scope: 'world' }, limit: HITS_PER_PAGE },
          fetchPolicy: 'no-cache',
        },
  );
  const others = searchTabs
    .filter((other) => other !== tab)
    .map((other) => ({ tab: other, count: data?.[other].hits.length ?? 0 }))
    .filter(({ count }) => count > 0);
  if (others.length === 0) return null;
  return (
    <Group justify="center" gap="xs" role="group" aria-label={t('elsewhere')}>
      <Text c="dimmed">{t('elsewhere')}</Text>
      {others.map((other) => (
        <Button
          key={other.tab}
          variant="default"
          onClick={() => change({ tab: other.tab, filters: noSearchFilters })}
        >
          {`${t(`tabs.${other.tab}`)} (${other.count < HITS_PER_PAGE ? other.count : `${HITS_PER_PAGE}+`})`}
        </Button>
      ))}
    </Group>
  );
}
