import { useQuery } from '@apollo/client/react';
import { Button, Skeleton } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { ProfileDocument } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { useLoadMore } from '../../lib/use-load-more';
import classes from './activities.module.css';
import { ActivityItem } from './activity-item';
import { useActivities } from './use-activities';

/** What the student did in this space, and beside it how much of it counts. */
export function Activities({ space }: { space: string }) {
  return (
    <div className={classes.columns}>
      <div>
        <ActivityList space={space} />
      </div>
      <Contribution space={space} />
    </div>
  );
}

function ActivityList({ space }: { space: string }) {
  const { activities, error, hasMore, nextPage, refetch } = useActivities(space);
  const end = useLoadMore(hasMore && nextPage.error === undefined, nextPage.load);
  if (error && !activities) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!activities) return <SkeletonRows count={5} height={128} />;
  if (activities.length === 0) return <NoActivities />;
  return (
    <>
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
      <ul className={classes.list}>
        {activities.map((activity) => (
          <li key={activity._id}>
            <ActivityItem activity={activity} />
          </li>
        ))}
      </ul>
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && <SkeletonRows count={1} isMore height={128} />}
    </>
  );
}

function NoActivities() {
  const { t } = useTranslation('activities');
  const action = (
    <Button component={Link} to={paths.dashboard} variant="default">
      {t('toQuestions')}
    </Button>
  );
  return <EmptyState icon={IconHistory} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
}

/** From what the card above asked for already. */
function Contribution({ space }: { space: string }) {
  const { t } = useTranslation('activities');
  const { data } = useQuery(ProfileDocument, { variables: { space }, fetchPolicy: 'cache-first' });
  const {
    questionsAsked = 0,
    questionsAnswered = 0,
    answersAccepted = 0,
  } = data?.getLeaderboardScores.scores ?? {};
  return (
    <section className={classes.contribution} aria-labelledby="contribution">
      <h2 id="contribution">{t('counts.title')}</h2>
      <dl>
        <Count label={t('counts.asked')} count={data && questionsAsked} />
        <Count label={t('counts.answered')} count={data && questionsAnswered} />
        <Count label={t('counts.accepted')} count={data && answersAccepted} />
      </dl>
    </section>
  );
}

function Count({ label, count }: { label: string; count: number | undefined }) {
  const { i18n } = useTranslation();
  return (
    <div>
      <dt>{label}</dt>
      <dd>{count === undefined ? <Skeleton width={32} height={20} /> : wholeNumber(count, i18n.language)}</dd>
    </div>
  );
}
