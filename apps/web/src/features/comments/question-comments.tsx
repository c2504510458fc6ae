import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { AddQuestionCommentDocument, QuestionCommentsDocument } from '../../generated/graphql';
import { useAnnouncedGrowth } from '../../lib/announce';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';
import { isRemoved, useGone } from '../questions/gone';
import { usePostTarget } from '../questions/post-target';
import { useWithQuestion } from '../questions/use-question';
import { CommentBox } from './comment-box';
import { CommentThread } from './comment-thread';
import { useOwnComments } from './use-own-comments';
import classes from './comment-section.module.css';

export const QUESTION_COMMENTS_PER_LOAD = 10;

interface QuestionCommentsProps {
  questionId: string;
  space: string;
  /** How many there are, as far as the question knows. */
  count: number;
  /** The question is read again, with them. */
  onCommented: () => void;
}

/** The comments on a question, ten per load, and the box for one more. The first come with the question. */
export function QuestionComments({ questionId, space, count, onCommented }: QuestionCommentsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const client = useApolloClient();
  const { own, note } = useOwnComments();
  const sendOwn = useAnnouncedGrowth(count, (more) => t('arrivedOnQuestion', { count: more }));
  const target = usePostTarget();
  const isGone = isRemoved(useGone());
  const { fetchPolicy } = useWithQuestion(questionId);
  const { data, error, refetch, fetchMore } = useQuery(QuestionCommentsDocument, {
    variables: { questionId, page: 1, limit: QUESTION_COMMENTS_PER_LOAD },
    fetchPolicy,
    notifyOnNetworkStatusChange: true,
  });
  const page = data?.getPaginatedQuestionComments;
  const nextPage = useNextPage(questionId, () =>
    fetchMore({
      variables: { page: (page?.page ?? 0) + 1 },
      updateQuery: (previous, { fetchMoreResult: { getPaginatedQuestionComments: next } }) => ({
        getPaginatedQuestionComments: {
          ...next,
          docs: mergePages(previous.getPaginatedQuestionComments.docs, next.docs),
        },
      }),
    }),
  );
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
          {error && !page && <ErrorNotice error={error} onRetry={() => void refetch()} />}
          {!page && !error && count > 0 && <SkeletonRows count={Math.min(count, 2)} height={67} />}
          {page && (
            <CommentThread
              label={t('heading')}
              comments={page.docs}
              own={own}
              type="QUESTION_COMMENT"
              targetId={target.answerId == null ? (target.commentId ?? undefined) : undefined}
              hasMore={page.page < page.totalPages}
              isLoadingMore={nextPage.isLoading}
              onLoadMore={nextPage.load}
            />
          )}
          {nextPage.error !== undefined && <QuietNotice error={nextPage.error} onRetry={nextPage.load} />}
          {error && page && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
        </>
      )}
      <CommentBox space={space} postId={questionId} onSend={add} />
    </section>
  );
}
