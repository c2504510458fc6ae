import { Accordion, Button } from '@mantine/core';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { MoreButton } from '../../components/more-button';
import { PagedRows } from '../../components/paged-rows';
import { useAuthUser } from '../../lib/auth-storage';
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
  const { hasPrevious, previousPage } = board;
  const list = useOwnRowInView(start.jump, board.rows);
  return (
    <PagedRows list={board} count={10} height={60} empty={<NobodyYet />}>
      {(rows) => (
        <>
          {hasPrevious && (
            <MoreButton variant="subtle" fullWidth mb="xs" isAbove nextPage={previousPage}>
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
        </>
      )}
    </PagedRows>
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
