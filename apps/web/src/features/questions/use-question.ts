import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import {
  OwnQuestionDocument,
  PublicQuestionDocument,
  QuestionUpdatedDocument,
  type QuestionDetailFragment,
} from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { errorCode, errorRule } from '../../lib/errors';
import { useLive } from '../../lib/live';

interface OpenQuestion {
  /** Null where it is not there (any more). */
  question: QuestionDetailFragment | null | undefined;
  error: Error | undefined;
  refetch: () => void;
}

/** Other validation errors are about the request: the page may be of another version. */
const saysGone = (error: unknown): boolean =>
  errorCode(error) === 'NOT_FOUND' || errorRule(error) === 'ID_MALFORMED';

function useQuestionQuery(questionId: string, fetchPolicy: 'cache-and-network' | 'cache-first') {
  const isSignedIn = useAuthUser() !== null;
  const options = { variables: { questionId }, fetchPolicy } as const;
  const own = useQuery(OwnQuestionDocument, isSignedIn ? options : skipToken);
  const open = useQuery(PublicQuestionDocument, isSignedIn ? skipToken : options);
  return isSignedIn
    ? { ...own, question: own.data?.getQuestionByIdWithUserAuthorization }
    : { ...open, question: open.data?.getQuestionById };
}

/** The question that is shown elsewhere on the screen already; nothing until it is there. */
export function useLoadedQuestion(questionId: string): QuestionDetailFragment | undefined {
  return useQuestionQuery(questionId, 'cache-first').question ?? undefined;
}

/** Reads an open question again, with everything that stands under it. */
function useReread(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    void client.refetchQueries({
      include: ['OwnQuestion', 'PublicQuestion', 'AnswerList', 'QuestionComments'],
    });
  }, [client]);
}

const refused: ReadonlySet<string | undefined> = new Set(['NOT_FOUND', 'FORBIDDEN']);

/** For what the api does not take: the page may not know yet that the post is gone, or that its reader may not take part any more. */
export function useRereadIfRefused(): (error: unknown) => void {
  const reread = useReread();
  return useCallback(
    (error) => {
      if (refused.has(errorCode(error))) reread();
    },
    [reread],
  );
}

/** A question with what its reader may do; read again whenever the api says that something about it changed. */
export function useQuestion(questionId: string): OpenQuestion {
  const { question, error, refetch } = useQuestionQuery(questionId, 'cache-and-network');
  const isGone = saysGone(error) || question === null;
  const reread = useReread();
  useLive(QuestionUpdatedDocument, { variables: { questionId }, skip: isGone }, reread);
  return {
    question: isGone ? null : question,
    error: isGone ? undefined : error,
    refetch: useCallback(() => void refetch(), [refetch]),
  };
}
