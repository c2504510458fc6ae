import { Accordion, Button } from '@mantine/core';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { MoreButton } from '../../components/more-button';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { useAuthUser } from '../../lib/auth-storage';
import { useLoadMore } from '../../lib/use-load-more';
import { LeaderboardRow } from './leaderboard-row';
import { useLeaderboard } from './use-leaderboard';

/** Where the list begins; a jump asks for the own row to be shown. */
export interface Start {
  page: number;
  /** Counts the jumps: 0 is where nobody has jumped yet. */
  jump: number;
}

export function LeaderboardRows({ space, start }: { space: string; start: Start }) {
  const { t } = useTranslation('leaderboard');
  const user = useAuthUser();
  const board = useLeaderboard(space, start.page);
  const { rows, error, hasMore, nextPage, hasPrevious, previousPage, refetch } = board;
  const end = useLoadMore(hasMore && nextPage.error === undefined, nextPage.load);
  const list = useOwnRowInView(start.jump, rows);

  if (error && !rows) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!rows) return <SkeletonRows count={10} height={60} />;
  if (rows.length === 0) return <NobodyYet />;
  return (
    <>
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
      {hasPrevious && (
        <MoreButton
          variant="subtle"
          fullWidth
          mb="xs"
          isAbove
          isLoading={previousPage.isLoading}
          error={previousPage.error}
          onMore={previousPage.load}
        >
          {t('before')}
        </MoreButton>
      )}
      <div ref={list}>
        <Accordion multiple chevronPosition="right" variant="unstyled">
          {rows.map((row) => (
            <LeaderboardRow key={row._id} row={row} isOwn={row.student._id === user?._id} />
          ))}
        </Accordion>
      </div>
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && <SkeletonRows count={2} isMore height={60} />}
    </>
  );
}

/** After each jump, once the rows are there: the own row in the middle of the window, with the focus. */
function useOwnRowInView(jump: number, rows: readonly unknown[] | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(0);
  useEffect(() => {
    if (jump === shown.current) return;
    const control = list.current?.querySelector<HTMLElement>('[data-own="true"] button');
    if (!control) return;
    shown.current = jump;
    control.focus({ preventScroll: true });
    control.scrollIntoView({ block: 'center' });
  }, [jump, rows]);
  return list;
}

function NobodyYet() {
  const { t } = useTranslation('leaderboard');
  const action = (
    <Button component={Link} to={paths.dashboard}>
      {t('toQuestions')}
    </Button>
  );
  return <EmptyState icon={IconTrophy} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
}
