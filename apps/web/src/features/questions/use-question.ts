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

interface OpenQuestion {
  /** Null where it is not there (any more). */
  question: QuestionDetailFragment | null | undefined;
  error: Error | undefined;
  refetch: () => void;
  /** The reader has done something that changes it: it is read again, once. */
  noteAct: () => void;
}

/** Other validation errors are about the request: the page may be of another version. */
const saysGone = (error: unknown): boolean =>
  errorCode(error) === 'NOT_FOUND' || errorRule(error) === 'ID_MALFORMED';

/** The question from the cache: the list brings its first one whole. */
function useKeptQuestion(questionId: string): QuestionDetailFragment | undefined {
  const { data, dataState } = useFragment({
    fragment: QuestionDetailFragmentDoc,
    fragmentName: 'QuestionDetail',
    from: { __typename: 'Question', _id: questionId },
  });
  return dataState === 'complete' ? data : undefined;
}

/** A question with its comments and answers, in one request for all who need any of it. */
function useQuestionQuery(questionId: string, fetchPolicy: 'cache-and-network' | 'cache-first') {
  const isSignedIn = useAuthUser() !== null;
  const options = { variables: { questionId }, fetchPolicy } as const;
  const own = useQuery(OwnQuestionDocument, isSignedIn ? options : skipToken);
  const open = useQuery(PublicQuestionDocument, isSignedIn ? skipToken : options);
  const kept = useKeptQuestion(questionId);
  const { data, ...query } = isSignedIn
    ? { ...own, data: own.data && { question: own.data.getQuestionByIdWithUserAuthorization } }
    : { ...open, data: open.data && { question: open.data.getQuestionById } };
  return { ...query, hasAnswer: data !== undefined, question: data === undefined ? kept : data.question };
}

/** The question that is shown elsewhere on the screen already; nothing until it is there. */
export function useLoadedQuestion(questionId: string): QuestionDetailFragment | undefined {
  return useQuestionQuery(questionId, 'cache-first').question ?? undefined;
}

/** For what stands under a question and comes with it: how its part is read, and how the whole is read again. */
export function useWithQuestion(questionId: string) {
  const { hasAnswer, error, refetch } = useQuestionQuery(questionId, 'cache-first');
  const isAwaited = !hasAnswer && error === undefined;
  return { isAwaited, fetchPolicy: isAwaited ? 'standby' : 'cache-first', refetchAll: refetch } as const;
}

/** Reads the question by itself where something that stands under it could not be read; what it brings is kept as any question. */
function useQuestionAlone(questionId: string, isWanted: boolean): { isLoading: boolean } {
  const isSignedIn = useAuthUser() !== null;
  const options = { variables: { questionId, withRest: false } };
  const own = useQuery(OwnQuestionDocument, isWanted && isSignedIn ? options : skipToken);
  const open = useQuery(PublicQuestionDocument, isWanted && !isSignedIn ? options : skipToken);
  return { isLoading: own.loading || open.loading };
}

/** Reads an open question again, with everything that stands under it. */
function useReread(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    void client.refetchQueries({ include: ['OwnQuestion', 'PublicQuestion'] });
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
  const isRefused = errorCode(error) !== undefined && !isGone;
  const alone = useQuestionAlone(questionId, isRefused && question === undefined);
  const reread = useReread();
  const noteAct = useLive(QuestionUpdatedDocument, { variables: { questionId }, skip: isGone }, reread);
  return {
    question: isGone ? null : question,
    error: isGone || alone.isLoading ? undefined : error,
    refetch: useCallback(() => void refetch(), [refetch]),
    noteAct,
  };
}
