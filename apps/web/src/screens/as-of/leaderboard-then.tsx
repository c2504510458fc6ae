import { Pagination } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table';
import { PersonAvatar } from '../../components/person-avatar';
import { PersonLink } from '../../features/people/person-link';
import type { LeaderboardAsOfQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { idOf } from '../../lib/paged-list';
import classes from './as-of.module.css';

type Board = LeaderboardAsOfQuery['getLeaderboardAsOf'];
type Row = Board['docs'][number];

const right = { ta: 'end' } as const;

interface LeaderboardThenProps {
  board: Board;
  space: string;
  onPage: (page: number) => void;
}

/** A page of the board as it stood, each row beside where that student stands now. */
export function LeaderboardThen({ board, space, onPage }: LeaderboardThenProps) {
  const { t, i18n } = useTranslation('asOf');
  const whole = (value: number) => wholeNumber(value, i18n.language);
  return (
    <>
      <DataTable
        minWidth={640}
        verticalSpacing="xs"
        className="nimo-tabular"
        rows={board.docs}
        keyOf={idOf}
        columns={[
          {
            label: t('board.rank'),
            cell: ({ rank }) => <span className={classes.place}>{whole(rank)}</span>,
          },
          {
            label: t('board.student'),
            cell: ({ student }) => (
              <span className={classes.person}>
                <PersonAvatar person={student} size={28} />
                <PersonLink person={student} space={space}>
                  {student.userName === '' ? t('board.erased') : student.userName}
                </PersonLink>
              </span>
            ),
          },
          { label: t('board.reputations'), look: right, cell: (row) => whole(row.reputations) },
          { label: t('board.commitments'), look: right, cell: (row) => whole(row.commitments) },
          {
            label: t('board.score'),
            look: right,
            cell: (row) => <span className={classes.place}>{whole(row.score)}</span>,
          },
          { label: t('board.scoreNow'), look: right, cell: ({ now }) => (now ? whole(now.score) : '–') },
          { label: t('board.rankNow'), look: right, cell: (row) => <RankNow row={row} /> },
        ]}
      />
      {board.totalPages > 1 && (
        <Pagination
          className={classes.pages ?? ''}
          total={board.totalPages}
          value={board.page}
          onChange={onPage}
          getControlProps={(control) => ({ 'aria-label': t(`board.${control}`) })}
          getItemProps={(page) => ({ 'aria-label': t('board.page', { page }) })}
        />
      )}
    </>
  );
}

function RankNow({ row: { rank, now } }: { row: Row }) {
  const { t, i18n } = useTranslation('asOf');
  if (!now) return <>–</>;
  const by = rank - now.rank;
  const Arrow = by > 0 ? IconArrowUp : IconArrowDown;
  const places = wholeNumber(Math.abs(by), i18n.language);
  return (
    <>
      {wholeNumber(now.rank, i18n.language)}
      {by !== 0 && (
        <span
          className={classes.moved}
          data-moved={by > 0 ? 'up' : 'down'}
          role="img"
          aria-label={t(by > 0 ? 'board.up' : 'board.down', { count: Math.abs(by), places })}
        >
          <Arrow size={14} aria-hidden />
          {places}
        </span>
      )}
    </>
  );
}
