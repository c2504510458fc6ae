import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  DownvoteAnswerDocument,
  DownvoteQuestionDocument,
  UpvoteAnswerDocument,
  UpvoteQuestionDocument,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';

export type VotableKind = 'question' | 'answer';

interface Vote {
  upvote: () => void;
  downvote: () => void;
  pending: boolean;
}

/** Votes on a post. The answer of the api carries the post as it is then, which the cache takes over. */
export function useVote(kind: VotableKind, id: string): Vote {
  const { t } = useTranslation('ask');
  // Only a question's vote is told about; an answer's is seen.
  const told = (message: string) => ({
    onCompleted: () => {
      if (kind === 'question') toast.success(message);
    },
    onError: (error: Error) => void toast.error(errorText(error)),
  });
  const [up, { loading: isUpvoting }] = useMutation(
    kind === 'question' ? UpvoteQuestionDocument : UpvoteAnswerDocument,
    told(t('vote.upvoted')),
  );
  const [down, { loading: isDownvoting }] = useMutation(
    kind === 'question' ? DownvoteQuestionDocument : DownvoteAnswerDocument,
    told(t('vote.downvoted')),
  );
  return {
    upvote: () => void up({ variables: { id } }),
    downvote: () => void down({ variables: { id } }),
    pending: isUpvoting || isDownvoting,
  };
}
