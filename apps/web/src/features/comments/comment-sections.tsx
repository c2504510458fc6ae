import { useApolloClient } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice, QuietNotice } from '../../components/notices';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  AddAnswerCommentDocument,
  AddQuestionCommentDocument,
  AnswerCommentsDocument,
  type AnswerDetailFragment,
  type CommentDetailFragment,
  QuestionCommentsDocument,
} from '../../generated/graphql';
import { useAnnounceGrowth } from '../../lib/browser/announce';
import { shownName } from '../../lib/api/erased';
import { errorText } from '../../lib/api/errors';
import { idOf, mergeRows, usePagedList, withRest } from '../../lib/api/paged-list';
import { isRemoved, useGone } from '../questions/gone';
import { usePostTarget } from '../questions/post-target';
import { useQuestionPart } from '../questions/use-question';
import { CommentBox } from './comment-box';
import classes from './comment-section.module.css';
import { CommentThread } from './comment-thread';

const QUESTION_COMMENTS_PER_LOAD = 10;

interface QuestionCommentsProps {
  questionId: string;
  space: string;
  /** Number of comments according to the question. */
  count: number;
  /** Refetches the question with its comments. */
  onCommented: () => void;
}

/** The first page comes with the question. */
function useQuestionComments(questionId: string) {
  const { fetchPolicy } = useQuestionPart(questionId);
  return usePagedList(
    QuestionCommentsDocument,
    { questionId, page: 1, limit: QUESTION_COMMENTS_PER_LOAD },
    'getPaginatedQuestionComments',
    { fetchPolicy, notifyOnNetworkStatusChange: true, isKept: true },
  );
}

/** The comments on a question, ten at a time, and a comment box. */
export function QuestionComments({ questionId, space, count, onCommented }: QuestionCommentsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const client = useApolloClient();
  const { own, note } = useOwnComments();
  const sendOwn = useAnnounceGrowth(count, (more) => t('newOnQuestion', { count: more }));
  const target = usePostTarget();
  const isGone = isRemoved(useGone());
  const { rows, hasMore, error, refetch, nextPage } = useQuestionComments(questionId);
  const add = useCallback(
    async (body: string) => {
      const variables = { questionId, body };
      const { data: sent } = await sendOwn(() =>
        client.mutate({ mutation: AddQuestionCommentDocument, variables }),
      );
      note(sent?.createQuestionComment);
      onCommented();
    },
    [client, questionId, sendOwn, note, onCommented],
  );
  return (
    <section className={classes.section} aria-label={t('inQuestion')}>
      {!isGone && (
        <>
          {error && !rows && <ErrorNotice error={error} onRetry={refetch} />}
          {!rows && !error && count > 0 && <SkeletonRows count={Math.min(count, 2)} height={67} />}
          {rows && (
            <CommentThread
              label={t('heading')}
              comments={rows}
              own={own}
              type="QUESTION_COMMENT"
              targetId={target.answerId == null ? (target.commentId ?? undefined) : undefined}
              hasMore={hasMore}
              nextPage={nextPage}
            />
          )}
          {nextPage.error !== undefined && <QuietNotice error={nextPage.error} onRetry={nextPage.load} />}
          {error && rows && <QuietNotice error={error} isStale onRetry={refetch} />}
        </>
      )}
      <CommentBox space={space} postId={questionId} onSend={add} />
    </section>
  );
}

const ANSWER_COMMENTS_PER_LOAD = 100;

interface AnswerCommentsProps {
  answer: AnswerDetailFragment;
  space: string;
  onCommented: () => void;
}

/** Comments delivered with the answer (at most 100, fewer on a page with very many), and those loaded since. */
function useAnswerComments(answer: AnswerDetailFragment) {
  const client = useApolloClient();
  const [further, setFurther] = useState<readonly CommentDetailFragment[]>([]);
  const isFirstPageFull = answer.comments.length >= ANSWER_COMMENTS_PER_LOAD;
  const [pages, setPages] = useState<number>();
  const pagesRead = pages ?? (isFirstPageFull ? 1 : 0);
  const [isLoading, setIsLoading] = useState(false);
  const load = async () => {
    setIsLoading(true);
    try {
      const variables = { answerId: answer._id, page: pagesRead + 1, limit: ANSWER_COMMENTS_PER_LOAD };
      const { data } = await client.query({
        query: AnswerCommentsDocument,
        variables,
        fetchPolicy: 'network-only',
      });
      setFurther(mergeRows(further, data?.getPaginatedComments.docs ?? [], idOf));
      setPages(pagesRead + 1);
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setIsLoading(false);
    }
  };
  const comments = withRest(answer.comments, further, idOf);
  const hasMore =
    comments.length < answer.commentsCount && answer.commentsCount > pagesRead * ANSWER_COMMENTS_PER_LOAD;
  return { comments, hasMore, isLoading, load };
}

/** The comments on an answer, and a comment box. */
export function AnswerComments({ answer, space, onCommented }: AnswerCommentsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const client = useApolloClient();
  const { own, note } = useOwnComments();
  const name = shownName(answer.author);
  const sendOwn = useAnnounceGrowth(answer.commentsCount, (count) => t('newOnAnswer', { count, name }));
  const target = usePostTarget();
  const isGone = isRemoved(useGone());
  const { comments, hasMore, isLoading, load } = useAnswerComments(answer);
  const answerId = answer._id;
  const add = useCallback(
    async (body: string) => {
      const variables = { answerId, body };
      const { data: sent } = await sendOwn(() =>
        client.mutate({ mutation: AddAnswerCommentDocument, variables }),
      );
      note(sent?.createComment);
      onCommented();
    },
    [client, answerId, sendOwn, note, onCommented],
  );
  return (
    <section className={classes.section} aria-label={t('inAnswer', { name: shownName(answer.author) })}>
      {!isGone && (
        <CommentThread
          label={t('heading')}
          comments={comments}
          own={own}
          type="ANSWER_COMMENT"
          targetId={target.answerId === answerId ? (target.commentId ?? undefined) : undefined}
          hasMore={hasMore}
          nextPage={{ isLoading, load: () => void load() }}
        />
      )}
      <CommentBox space={space} postId={answerId} onSend={add} />
    </section>
  );
}

/** Comments the reader has just written, shown even if they are collapsed or not loaded yet. */
function useOwnComments() {
  const [own, setOwn] = useState<readonly CommentDetailFragment[]>([]);
  const note = useCallback((comment: CommentDetailFragment | null | undefined) => {
    if (comment) setOwn((before) => [...before, comment]);
  }, []);
  return { own, note };
}
