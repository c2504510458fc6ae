import { Badge, Title } from '@mantine/core';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import IconThumbDown from '@tabler/icons-react/dist/esm/icons/IconThumbDown.mjs';
import IconThumbUp from '@tabler/icons-react/dist/esm/icons/IconThumbUp.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../components/person-avatar';
import { picturesBeside } from '../../components/rich-text/enrich-body';
import { SafeHtml } from '../../components/safe-html';
import { SubjectChip } from '../../components/subject-chip';
import { TopicChip } from '../../components/topic-chip';
import { CommentBody } from '../../features/comments/comment-body';
import { ImageGallery } from '../../features/gallery/image-gallery';
import type { AnswerThenFragment, PostThenFragment, QuestionAsOfQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import classes from './as-of.module.css';
import { exactMoment } from './point';
import { shownName } from '../../lib/erased';

type PageThen = QuestionAsOfQuery['getQuestionAsOf'];
type CommentThen = PageThen['comments'][number];

const THUMBNAILS = 4;

/** A question's page as it stood, to be read only. */
export function QuestionThen({ page }: { page: PageThen }) {
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
      <ImageGallery imageUrls={picturesBeside(post)} shown={THUMBNAILS} />
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
