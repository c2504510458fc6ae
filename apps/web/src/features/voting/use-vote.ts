import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  DownvoteAnswerDocument,
  DownvoteQuestionDocument,
  UpvoteAnswerDocument,
  UpvoteQuestionDocument,
} from '../../generated/graphql';
import { announce } from '../../lib/announce';
import { errorText } from '../../lib/errors';

export type VotableKind = 'question' | 'answer';

interface Vote {
  /** @param takesBack one's own vote that is there */
  upvote: (takesBack: boolean) => void;
  downvote: (takesBack: boolean) => void;
  pending: boolean;
}

/** Votes on a post. The answer of the api carries the post as it is then, which the cache takes over. */
export function useVote(kind: VotableKind, id: string): Vote {
  const { t } = useTranslation('ask');
  const onError = (error: Error) => void toast.error(errorText(error));
  const [up, { loading: isUpvoting }] = useMutation(
    kind === 'question' ? UpvoteQuestionDocument : UpvoteAnswerDocument,
    { onError },
  );
  const [down, { loading: isDownvoting }] = useMutation(
    kind === 'question' ? DownvoteQuestionDocument : DownvoteAnswerDocument,
    { onError },
  );
  // Only a question's vote gets a toast; what else happens is seen, and announced to who does not see it.
  const told = (takesBack: boolean, removed: string, onQuestion: string, onAnswer: string) => ({
    variables: { id },
    onCompleted: () => {
      if (takesBack) announce(removed);
      else if (kind === 'question') toast.success(onQuestion);
      else announce(onAnswer);
    },
  });
  return {
    upvote: (takesBack) =>
      void up(told(takesBack, t('vote.upvoteRemoved'), t('vote.upvoted'), t('vote.answerUpvoted'))),
    downvote: (takesBack) =>
      void down(told(takesBack, t('vote.downvoteRemoved'), t('vote.downvoted'), t('vote.answerDownvoted'))),
    pending: isUpvoting || isDownvoting,
  };
}
