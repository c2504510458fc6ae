import { useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Title } from '@mantine/core';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconThumbDown from '@tabler/icons-react/dist/esm/icons/IconThumbDown.mjs';
import IconThumbUp from '@tabler/icons-react/dist/esm/icons/IconThumbUp.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { PersonAvatar } from '../../../components/person-avatar';
import { attachedImages } from '../../../components/rich-text/enrich-body';
import { SafeHtml } from '../../../components/rich-text/safe-html';
import { SkeletonRows } from '../../../components/skeletons';
import { SubjectChip, TopicChip } from '../../../components/chips';
import { CommentBody } from '../../../features/comments/comment-body';
import { ImageGallery } from '../../../features/gallery/image-gallery';
import {
  type AnswerThenFragment,
  type HistoryRangePartsFragment,
  type PostThenFragment,
  QuestionAsOfDocument,
  type QuestionAsOfQuery,
  QuestionHistoryRangeDocument,
} from '../../../generated/graphql';
import { shownName } from '../../../lib/api/erased';
import { wholeNumber } from '../../../lib/format';
import { AsOfBanner } from './as-of-banner';
import classes from './as-of.module.css';
import { exactMoment, inputOf, type Point, usePoint } from './point';
import { PointPicker } from './point-picker';

/** A question's page at a point in the past. */
export default function QuestionAsOfScreen() {
  const { t } = useTranslation('asOf');
  const { questionId = '' } = useParams();
  const { data, error, refetch } = useQuery(QuestionHistoryRangeDocument, {
    variables: { questionId },
    fetchPolicy: 'no-cache',
  });
  const range = data?.getQuestionHistoryRange;
  const { point, setPoint } = usePoint(range);
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Group gap="xs">
            <Button component={Link} to={paths.singleQuestion(questionId, 'home')} variant="default">
              {t('question.showCurrent')}
            </Button>
            <Button component={Link} to={paths.asOf} variant="default">
              {t('changeSelection')}
            </Button>
          </Group>
        }
      >
        {t('question.title')}
      </PageHeading>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={6} height={64} />}
      {range && point && <QuestionAtPoint {...{ questionId, range, point, setPoint }} />}
    </div>
  );
}

interface QuestionAtPointProps {
  questionId: string;
  range: HistoryRangePartsFragment;
  point: Point;
  setPoint: (point: Point) => void;
}

function QuestionAtPoint({ questionId, range, point, setPoint }: QuestionAtPointProps) {
  const { t } = useTranslation('asOf');
  // Not cached: past and current posts share their IDs.
  const { data, previousData, error, loading, refetch } = useQuery(QuestionAsOfDocument, {
    variables: { questionId, asOf: inputOf(point) },
    fetchPolicy: 'no-cache',
  });
  const page = (data ?? previousData)?.getQuestionAsOf;
  return (
    <>
      <PointPicker range={range} point={point} onChange={setPoint} />
      <AsOfBanner point={point} note={page?.state === 'REMOVED' ? t('question.removedNote') : undefined} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <div className={classes.page} aria-busy={loading}>
        {!page && !error && <SkeletonRows count={4} height={64} />}
        {page?.state === 'NOT_ASKED_YET' && (
          <EmptyState icon={IconHistory} title={t('question.notYet')} text={t('question.notYetText')} />
        )}
        {page && <PastQuestion page={page} />}
      </div>
    </>
  );
}

type PageThen = QuestionAsOfQuery['getQuestionAsOf'];
type CommentThen = PageThen['comments'][number];

const THUMBNAILS = 4;

/** A question's page at that point, read only. */
function PastQuestion({ page }: { page: PageThen }) {
  const { t } = useTranslation('asOf', { keyPrefix: 'question' });
  const { question, answers, comments } = page;
  if (!question) return null;
  const acceptedId = question.acceptedAnswer?._id;
  return (
    <>
      <article className={classes.post}>
        <div className={classes.postHead}>
          <SubjectChip subject={question.subject} />
          <TopicChip topic={question.topic} />
          {page.state === 'REMOVED' && (
            <Badge color="red" variant="light">
              {t('removed')}
            </Badge>
          )}
        </div>
        <Title order={2} dir="auto">
          {question.title}
        </Title>
        <Post post={question}>{acceptedId !== undefined && <Accepted label={t('solved')} />}</Post>
        <Comments comments={comments} />
      </article>
      <Title order={3} className={classes.answersTitle ?? ''}>
        {t('answers', { count: answers.length })}
      </Title>
      <ul className={classes.answers}>
        {answers.map((answer) => (
          <li key={answer._id} data-accepted={answer._id === acceptedId || undefined}>
            <article className={classes.post}>
              <Post post={answer}>{answer._id === acceptedId && <Accepted label={t('accepted')} />}</Post>
              <Comments comments={answer.comments} />
            </article>
          </li>
        ))}
      </ul>
    </>
  );
}

function Accepted({ label }: { label: string }) {
  return (
    <Badge color="green" variant="light" leftSection={<IconCircleCheckFilled size={14} aria-hidden />}>
      {label}
    </Badge>
  );
}

function Post({ post, children }: { post: PostThenFragment | AnswerThenFragment; children: ReactNode }) {
  const { t, i18n } = useTranslation('asOf', { keyPrefix: 'question' });
  return (
    <>
      <div className={classes.postHead}>
        <PersonAvatar person={post.author} size={28} />
        <span className={classes.author}>{shownName(post.author)}</span>
        <span className={classes.time}>
          <time dateTime={post.createdAt}>{exactMoment(post.createdAt, i18n.language)}</time>
          {post.editedAt !== null &&
            ` · ${t('edited', { moment: exactMoment(post.editedAt, i18n.language) })}`}
        </span>
        {children}
      </div>
      {post.body !== '' && <SafeHtml html={post.body} />}
      <ImageGallery imageUrls={attachedImages(post)} shown={THUMBNAILS} />
      <p className={classes.votes}>
        <span role="img" aria-label={t('upvotes', { count: post.upvoteCount })}>
          <IconThumbUp size={16} stroke={1.75} aria-hidden /> {wholeNumber(post.upvoteCount, i18n.language)}
        </span>
        <span role="img" aria-label={t('downvotes', { count: post.downvoteCount })}>
          <IconThumbDown size={16} stroke={1.75} aria-hidden />{' '}
          {wholeNumber(post.downvoteCount, i18n.language)}
        </span>
      </p>
    </>
  );
}

function Comments({ comments }: { comments: readonly CommentThen[] }) {
  const { t, i18n } = useTranslation('asOf', { keyPrefix: 'question' });
  if (comments.length === 0) return null;
  return (
    <ul className={classes.comments} aria-label={t('comments')}>
      {comments.map((comment) => (
        <li key={comment._id}>
          <span className={classes.author}>{shownName(comment.author)}</span>{' '}
          <time className={classes.time} dateTime={comment.createdAt}>
            {exactMoment(comment.createdAt, i18n.language)}
          </time>
          <CommentBody body={comment.body} mentions={comment.mentions} />
        </li>
      ))}
    </ul>
  );
}
