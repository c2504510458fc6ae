import { useApolloClient } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  AddAnswerCommentDocument,
  AnswerCommentsDocument,
  type AnswerDetailFragment,
  type CommentDetailFragment,
} from '../../generated/graphql';
import { useAnnouncedGrowth } from '../../lib/announce';
import { errorText } from '../../lib/errors';
import { shownName } from '../../lib/erased';
import { idOf, mergeRows, withRest } from '../../lib/paged-list';
import { isRemoved, useGone } from '../questions/gone';
import { usePostTarget } from '../questions/post-target';
import { CommentBox } from './comment-box';
import { CommentThread } from './comment-thread';
import { useOwnComments } from './use-own-comments';
import classes from './comment-section.module.css';

export const ANSWER_COMMENTS_PER_LOAD = 100;

interface AnswerCommentsProps {
  answer: AnswerDetailFragment;
  space: string;
  onCommented: () => void;
}

/** Those that came with the answer, a hundred at most and fewer on a page with very many, and those loaded behind them. */
function useComments(answer: AnswerDetailFragment) {
  const client = useApolloClient();
  const [further, setFurther] = useState<readonly CommentDetailFragment[]>([]);
  const cameWhole = answer.comments.length >= ANSWER_COMMENTS_PER_LOAD;
  const [pages, setPages] = useState<number>();
  const pagesRead = pages ?? (cameWhole ? 1 : 0);
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

/** The comments on an answer, and the box for one more. */
export function AnswerComments({ answer, space, onCommented }: AnswerCommentsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const client = useApolloClient();
  const { own, note } = useOwnComments();
  const name = shownName(answer.author);
  const sendOwn = useAnnouncedGrowth(answer.commentsCount, (count) => t('arrivedOnAnswer', { count, name }));
  const target = usePostTarget();
  const isGone = isRemoved(useGone());
  const { comments, hasMore, isLoading, load } = useComments(answer);
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
    <section className={classes.section} aria-label={t('inAnswer', { name: answer.author.userName })}>
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
