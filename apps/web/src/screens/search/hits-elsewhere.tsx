import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { noSearchFilters, searchTabs } from '../../features/search/search-address';
import { useHitCounts } from '../../features/search/use-hit-counts';
import { useSearch } from '../../features/search/use-search';

/** Where nothing is found: the other tabs that have something, and how much. */
export function HitsElsewhere() {
  const { t } = useTranslation('search');
  const { text, tab, change } = useSearch();
  const hitsOf = useHitCounts(text, noSearchFilters);
  const others = searchTabs.filter((other) => other !== tab && hitsOf && hitsOf(other).count > 0);
  if (others.length === 0) return null;
  return (
    <Group justify="center" gap="xs" role="group" aria-label={t('elsewhere')}>
      <Text c="dimmed">{t('elsewhere')}</Text>
      {others.map((other) => (
        <Button
          key={other}
          variant="default"
          onClick={() => change({ tab: other, filters: noSearchFilters })}
        >
          {`${t(`tabs.${other}`)} (${hitsOf?.(other).shown})`}
        </Button>
      ))}
    </Group>
  );
}
