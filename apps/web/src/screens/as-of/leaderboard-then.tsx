import { Pagination, Table } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../components/person-avatar';
import { PersonLink } from '../../features/people/person-link';
import type { LeaderboardAsOfQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import classes from './as-of.module.css';

type Board = LeaderboardAsOfQuery['getLeaderboardAsOf'];
type Row = Board['docs'][number];

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
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing="xs" className="nimo-tabular">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('board.rank')}</Table.Th>
              <Table.Th>{t('board.student')}</Table.Th>
              <Table.Th ta="end">{t('board.reputations')}</Table.Th>
              <Table.Th ta="end">{t('board.commitments')}</Table.Th>
              <Table.Th ta="end">{t('board.score')}</Table.Th>
              <Table.Th ta="end">{t('board.scoreNow')}</Table.Th>
              <Table.Th ta="end">{t('board.rankNow')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {board.docs.map((row) => (
              <Table.Tr key={row._id}>
                <Table.Td className={classes.place}>{whole(row.rank)}</Table.Td>
                <Table.Td>
                  <span className={classes.person}>
                    <PersonAvatar person={row.student} size={28} />
                    <PersonLink person={row.student} space={space}>
                      {row.student.userName === '' ? t('board.erased') : row.student.userName}
                    </PersonLink>
                  </span>
                </Table.Td>
                <Table.Td ta="end">{whole(row.reputations)}</Table.Td>
                <Table.Td ta="end">{whole(row.commitments)}</Table.Td>
                <Table.Td ta="end" fw={650}>
                  {whole(row.score)}
                </Table.Td>
                <Table.Td ta="end">{row.now ? whole(row.now.score) : '–'}</Table.Td>
                <Table.Td ta="end">
                  <RankNow row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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
