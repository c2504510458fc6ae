import { useQuery } from '@apollo/client/react';
import { Button, Group } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import {
  HistoryRangeDocument,
  type HistoryRangePartsFragment,
  LeaderboardAsOfDocument,
} from '../../generated/graphql';
import { SpaceChoice } from '../../features/areas/space-choice';
import { useChosenSpace } from '../../features/areas/use-chosen-space';
import { AsOfBanner } from './as-of-banner';
import classes from './as-of.module.css';
import { LeaderboardThen } from './leaderboard-then';
import { inputOf, type Point } from './point';
import { PointPicker } from './point-picker';
import { usePoint } from './use-point';

/** The leaderboard of a space as it stood at a point in the past. */
export default function LeaderboardAsOfScreen() {
  const { t } = useTranslation('asOf');
  const { spaces, chosen, choose, error, refetch } = useChosenSpace();
  const name = spaces?.find(({ _id }) => _id === chosen)?.name;
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Button component={Link} to={paths.asOf} variant="default">
            {t('elsewhere')}
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
  return <Then {...{ space, range, point, page, setPoint, setPage }} />;
}

interface ThenProps {
  space: string;
  range: HistoryRangePartsFragment;
  point: Point;
  page: number;
  setPoint: (point: Point) => void;
  setPage: (page: number) => void;
}

function Then({ space, range, point, page, setPoint, setPage }: ThenProps) {
  const { t } = useTranslation('asOf');
  // Not kept beside what is live: the same students and posts look different then.
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
          <EmptyState icon={IconHistory} title={t('board.nobody')} text={t('board.nobodyText')} />
        )}
        {board && board.docs.length > 0 && <LeaderboardThen board={board} space={space} onPage={setPage} />}
      </div>
    </>
  );
}
