import { useQuery } from '@apollo/client/react';
import { Accordion, ActionIcon, Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { OwnScoreDocument } from '../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../lib/auth-storage';
import { wholeNumber } from '../../lib/format';
import { useLoadMore } from '../../lib/use-load-more';
import { LeaderboardRow } from './leaderboard-row';
import classes from './leaderboard-screen.module.css';
import { ScoringModal } from './scoring-modal';
import { useLeaderboard } from './use-leaderboard';

export default function LeaderboardScreen() {
  const { t } = useTranslation('leaderboard');
  const space = useCurrentSpace()?._id ?? '';
  const [isHelpOpen, help] = useDisclosure();
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Tooltip label={t('help')}>
            <ActionIcon variant="subtle" size="lg" aria-label={t('help')} onClick={help.open}>
              <IconHelpCircle size={22} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        }
      >
        {t('title')}
      </PageHeading>
      <OwnRank space={space} />
      <Rows space={space} />
      <ScoringModal opened={isHelpOpen} onClose={help.close} />
    </div>
  );
}

function OwnRank({ space }: { space: string }) {
  const { t, i18n } = useTranslation('leaderboard');
  const { data } = useQuery(OwnScoreDocument, { variables: { space }, fetchPolicy: 'cache-and-network' });
  if (!data) return <p className={classes.rank} />;
  const { rank, scores } = data.getLeaderboardScores;
  return (
    <p className={classes.rank}>
      {t('rank', {
        rank: typeof rank === 'number' ? wholeNumber(rank, i18n.language) : '–',
        score: wholeNumber(scores?.score ?? 0, i18n.language),
      })}
    </p>
  );
}

function Rows({ space }: { space: string }) {
  const { t } = useTranslation('leaderboard');
  const user = useAuthUser();
  const { rows, error, hasMore, nextPage, refetch } = useLeaderboard(space);
  const end = useLoadMore(hasMore && nextPage.error === undefined, nextPage.load);

  if (error && !rows) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!rows) return <SkeletonRows count={10} height={60} />;
  if (rows.length === 0) {
    const action = (
      <Button component={Link} to={paths.dashboard}>
        {t('toQuestions')}
      </Button>
    );
    return <EmptyState icon={IconTrophy} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
  }
  return (
    <>
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
      <Accordion multiple chevronPosition="right" variant="unstyled">
        {rows.map((row) => (
          <LeaderboardRow key={row._id} row={row} isOwn={row.student._id === user?._id} />
        ))}
      </Accordion>
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && <SkeletonRows count={2} height={60} />}
    </>
  );
}
