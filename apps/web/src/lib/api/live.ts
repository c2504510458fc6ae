import type { OperationVariables, TypedDocumentNode } from '@apollo/client';

import { useSubscription } from '@apollo/client/react';
import { getOperationAST } from 'graphql';
import { useCallback, useEffect, useRef } from 'react';
import { invalidatePendingAnswers } from './newest-answer';

/** Leaves time for the first reads, and skips readers who only pass by. */
const SETTLE_DELAY_MS = 1_000;

/** In milliseconds. The signal of one's own change usually follows the response within a tenth of this. */
const SIGNAL_TIMEOUT_MS = 500;

const listenersByKey = new Map<string, Set<() => void>>();

/** Tells subscriptions apart. */
export const subscriptionKey = (operation: string, variables: unknown): string =>
  `${operation} ${JSON.stringify(variables ?? {})}`;

/** Sent after each connection: the API is listening from now on. */
export function confirmListening(key: string): void {
  listenersByKey.get(key)?.forEach((listening) => listening());
}

function whenListening(key: string, listening: () => void): () => void {
  const known = listenersByKey.get(key) ?? new Set();
  listenersByKey.set(key, known.add(listening));
  return () => {
    known.delete(listening);
    if (known.size === 0) listenersByKey.delete(key);
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
  const settleTimer = useRef<ReturnType<typeof setTimeout>>();
  const signalTimer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(reread);
  useEffect(() => {
    latest.current = reread;
  });
  const rereadNow = useCallback(() => {
    clearTimeout(settleTimer.current);
    clearTimeout(signalTimer.current);
    signalTimer.current = settleTimer.current = undefined;
    invalidatePendingAnswers();
    latest.current();
  }, []);
  const key = subscriptionKey(getOperationAST(document)?.name?.value ?? '', variables);
  useEffect(() => {
    if (skip) return undefined;
    const stop = whenListening(key, () => {
      clearTimeout(settleTimer.current);
      settleTimer.current = setTimeout(rereadNow, SETTLE_DELAY_MS);
    });
    return () => {
      stop();
      clearTimeout(settleTimer.current);
      settleTimer.current = undefined;
    };
  }, [key, skip, rereadNow]);
  useSubscription<Data>(document, {
    variables,
    skip,
    ignoreResults: true,
    // Some subscriptions signal as they start: the read that follows covers it.
    onData: () => settleTimer.current === undefined && rereadNow(),
  });
  useEffect(() => () => clearTimeout(signalTimer.current), []);
  return useCallback(() => {
    signalTimer.current ??= setTimeout(rereadNow, SIGNAL_TIMEOUT_MS);
  }, [rereadNow]);
}
