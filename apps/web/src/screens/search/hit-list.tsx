import { Alert, VisuallyHidden } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { MoreButton } from '../../components/more-button';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import type { Found } from '../../features/search/use-hits';
import { useListKeys } from '../../features/shortcuts/use-list-keys';
import { useLoadMore } from '../../lib/paged-list';
import classes from './hit-list.module.css';
import { HitsElsewhere } from './hits-elsewhere';

interface HitListProps<Hit> {
  found: Found<Hit>;
  /** Height of a row while it loads, in pixels. */
  rowHeight: number;
  /** The next step where nothing is found. */
  action?: ReactNode;
  /** Hits choose what is shown beside the list; this opens it. */
  open?: () => void;
  choosesOnWalk?: boolean;
  children: (hit: Hit) => ReactNode;
}

/** What was found, the best match first; further hits come as the end comes near. */
export function HitList<Hit extends { _id: string }>(props: HitListProps<Hit>) {
  const { found, rowHeight, action, open, choosesOnWalk = false, children } = props;
  const { hits, error, refetch } = found;
  const { t } = useTranslation('search');
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list, { open, choosesOnWalk });
  // There before the first hits, or they would go unheard.
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
          <HitsElsewhere />
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
      {found.hasMore && (
        <MoreButton variant="subtle" fullWidth nextPage={found.nextPage}>
          {t('more')}
        </MoreButton>
      )}
    </>
  );
}
