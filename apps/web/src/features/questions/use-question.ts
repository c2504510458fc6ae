import { skipToken, useApolloClient, useFragment, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import {
  OwnQuestionDocument,
  PublicQuestionDocument,
  QuestionDetailFragmentDoc,
  QuestionUpdatedDocument,
  type QuestionDetailFragment,
} from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { errorCode, errorRule } from '../../lib/api/errors';
import { useLive } from '../../lib/api/live';
import { refetchSpaceStanding } from '../../lib/api/space-standing';

interface OpenQuestion {
  /** Null if it does not exist or was removed. */
  question: QuestionDetailFragment | null | undefined;
  error: Error | undefined;
  refetch: () => void;
  /** Refetches once after a change by the reader. */
  notifyChange: () => void;
}

/** Other validation errors concern the request: the page may be from another version. */
const isGoneError = (error: unknown): boolean =>
  errorCode(error) === 'NOT_FOUND' || errorRule(error) === 'ID_MALFORMED';

/** The question from the cache: the list includes its first question in full. */
function useCachedQuestion(questionId: string): QuestionDetailFragment | undefined {
  const { data, dataState } = useFragment({
    fragment: QuestionDetailFragmentDoc,
    fragmentName: 'QuestionDetail',
    from: { __typename: 'Question', _id: questionId },
  });
  return dataState === 'complete' ? data : undefined;
}

/** Loads a question with its comments and answers in one shared request. */
function useQuestionQuery(questionId: string, fetchPolicy: 'cache-and-network' | 'cache-first') {
  const isSignedIn = useAuthUser() !== null;
  const options = { variables: { questionId }, fetchPolicy } as const;
  const own = useQuery(OwnQuestionDocument, isSignedIn ? options : skipToken);
  const open = useQuery(PublicQuestionDocument, isSignedIn ? skipToken : options);
  const cached = useCachedQuestion(questionId);
  const { data, ...query } = isSignedIn
    ? { ...own, data: own.data && { question: own.data.getQuestionByIdWithUserAuthorization } }
    : { ...open, data: open.data && { question: open.data.getQuestionById } };
  return { ...query, hasAnswer: data !== undefined, question: data === undefined ? cached : data.question };
}

/** A question already loaded elsewhere on the screen; undefined until then. */
export function useLoadedQuestion(questionId: string): QuestionDetailFragment | undefined {
  return useQuestionQuery(questionId, 'cache-first').question ?? undefined;
}

/** For parts of a question that are loaded with it: their fetch policy, and a refetch of the whole. */
export function useQuestionPart(questionId: string) {
  const { hasAnswer, error, refetch } = useQuestionQuery(questionId, 'cache-first');
  const isAwaited = !hasAnswer && error === undefined;
  return { isAwaited, fetchPolicy: isAwaited ? 'standby' : 'cache-first', refetchAll: refetch } as const;
}

/** Loads only the question, into the cache, if its comments or answers failed. */
function useQuestionOnly(questionId: string, isEnabled: boolean): { isLoading: boolean } {
  const isSignedIn = useAuthUser() !== null;
  const options = { variables: { questionId, withRest: false } };
  const own = useQuery(OwnQuestionDocument, isEnabled && isSignedIn ? options : skipToken);
  const open = useQuery(PublicQuestionDocument, isEnabled && !isSignedIn ? options : skipToken);
  return { isLoading: own.loading || open.loading };
}

/** Refetches an open question with its comments and answers. */
function useRefetchQuestion(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    void client.refetchQueries({ include: ['OwnQuestion', 'PublicQuestion'] });
  }, [client]);
}

const refused: ReadonlySet<string | undefined> = new Set(['NOT_FOUND', 'FORBIDDEN']);

/** Refetches after a refusal: the post may be gone, or the reader may no longer take part. */
export function useRefetchIfRefused(): (error: unknown) => void {
  const client = useApolloClient();
  const refetchQuestion = useRefetchQuestion();
  return useCallback(
    (error) => {
      if (!refused.has(errorCode(error))) return;
      refetchQuestion();
      refetchSpaceStanding(client);
    },
    [client, refetchQuestion],
  );
}

/** A question, refetched whenever the API signals a change. */
export function useQuestion(questionId: string): OpenQuestion {
  const { question, error, refetch } = useQuestionQuery(questionId, 'cache-and-network');
  const isGone = isGoneError(error) || question === null;
  const isRefused = errorCode(error) !== undefined && !isGone;
  const alone = useQuestionOnly(questionId, isRefused && question === undefined);
  const refetchQuestion = useRefetchQuestion();
  const notifyChange = useLive(
    QuestionUpdatedDocument,
    { variables: { questionId }, skip: isGone },
    refetchQuestion,
  );
  return {
    question: isGone ? null : question,
    error: isGone || alone.isLoading ? undefined : error,
    refetch: useCallback(() => void refetch(), [refetch]),
    notifyChange,
  };
}
