import { useQuery } from '@apollo/client/react';
import { Button, Group, Pagination } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { PersonAvatar } from '../../../components/person-avatar';
import { SkeletonRows } from '../../../components/skeletons';
import { SpaceChoice, useChosenSpace } from '../../../features/areas/space-choice';
import { PersonLink } from '../../../features/people/person-link';
import {
  HistoryRangeDocument,
  type HistoryRangePartsFragment,
  LeaderboardAsOfDocument,
  type LeaderboardAsOfQuery,
} from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { idOf } from '../../../lib/api/paged-list';
import { AsOfBanner } from './as-of-banner';
import classes from './as-of.module.css';
import { inputOf, type Point, usePoint } from './point';
import { PointPicker } from './point-picker';
import { shownName } from '../../../lib/api/erased';

/** A space's leaderboard at a point in the past. */
export default function LeaderboardAsOfScreen() {
  const { t } = useTranslation('asOf');
  const { spaces, chosen, choose, error, refetch } = useChosenSpace();
  const name = spaces?.find(({ _id }) => _id === chosen)?.name;
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Button component={Link} to={paths.asOf} variant="default">
            {t('changeSelection')}
          </Button>
        }
      >
        {name === undefined ? t('board.title') : t('board.titleOf', { space: name })}
      </PageHeading>
      {error && !spaces && <ErrorNotice error={error} onRetry={refetch} />}
      {spaces && spaces.length > 1 && (
        <Group>
          <SpaceChoice {...{ spaces, chosen, choose }} />
        </Group>
      )}
      {!spaces && chosen === undefined && !error && <SkeletonRows count={8} height={44} />}
      {spaces && chosen === undefined && <NothingYet />}
      {chosen !== undefined && <Board key={chosen} space={chosen} />}
    </div>
  );
}

function NothingYet() {
  const { t } = useTranslation('asOf', { keyPrefix: 'empty' });
  return <EmptyState icon={IconHistory} title={t('title')} text={t('text')} />;
}

function Board({ space }: { space: string }) {
  const { data, error, refetch } = useQuery(HistoryRangeDocument, {
    variables: { space },
    fetchPolicy: 'no-cache',
  });
  const range = data?.getHistoryRange;
  const { point, page, setPoint, setPage } = usePoint(range);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={8} height={44} />;
  if (!range || !point) return <NothingYet />;
  return <LeaderboardAtPoint {...{ space, range, point, page, setPoint, setPage }} />;
}

interface LeaderboardAtPointProps {
  space: string;
  range: HistoryRangePartsFragment;
  point: Point;
  page: number;
  setPoint: (point: Point) => void;
  setPage: (page: number) => void;
}

function LeaderboardAtPoint({ space, range, point, page, setPoint, setPage }: LeaderboardAtPointProps) {
  const { t } = useTranslation('asOf');
  // Not cached: past and current rows share their IDs.
  const { data, previousData, error, loading, refetch } = useQuery(LeaderboardAsOfDocument, {
    variables: { space, asOf: inputOf(point), page },
    fetchPolicy: 'no-cache',
  });
  const board = (data ?? previousData)?.getLeaderboardAsOf;
  return (
    <>
      <PointPicker range={range} point={point} onChange={setPoint} />
      <AsOfBanner point={point} note={board && t('board.rules', { version: board.rulesVersion })} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <div className={classes.page} aria-busy={loading}>
        {!board && !error && <SkeletonRows count={8} height={44} />}
        {board?.docs.length === 0 && (
          <EmptyState icon={IconHistory} title={t('board.empty')} text={t('board.emptyText')} />
        )}
        {board && board.docs.length > 0 && <PastLeaderboard board={board} space={space} onPage={setPage} />}
      </div>
    </>
  );
}

type BoardPage = LeaderboardAsOfQuery['getLeaderboardAsOf'];
type Row = BoardPage['docs'][number];

const right = { ta: 'end' } as const;

interface PastLeaderboardProps {
  board: BoardPage;
  space: string;
  onPage: (page: number) => void;
}

/** A page of the past leaderboard, with each student's current score and rank. */
function PastLeaderboard({ board, space, onPage }: PastLeaderboardProps) {
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
                  {shownName(student)}
                </PersonLink>
              </span>
            ),
          },
          { label: t('board.reputations'), cellProps: right, cell: (row) => whole(row.reputations) },
          { label: t('board.commitments'), cellProps: right, cell: (row) => whole(row.commitments) },
          {
            label: t('board.score'),
            cellProps: right,
            cell: (row) => <span className={classes.place}>{whole(row.score)}</span>,
          },
          { label: t('board.scoreNow'), cellProps: right, cell: ({ now }) => (now ? whole(now.score) : '–') },
          { label: t('board.rankNow'), cellProps: right, cell: (row) => <CurrentRank row={row} /> },
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

function CurrentRank({ row: { rank, now } }: { row: Row }) {
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
