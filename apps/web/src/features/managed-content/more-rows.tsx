import { useTranslation } from 'react-i18next';
import { MoreButton } from '../../components/more-button';
import type { PagedList } from '../../lib/paged-list';

/** Below a table that goes on. */
export function MoreRows({ list: { hasMore, nextPage } }: { list: PagedList<unknown> }) {
  const { t } = useTranslation('content');
  if (!hasMore) return null;
  return (
    <MoreButton display="block" mx="auto" mt="md" nextPage={nextPage}>
      {t('more')}
    </MoreButton>
  );
}
