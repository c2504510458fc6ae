import type { OperationVariables, TypedDocumentNode } from '@apollo/client';

import { useSubscription } from '@apollo/client/react';
import { getOperationAST } from 'graphql';
import { useCallback, useEffect, useRef } from 'react';
import { noteNews } from './newest-answer';

/** Time for the first reads to come, and for whoever only passes by to be gone. */
const SETTLES_AFTER = 1_000;

/** In milliseconds: the signal of what was done here follows the answer to it within a tenth of that as a rule. */
const SIGNAL_WITHIN = 500;

const waiting = new Map<string, Set<() => void>>();

/** Tells one subscription from another. */
export const subscriptionKey = (operation: string, variables: unknown): string =>
  `${operation} ${JSON.stringify(variables ?? {})}`;

/** The api listens for it from now on, as it says after each connection. */
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
 * Calls `reread` at every signal of a subscription, and once more whenever the api confirms that it listens: what happened between the
 * screen's first read and that moment, or while the socket was down, was told to nobody.
 * @returns to be called after an act of the reader: reads again at its signal, and without one where none comes soon
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
    // Some subscriptions send a signal as they begin: the reading that follows includes it.
    onData: () => settling.current === undefined && rereadNow(),
  });
  useEffect(() => () => clearTimeout(expected.current), []);
  return useCallback(() => {
    expected.current ??= setTimeout(rereadNow, SIGNAL_WITHIN);
  }, [rereadNow]);
}
