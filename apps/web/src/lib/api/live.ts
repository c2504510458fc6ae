import type { OperationVariables, TypedDocumentNode } from '@apollo/client';

import { useSubscription } from '@apollo/client/react';
import { getOperationAST } from 'graphql';
import { useCallback, useEffect, useRef } from 'react';
import { noteNews } from './newest-answer';

/** Leaves time for the first reads, and skips readers who only pass by. */
const SETTLES_AFTER = 1_000;

/** In milliseconds. The signal of one's own change usually follows the response within a tenth of this. */
const SIGNAL_WITHIN = 500;

const waiting = new Map<string, Set<() => void>>();

/** Tells subscriptions apart. */
export const subscriptionKey = (operation: string, variables: unknown): string =>
  `${operation} ${JSON.stringify(variables ?? {})}`;

/** Sent after each connection: the API is listening from now on. */
export function noteListening(key: string): void {
  waiting.get(key)?.forEach((listening) => listening());
}

function whenListening(key: string, listening: () => void): () => void {
  const known = waiting.get(key) ?? new Set();
  waiting.set(key, known.add(listening));
  return () => {
    known.delete(listening);
    if (known.size === 0) waiting.delete(key);
  };
}

/**
 * Calls `reread` at every signal of a subscription, and whenever the API confirms that it is listening, because
 * nothing was signalled between the screen's first read and that moment or while the socket was down.
 * @returns call it after one's own change: rereads at its signal, or after a short wait without one
 */
export function useLive<Data, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { variables, skip = false }: { variables: Variables; skip?: boolean },
  reread: () => void,
): () => void {
  const settling = useRef<ReturnType<typeof setTimeout>>();
  const expected = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(reread);
  useEffect(() => {
    latest.current = reread;
  });
  const rereadNow = useCallback(() => {
    clearTimeout(settling.current);
    clearTimeout(expected.current);
    expected.current = settling.current = undefined;
    noteNews();
    latest.current();
  }, []);
  const key = subscriptionKey(getOperationAST(document)?.name?.value ?? '', variables);
  useEffect(() => {
    if (skip) return undefined;
    const stop = whenListening(key, () => {
      clearTimeout(settling.current);
      settling.current = setTimeout(rereadNow, SETTLES_AFTER);
    });
    return () => {
      stop();
      clearTimeout(settling.current);
      settling.current = undefined;
    };
  }, [key, skip, rereadNow]);
  useSubscription<Data>(document, {
    variables,
    skip,
    ignoreResults: true,
    // Some subscriptions signal as they start: the read that follows covers it.
    onData: () => settling.current === undefined && rereadNow(),
  });
  useEffect(() => () => clearTimeout(expected.current), []);
  return useCallback(() => {
    expected.current ??= setTimeout(rereadNow, SIGNAL_WITHIN);
  }, [rereadNow]);
}
