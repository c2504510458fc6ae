import { ActionIcon, Badge, Button, Title } from '@mantine/core';
import IconArrowsDiagonal from '@tabler/icons-react/dist/esm/icons/IconArrowsDiagonal.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { LoadingNotice } from '../../components/loading-notice';
import { attachedImages } from '../../components/rich-text/enrich-body';
import { InlineText } from '../../components/rich-text/inline-text';
import { SafeHtml } from '../../components/rich-text/safe-html';
import { SubjectChip, TopicChip } from '../../components/chips';
import { toast } from '../../components/toast';
import type { QuestionDetailFragment } from '../../generated/graphql';
import { SaveButton } from '../bookmarks/save-button';
import { lazyPart } from '../../lib/browser/loading';
import { ImageGallery } from '../gallery/image-gallery';
import { VoteButtons } from '../voting/vote-buttons';
import { AuthorLine } from './author-line';
import { useParticipation } from '../people/participation';
import { PostMenu } from './post-actions';
import classes from './question-article.module.css';

const QuestionForm = lazyPart(() => import('./question-form'));

const THUMBNAILS = 4;

interface QuestionArticleProps {
  question: QuestionDetailFragment;
  headingOrder: 1 | 2;
  /** Removed while the author was editing it: only the draft is shown. */
  isGone: boolean;
  /** Opened by the author, or to restore a draft. */
  editing: 'focused' | 'restored' | undefined;
  onEdit: () => void;
  /** Called when the edit was saved, or closed with a draft. */
  onEdited: (hasChanged: boolean) => void;
}

/** The question, with a form in place of its text while editing. */
export function QuestionArticle(props: QuestionArticleProps) {
  const { question, headingOrder, isGone, editing, onEdit, onEdited } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  const text = <QuestionText question={question} headingOrder={headingOrder} />;
  return (
    <article className={classes.article} aria-label={t('label', { title: question.title })}>
      {!isGone && (
        <div className={classes.top}>
          <div className={classes.chips}>
            <SubjectChip subject={question.subject} />
            <TopicChip topic={question.topic} />
          </div>
          <QuestionActions question={question} onEdit={onEdit} />
        </div>
      )}
      {editing ? (
        <Suspense
          fallback={
            <>
              {text}
              {editing === 'focused' && <LoadingNotice />}
            </>
          }
        >
          <QuestionForm
            space={question.space._id}
            question={question}
            headingOrder={headingOrder}
            startsFocused={editing === 'focused'}
            onClose={() => onEdited(false)}
            onSaved={() => onEdited(true)}
          />
        </Suspense>
      ) : (
        text
      )}
      {!isGone && (
        <div className={classes.foot}>
          <VoteButtons kind="question" post={question} />
          <span className={classes.counts}>
            {t('comments', { count: question.commentsCount })} ·{' '}
            {t('answers', { count: question.answerCount })}
          </span>
        </div>
      )}
    </article>
  );
}

function QuestionText({ question, headingOrder }: Pick<QuestionArticleProps, 'question' | 'headingOrder'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  return (
    <>
      <Title order={headingOrder} className={classes.title} dir="auto">
        <InlineText text={question.title} />
      </Title>
      <AuthorLine
        author={question.author}
        createdAt={question.createdAt}
        isEdited={question.editedAt !== null}
      >
        {question.acceptedAnswer && (
          <Badge className={classes.solved} leftSection={<IconCircleCheckFilled size={14} aria-hidden />}>
            {t('solved')}
          </Badge>
        )}
      </AuthorLine>
      {question.body !== '' && <SafeHtml html={question.body} />}
      <ImageGallery imageUrls={attachedImages(question)} shown={THUMBNAILS} />
    </>
  );
}

function QuestionActions({ question, onEdit }: Pick<QuestionArticleProps, 'question' | 'onEdit'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  const { kind } = useParticipation();
  const isNextToList = useLocation().pathname === paths.dashboard;
  return (
    <div className={classes.actions}>
      {isNextToList && <PageLink questionId={question._id} />}
      <CopyButton questionId={question._id} />
      {kind !== 'guest' && <SaveButton question={question} />}
      <PostMenu
        target={{ type: 'QUESTION', _id: question._id }}
        authorId={question.author._id}
        label={t('menu')}
        size="lg"
        onEdit={onEdit}
      />
    </div>
  );
}

function PageLink({ questionId }: { questionId: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  return (
    <ActionIcon
      component={Link}
      to={paths.singleQuestion(questionId, 'home')}
      variant="subtle"
      color="gray"
      c="dimmed"
      size="lg"
      aria-label={t('openPage')}
      title={t('openPage')}
    >
      <IconArrowsDiagonal size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
}

function CopyButton({ questionId }: { questionId: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  const { act, onlyReads } = useParticipation();
  const copy = async () => {
    const link = `${window.location.origin}${paths.publicQuestion(questionId)}`;
    try {
      await navigator.clipboard.writeText(link);
      toast.success(t('copied'));
    } catch {
      // Denied by the browser, or unavailable outside a secure context.
      toast.error(t('copyFailed', { link }));
    }
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      c="dimmed"
      size="compact-md"
      fz="sm"
      leftSection={<IconLink size={18} stroke={1.75} aria-hidden />}
      onClick={() => (onlyReads ? void copy() : act(() => void copy()))}
    >
      {t('copy')}
    </Button>
  );
}
