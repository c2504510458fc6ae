import { skipToken, useQuery } from '@apollo/client/react';
import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import IconQuestionMark from '@tabler/icons-react/dist/esm/icons/IconQuestionMark.mjs';
import IconShieldX from '@tabler/icons-react/dist/esm/icons/IconShieldX.mjs';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { type JoinState, paths } from '../../lib/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice, QuietNotice } from '../../components/notices';
import { Objection } from '../../components/objection';
import { RelativeTime } from '../../components/relative-time';
import { SafeHtml } from '../../components/rich-text/safe-html';
import {
  type OwnRemovalFragment,
  OwnRemovalsDocument,
  type QuestionDetailFragment,
} from '../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../lib/auth-storage';
import { useSkeletonCount } from '../../lib/browser/loading';
import { AnswerList } from '../answers/answer-list';
import { QuestionComments } from '../comments/comment-sections';
import { useHiddenPosts } from '../reports/hidden-posts';
import { GoneProvider } from '../questions/gone';
import { ParticipationProvider, useParticipation } from '../people/participation';
import { PostActionsProvider, type PostTarget } from '../questions/post-actions';
import { preloadEditors } from './preload-editors';
import { QuestionArticle } from '../questions/question-article';
import classes from './question-detail.module.css';
import { hasDraft } from '../questions/drafts';
import { useQuestion, useQuestionPart } from '../questions/use-question';

interface QuestionDetailProps {
  questionId: string;
  headingOrder: 1 | 2;
  /** Called after it was deleted or reported here. */
  onGone?: (questionId: string) => void;
}

/** The question, or its last known state if it was removed while the reader is writing. */
function useLastKnown(question: QuestionDetailFragment | null | undefined) {
  const [last, setLast] = useState(question ?? undefined);
  if (question && question !== last) setLast(question);
  return question === null ? last : question;
}

/** A question with its comments, answers and actions. */
export function QuestionDetail({ questionId, headingOrder, onGone }: QuestionDetailProps) {
  const { question, error, refetch, notifyChange } = useQuestion(questionId);
  const removals = useOwnRemovals(questionId);
  const seen = useLastKnown(question);
  const isMissing = question === null;
  const missing =
    removals.length > 0 ? (
      <OwnRemovals removals={removals} />
    ) : (
      <MissingQuestion headingOrder={headingOrder} />
    );
  if (seen) {
    return (
      <ParticipationProvider isAuthorizedToInteract={seen.isAuthorizedToInteract} space={seen.space}>
        {error && <QuietNotice error={error} isStale onRetry={refetch} />}
        {!isMissing && <OwnRemovals removals={removals} />}
        <OpenQuestion
          key={seen._id}
          question={seen}
          missing={isMissing ? missing : undefined}
          headingOrder={headingOrder}
          onGone={onGone}
          onChanged={notifyChange}
        />
      </ParticipationProvider>
    );
  }
  if (isMissing) return missing;
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  return <QuestionSkeleton />;
}

interface OpenQuestionProps extends Pick<QuestionDetailProps, 'headingOrder'> {
  question: QuestionDetailFragment;
  /** Replaces the question once it is gone. Drafts stay visible, so that the text can be saved. */
  missing: ReactNode;
  onGone: QuestionDetailProps['onGone'] | undefined;
  onChanged: () => void;
}

function OpenQuestion({ question, missing, headingOrder, onGone, onChanged }: OpenQuestionProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  const { studentId, onlyReads } = useParticipation();
  const [editing, setEditing] = useState<'focused' | 'restored' | undefined>(() =>
    hasDraft(studentId ?? '', `question:${question._id}`) ? 'restored' : undefined,
  );
  useEffect(() => (onlyReads ? undefined : preloadEditors()), [onlyReads]);
  const isHidden = useHiddenPosts(studentId, 'QUESTION').has(question._id);
  const handleGone = ({ type, _id }: PostTarget) => (type === 'QUESTION' ? onGone?.(_id) : onChanged());
  if (isHidden)
    return (
      <EmptyState icon={IconEyeOff} titleOrder={headingOrder} title={t('hidden')} text={t('hiddenText')} />
    );
  const isMissing = missing !== undefined;
  const gone = isMissing ? 'question' : onlyReads ? 'space' : undefined;
  return (
    <PostActionsProvider onGone={handleGone}>
      <GoneProvider gone={gone}>
        <div className={classes.detail}>
          {gone === 'space' && <ReadOnlyNotice space={question.space} />}
          {missing}
          {(!isMissing || editing) && (
            <QuestionArticle
              question={question}
              headingOrder={headingOrder}
              isGone={isMissing}
              editing={editing}
              onEdit={() => setEditing('focused')}
              onEdited={(hasChanged) => {
                setEditing(undefined);
                if (hasChanged) onChanged();
              }}
            />
          )}
          <QuestionComments
            questionId={question._id}
            space={question.space._id}
            count={question.commentsCount}
            onCommented={onChanged}
          />
          {!isMissing && <hr className={classes.rule} />}
          <AnswerList question={question} onChanged={onChanged} />
        </div>
      </GoneProvider>
    </PostActionsProvider>
  );
}

/** Says that the reader can only read. In the current space, a banner says it to members. */
function ReadOnlyNotice({ space }: Pick<QuestionDetailFragment, 'space'>) {
  const { t } = useTranslation('ask');
  const { kind } = useParticipation();
  const isCurrent = useCurrentSpace()?._id === space._id;
  if (kind === 'guest') return <GuestNotice space={space} />;
  return isCurrent ? null : <Alert variant="light">{t('question.silent', { space: space.name })}</Alert>;
}

/** Links guests to joining the space. */
function GuestNotice({ space }: Pick<QuestionDetailFragment, 'space'>) {
  const { t } = useTranslation(['ask', 'spaces']);
  const { pathname, search } = useLocation();
  const state: JoinState = { joins: space._id, backTo: pathname + search };
  return (
    <Alert variant="light">
      {t('question.readOnly', { space: space.name })}
      <Button
        component={Link}
        to={paths.spaces}
        state={state}
        mt="sm"
        size="xs"
        variant="default"
        display="block"
        w="fit-content"
      >
        {t('spaces:joinSpace')}
      </Button>
    </Alert>
  );
}

function MissingQuestion({ headingOrder }: Pick<QuestionDetailProps, 'headingOrder'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  return (
    <EmptyState
      icon={IconQuestionMark}
      titleOrder={headingOrder}
      title={t('missing')}
      text={t('missingText')}
    />
  );
}

/** Placeholder for a question that is loading. */
export function QuestionSkeleton() {
  useSkeletonCount();
  return (
    <Stack gap="md" aria-hidden aria-busy>
      <Skeleton height={20} width={200} />
      <Skeleton height={28} />
      <Skeleton height={32} width={240} />
      <Skeleton height={120} />
      <Skeleton height={160} mt="md" />
    </Stack>
  );
}

/** The reader's own posts on the page that moderators have removed; empty while loading. */
function useOwnRemovals(questionId: string): readonly OwnRemovalFragment[] {
  const user = useAuthUser();
  const { isAwaited, fetchPolicy } = useQuestionPart(questionId);
  const { data } = useQuery(
    OwnRemovalsDocument,
    user ? { variables: { questionId }, fetchPolicy } : skipToken,
  );
  return (!isAwaited && data?.getOwnRemovals) || [];
}

/** Shows authors why their posts were removed. */
function OwnRemovals({ removals }: { removals: readonly OwnRemovalFragment[] }) {
  return removals.map((removal) => <Removal key={removal.postId} removal={removal} />);
}

function Removal({ removal }: { removal: OwnRemovalFragment }) {
  const { postType, title, body, reason, at, objectTo } = removal;
  const { t } = useTranslation('ask', { keyPrefix: 'removal' });
  const isHtml = postType === 'QUESTION' || postType === 'ANSWER';
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconShieldX aria-hidden />}
      role="note"
      aria-label={t(postType)}
    >
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t(postType)}
        </Title>
        <Text size="sm" c="dimmed">
          <RelativeTime at={at} />
        </Text>
        <Text fw={600}>{t('reason', { reason })}</Text>
        <Text size="sm">
          <Objection contact={objectTo} />
        </Text>
        <Text size="sm">{t('text')}</Text>
        <div className={classes.post}>
          {postType === 'QUESTION' && (
            <Text fw={600} dir="auto">
              {title}
            </Text>
          )}
          {isHtml ? <SafeHtml html={body} /> : <Text dir="auto">{body}</Text>}
        </div>
      </Stack>
    </Alert>
  );
}
