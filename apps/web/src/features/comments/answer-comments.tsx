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
import { isRemoved, useGone } from '../questions/gone';
import { usePostTarget } from '../questions/post-target';
import { CommentBox } from './comment-box';
import { CommentThread } from './comment-thread';
import { useOwnComments } from './use-own-comments';
import classes from './comment-section.module.css';

const ANSWER_COMMENTS_PER_LOAD = 100;

interface AnswerCommentsProps {
  answer: AnswerDetailFragment;
  space: string;
  onCommented: () => void;
}

/** What an answer has beyond the comments that came with it: a hundred at most, fewer on a page with very many. */
function useFurtherComments(answer: AnswerDetailFragment) {
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
      const known = new Set([...answer.comments, ...further].map(({ _id }) => _id));
      const docs = data?.getPaginatedComments.docs ?? [];
      setFurther([...further, ...docs.filter(({ _id }) => !known.has(_id))]);
      setPages(pagesRead + 1);
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setIsLoading(false);
    }
  };
  const hasMore =
    answer.comments.length + further.length < answer.commentsCount &&
    answer.commentsCount > pagesRead * ANSWER_COMMENTS_PER_LOAD;
  return { further, hasMore, isLoading, load };
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
  const { further, hasMore, isLoading, load } = useFurtherComments(answer);
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
          comments={[...answer.comments, ...further]}
          own={own}
          type="ANSWER_COMMENT"
          targetId={target.answerId === answerId ? (target.commentId ?? undefined) : undefined}
          hasMore={hasMore}
          isLoadingMore={isLoading}
          onLoadMore={() => void load()}
        />
      )}
      <CommentBox space={space} postId={answerId} onSend={add} />
    </section>
  );
}
