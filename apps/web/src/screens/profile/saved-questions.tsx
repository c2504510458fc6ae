import { useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { InlineText } from '../../components/rich-text/inline-text';
import { PersonAvatar } from '../../components/person-avatar';
import { QuietNotice } from '../../components/quiet-notice';
import { RelativeTime } from '../../components/relative-time';
import { SkeletonRows } from '../../components/skeletons';
import { SubjectChip } from '../../components/subject-chip';
import { TopicChip } from '../../components/topic-chip';
import { SavedQuestionsDocument, type SavedQuestionFragment } from '../../generated/graphql';
import { withPage } from '../../lib/merge-pages';
import { useLoadMore } from '../../lib/use-load-more';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import { useUnfolded } from '../../lib/use-unfolded';
import { shownName } from '../../lib/erased';
import classes from './saved-questions.module.css';

function useSavedQuestions(space: string) {
  const variables = { space, page: 1 };
  const { data, error, refetch } = useQuery(SavedQuestionsDocument, { variables, ...useListPolicy() });
  const saved = data?.getPaginatedSavedQuestions;
  const hasMore = saved !== undefined && saved.page < saved.totalPages;
  const readMore = useMore(SavedQuestionsDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: space,
    rows: saved?.docs,
    hasMore,
    fetchNext: () =>
      readMore({ page: (saved?.page ?? 0) + 1 }, (loaded, more) => ({
        getPaginatedSavedQuestions: withPage(
          loaded.getPaginatedSavedQuestions,
          more.getPaginatedSavedQuestions,
        ),
      })),
  });
  return { questions: rows, error, hasMore, nextPage, refetch };
}

/** What the student bookmarked in this space, the latest first. */
export function SavedQuestions({ space }: { space: string }) {
  const { t } = useTranslation('profile');
  const { questions, error, hasMore, nextPage, refetch } = useSavedQuestions(space);
  const end = useLoadMore(hasMore && nextPage.error === undefined, nextPage.load);

  if (error && !questions) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!questions) return <SkeletonRows count={4} height={112} />;
  if (questions.length === 0) {
    const action = (
      <Button component={Link} to={paths.dashboard} variant="default">
        {t('saved.toQuestions')}
      </Button>
    );
    return (
      <EmptyState
        icon={IconBookmark}
        title={t('saved.emptyTitle')}
        text={t('saved.emptyText')}
        action={action}
      />
    );
  }
  return (
    <>
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
      <ul className={classes.list}>
        {questions.map((question) => (
          <li key={question._id}>
            <SavedQuestionLink question={question} />
          </li>
        ))}
      </ul>
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && <SkeletonRows count={1} isMore height={112} />}
    </>
  );
}

function SavedQuestionLink({ question }: { question: SavedQuestionFragment }) {
  const { t } = useTranslation('profile');
  return (
    <Link className={classes.item} to={paths.singleQuestion(question._id, 'profile')}>
      <span className={classes.chips}>
        <SubjectChip subject={question.subject} />
        <TopicChip topic={question.topic} />
        {question.acceptedAnswer && (
          <span className={classes.solved}>
            <IconCircleCheckFilled size={16} aria-hidden />
            {t('saved.solved')}
          </span>
        )}
      </span>
      <span className={classes.title} dir="auto">
        <InlineText text={question.title} />
      </span>
      <span className={classes.foot}>
        <PersonAvatar person={question.author} size={22} />
        {shownName(question.author)}
        <span aria-hidden>·</span>
        <RelativeTime at={question.createdAt} />
        <span className={classes.answers}>{t('saved.answers', { count: question.answerCount })}</span>
      </span>
    </Link>
  );
}
