import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice, QuietNotice } from '../../../components/notices';
import { MoreButton } from '../../../components/paged-rows';
import { SkeletonRows } from '../../../components/skeletons';
import { noSearchFilters, searchTabs, useSearch } from '../../../features/search/search-address';
import { type Found, useHitCounts } from '../../../features/search/use-hits';
import { useListKeys } from '../../../features/shortcuts/use-list-keys';
import { useLoadMore } from '../../../lib/api/paged-list';
import classes from './hit-list.module.css';

interface HitListProps<Hit> {
  found: Found<Hit>;
  /** Height of a skeleton row, in pixels. */
  rowHeight: number;
  /** Suggested next step without results. */
  action?: ReactNode;
  /** Selecting a hit shows it next to the list; this opens it. */
  open?: () => void;
  choosesOnWalk?: boolean;
  children: (hit: Hit) => ReactNode;
}

/** Results, best match first; more load near the end. */
export function HitList<Hit extends { _id: string }>(props: HitListProps<Hit>) {
  const { found, rowHeight, action, open, choosesOnWalk = false, children } = props;
  const { hits, error, refetch } = found;
  const { t } = useTranslation('search');
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list, { open, choosesOnWalk });
  // Rendered before the first results, or screen readers would miss it.
  const status = (
    <VisuallyHidden role="status">
      {hits && (hits.length === 0 ? t('none') : t('loaded', { count: hits.length }))}
    </VisuallyHidden>
  );
  if (!hits)
    return (
      <div className={classes.found}>
        {status}
        {error ? (
          <ErrorNotice error={error} onRetry={refetch} />
        ) : (
          <SkeletonRows count={5} height={rowHeight} />
        )}
      </div>
    );
  return (
    <div className={classes.found}>
      {status}
      {hits.length > 0 && <VisuallyHidden component="h2">{t('results')}</VisuallyHidden>}
      {error && <QuietNotice error={error} isStale onRetry={refetch} />}
      {found.isDegraded && (
        <Alert variant="light" color="yellow" icon={<IconInfoCircle aria-hidden />}>
          {t('degraded')}
        </Alert>
      )}
      {hits.length === 0 ? (
        <>
          <EmptyState icon={IconSearchOff} title={t('none')} action={action} />
          <HitsInOtherTabs />
        </>
      ) : (
        <ul
          ref={list}
          className={classes.list}
          aria-label={t('results')}
          aria-busy={found.areStale}
          data-stale={found.areStale || undefined}
        >
          {hits.map((hit) => (
            <li key={hit._id}>{children(hit)}</li>
          ))}
        </ul>
      )}
      <NextHits found={found} />
    </div>
  );
}

function NextHits({ found }: { found: Found<unknown> }) {
  const { t } = useTranslation('search');
  const end = useLoadMore(found);
  return (
    <>
      <div ref={end} />
      <MoreButton variant="subtle" fullWidth hasMore={found.hasMore} nextPage={found.nextPage}>
        {t('more')}
      </MoreButton>
    </>
  );
}

/** Without results: the other tabs that have some, with counts. */
function HitsInOtherTabs() {
  const { t } = useTranslation('search');
  const { text, tab, change } = useSearch();
  const hitsOf = useHitCounts(text, noSearchFilters);
  const others = searchTabs.filter((other) => other !== tab && hitsOf && hitsOf(other).count > 0);
  if (others.length === 0) return null;
  return (
    <Group justify="center" gap="xs" role="group" aria-label={t('otherTabs')}>
      <Text c="dimmed">{t('otherTabs')}</Text>
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
