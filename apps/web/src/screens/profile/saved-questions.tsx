import { Button } from '@mantine/core';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { InlineText } from '../../components/rich-text/inline-text';
import { PagedRows } from '../../components/paged-rows';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import { SubjectChip } from '../../components/subject-chip';
import { TopicChip } from '../../components/topic-chip';
import { SavedQuestionsDocument, type SavedQuestionFragment } from '../../generated/graphql';
import { useListPolicy, usePagedList } from '../../lib/paged-list';
import { shownName } from '../../lib/erased';
import classes from './saved-questions.module.css';

/** What the student bookmarked in this space, the latest first. */
export function SavedQuestions({ space }: { space: string }) {
  const policy = useListPolicy();
  const list = usePagedList(SavedQuestionsDocument, { space, page: 1 }, 'getPaginatedSavedQuestions', policy);
  return (
    <PagedRows list={list} count={4} height={112} empty={<NothingSaved />}>
      {(questions) => (
        <ul className={classes.list}>
          {questions.map((question) => (
            <li key={question._id}>
              <SavedQuestionLink question={question} />
            </li>
          ))}
        </ul>
      )}
    </PagedRows>
  );
}

function NothingSaved() {
  const { t } = useTranslation('profile');
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
