import { useMutation } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
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

export type Direction = 'up' | 'down';

interface Vote {
  /** Votes, or takes one's own vote back; what is pressed while the other is under way is done after it. */
  vote: (direction: Direction) => void;
  pending: Direction | undefined;
}

/**
 * Votes on a post. The answer of the api carries the post as it is then, which the cache takes over.
 * @param mine one's own votes that are there
 */
export function useVote(kind: VotableKind, id: string, mine: Readonly<Record<Direction, boolean>>): Vote {
  const { t } = useTranslation('ask');
  const onError = (error: Error) => void toast.error(errorText(error));
  const [up] = useMutation(kind === 'question' ? UpvoteQuestionDocument : UpvoteAnswerDocument, { onError });
  const [down] = useMutation(kind === 'question' ? DownvoteQuestionDocument : DownvoteAnswerDocument, {
    onError,
  });
  const [pending, setPending] = useState<Direction>();
  const next = useRef<Direction>();
  // Only a question's vote gets a toast; what else happens is seen, and announced to who does not see it.
  const told = (takesBack: boolean, removed: string, onQuestion: string, onAnswer: string) => ({
    variables: { id },
    onCompleted: () => {
      if (takesBack) announce(removed);
      else if (kind === 'question') toast.success(onQuestion);
      else announce(onAnswer);
    },
  });
  const send = async (direction: Direction) => {
    setPending(direction);
    try {
      if (direction === 'up')
        await up(told(mine.up, t('vote.upvoteRemoved'), t('vote.upvoted'), t('vote.answerUpvoted')));
      else
        await down(
          told(mine.down, t('vote.downvoteRemoved'), t('vote.downvoted'), t('vote.answerDownvoted')),
        );
    } catch {
      // `onError` has said so, and what was to follow would fail as well.
      next.current = undefined;
    } finally {
      setPending(undefined);
    }
  };
  const sendNow = useRef(send);
  useEffect(() => {
    sendNow.current = send;
  });
  useEffect(() => {
    if (pending !== undefined || next.current === undefined) return;
    const direction = next.current;
    next.current = undefined;
    void sendNow.current(direction);
  }, [pending]);
  const vote = (direction: Direction) => {
    if (pending === undefined) void send(direction);
    else next.current = pending === direction ? undefined : direction;
  };
  return { vote, pending };
}
