import { useQuery } from '@apollo/client/react';
import { Button, Skeleton } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { PagedRows } from '../../components/paged-rows';
import { OwnActivitiesDocument, ProfileDocument } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { usePagedList } from '../../lib/paged-list';
import classes from './activities.module.css';
import { ActivityItem } from './activity-item';

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

/** The latest first, a hundred at a time. */
function ActivityList({ space }: { space: string }) {
  const list = usePagedList(OwnActivitiesDocument, { space, page: 1 }, 'getPaginatedStudentActivities', {
    // Also for those who come back: what they did meanwhile belongs to the list.
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  return (
    <PagedRows list={list} count={5} height={128} empty={<NoActivities />}>
      {(activities) => (
        <ul className={classes.list}>
          {activities.map((activity) => (
            <li key={activity._id}>
              <ActivityItem activity={activity} />
            </li>
          ))}
        </ul>
      )}
    </PagedRows>
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
