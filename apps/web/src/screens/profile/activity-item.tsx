import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { InlineText } from '../../components/rich-text/inline-text';
import { RelativeTime } from '../../components/relative-time';
import { SafeHtml } from '../../components/safe-html';
import { SubjectChip } from '../../components/subject-chip';
import { toast } from '../../components/toast';
import { TopicChip } from '../../components/topic-chip';
import { CommentBody } from '../../features/comments/comment-body';
import type { ActivityFragment } from '../../generated/graphql';
import classes from './activities.module.css';

type ActivityData = ActivityFragment['data'];

/** The question that the activity was about, by the kind of its data. */
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

export function ActivityItem({ activity }: { activity: ActivityFragment }) {
  const { t } = useTranslation('activities');
  const { activityType, createdAt, data, subject, topic } = activity;
  return (
    <article className={classes.item}>
      <div className={classes.top}>
        <span className={classes.type}>{t(`type.${activityType}`)}</span>
        <RelativeTime at={createdAt} className={classes.date} />
      </div>
      <h2 className={classes.title} dir="auto">
        <Way data={data} />
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

/** The whole card leads to the question: the title's target covers it. */
function Way({ data }: { data: ActivityData }) {
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
