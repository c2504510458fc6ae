import { useQuery } from '@apollo/client/react';
import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { PagedRows } from '../../../components/paged-rows';
import { RelativeTime } from '../../../components/relative-time';
import { InlineText } from '../../../components/rich-text/inline-text';
import { SafeHtml } from '../../../components/rich-text/safe-html';
import { SubjectChip, TopicChip } from '../../../components/chips';
import { toast } from '../../../components/toast';
import { CommentBody } from '../../../features/comments/comment-body';
import { type ActivityFragment, OwnActivitiesDocument, ProfileDocument } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { usePagedList } from '../../../lib/api/paged-list';
import classes from './activities.module.css';

/** The student's activities in this space, next to their totals. */
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

/** Newest first, a hundred per page. */
function ActivityList({ space }: { space: string }) {
  const list = usePagedList(OwnActivitiesDocument, { space, page: 1 }, 'getPaginatedStudentActivities', {
    // Refetched on return: activities from elsewhere belong to the list.
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

/** From the cache: the card above has already loaded it. */
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

type ActivityData = ActivityFragment['data'];

/** The question of an activity, by the type of its data. */
function questionIdOf(data: ActivityData): string | undefined {
  switch (data.__typename) {
    case 'ActivityQuestion':
      return data._id;
    case 'ActivityAnswer':
    case 'ActivityQuestionComment':
      return data.question?._id;
    case 'ActivityComment':
      return data.answer?.question?._id;
  }
}

function ActivityItem({ activity }: { activity: ActivityFragment }) {
  const { t } = useTranslation('activities');
  const { activityType, createdAt, data, subject, topic } = activity;
  return (
    <article className={classes.item}>
      <div className={classes.top}>
        <span className={classes.type}>{t(`type.${activityType}`)}</span>
        <RelativeTime at={createdAt} className={classes.date} />
      </div>
      <h2 className={classes.title} dir="auto">
        <CardLink data={data} />
      </h2>
      <div className={classes.body}>
        <Body data={data} />
      </div>
      <div className={classes.chips}>
        <SubjectChip subject={subject} />
        <TopicChip topic={topic} />
      </div>
    </article>
  );
}

/** The whole card is a link: the title's hit area covers it. */
function CardLink({ data }: { data: ActivityData }) {
  const { t } = useTranslation('activities');
  const questionId = questionIdOf(data);
  if (questionId === undefined)
    return (
      <UnstyledButton className={classes.way} onClick={() => toast.error(t('noQuestion'))}>
        <InlineText text={data.title} />
      </UnstyledButton>
    );
  return (
    <Link className={classes.way} to={paths.singleQuestion(questionId, 'profile')}>
      <InlineText text={data.title} />
    </Link>
  );
}

function Body({ data }: { data: ActivityData }) {
  if (data.body === '') return null;
  switch (data.__typename) {
    case 'ActivityQuestion':
    case 'ActivityAnswer':
      return <SafeHtml html={data.body} />;
    case 'ActivityComment':
    case 'ActivityQuestionComment':
      return <CommentBody body={data.body} mentions={data.mentions} />;
  }
}
