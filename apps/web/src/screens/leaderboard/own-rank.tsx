import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { QuietNotice } from '../../components/quiet-notice';
import { OwnScoreDocument } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import classes from './leaderboard-screen.module.css';

interface OwnRankProps {
  space: string;
  onJump: (rank: number) => void;
}

/** Where one stands, why, and the way to the own row. */
export function OwnRank({ space, onJump }: OwnRankProps) {
  const { t, i18n } = useTranslation('leaderboard');
  const { data, error, refetch } = useQuery(OwnScoreDocument, {
    variables: { space },
    fetchPolicy: 'cache-and-network',
  });
  if (error && !data) return <QuietNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className={classes.rank ?? ''} height={28} width={320} />;
  const { rank, scores } = data.getLeaderboardScores;
  return (
    <>
      <div className={classes.rank}>
        <p>
          {t('rank', {
            rank: typeof rank === 'number' ? wholeNumber(rank, i18n.language) : '–',
            score: wholeNumber(scores?.score ?? 0, i18n.language),
          })}
        </p>
        <Anchor component={Link} to={paths.scoreExplanation}>
          {t('why')}
        </Anchor>
        {typeof rank === 'number' && (
          <Button variant="default" size="compact-sm" onClick={() => onJump(rank)}>
            {t('jump')}
          </Button>
        )}
      </div>
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
    </>
  );
}
