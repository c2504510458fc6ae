import { useQuery } from '@apollo/client/react';
import { Anchor, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { QuietNotice } from '../../components/quiet-notice';
import { Placeholder } from '../../components/skeletons';
import { OwnScoreDocument } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import classes from './leaderboard-screen.module.css';

interface OwnRankProps {
  space: string;
  onJump: (rank: number) => void;
}

/** Where one stands, why, and the way to the own row. */
export function OwnRank({ space, onJump }: OwnRankProps) {
  const { data, error, refetch } = useQuery(OwnScoreDocument, {
    variables: { space },
    fetchPolicy: 'cache-and-network',
  });
  if (error && !data) return <QuietNotice error={error} onRetry={() => void refetch()} />;
  // As high as what comes, in however many lines it is set.
  if (!data)
    return (
      <Placeholder>
        <Line rank={1} score={0} />
      </Placeholder>
    );
  // Rank and score come from the row that the list shows as well, so header and list always agree.
  const { scores } = data.getLeaderboardScores;
  return (
    <>
      <Line rank={scores?.rank} score={scores?.score ?? 0} onJump={onJump} />
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
    </>
  );
}

interface LineProps {
  rank: number | undefined;
  score: number;
  onJump?: (rank: number) => void;
}

function Line({ rank, score, onJump }: LineProps) {
  const { t, i18n } = useTranslation('leaderboard');
  return (
    <div className={classes.rank}>
      <p>
        {t('rank', {
          rank: typeof rank === 'number' ? wholeNumber(rank, i18n.language) : '–',
          score: wholeNumber(score, i18n.language),
        })}
      </p>
      <Anchor component={Link} to={paths.scoreExplanation}>
        {t('why')}
      </Anchor>
      {typeof rank === 'number' && (
        <Button variant="default" size="compact-sm" onClick={() => onJump?.(rank)}>
          {t('jump')}
        </Button>
      )}
    </div>
  );
}
