import { ApolloLink } from '@apollo/client';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { map, Observable, shareReplay, tap } from 'rxjs';

interface QueryState {
  /** Pending requests. */
  open: number;
  newest: number;
  answer: ApolloLink.Result | undefined;
  /** The pending request that identical requests share until something changes. */
  pending: { readonly changeCount: number; readonly answers: Observable<ApolloLink.Result> } | undefined;
}

let changeCount = 0;

/** Something has changed: pending answers may be outdated. */
export function invalidatePendingAnswers(): void {
  changeCount += 1;
}

/**
 * Keeps answers to the same query in request order: a caller whose answer arrives late gets the newer one, so the
 * screen never goes back in time. Identical requests share a pending answer unless something changed meanwhile.
 */
export function newestAnswers(): ApolloLink {
  const queries = new Map<string, QueryState>();
  let count = 0;
  return new ApolloLink((operation, forward) => {
    if (getOperationAST(operation.query)?.operation !== OperationTypeNode.QUERY)
      return forward(operation).pipe(tap(invalidatePendingAnswers));
    const queryKey = `${operation.operationName ?? ''} ${JSON.stringify(operation.variables)}`;
    const state = queries.get(queryKey) ?? { open: 0, newest: 0, answer: undefined, pending: undefined };
    queries.set(queryKey, state);
    if (state.pending?.changeCount === changeCount) return state.pending.answers;
    count += 1;
    const own = count;
    const answers = new Observable<ApolloLink.Result>((observer) => {
      state.open += 1;
      const subscription = forward(operation)
        .pipe(
          map((answer) => {
            if (own < state.newest && state.answer) return state.answer;
            state.newest = own;
            state.answer = answer;
            return answer;
          }),
        )
        .subscribe(observer);
      return () => {
        subscription.unsubscribe();
        state.open -= 1;
        if (state.pending?.answers === answers) state.pending = undefined;
        if (state.open === 0) queries.delete(queryKey);
      };
    }).pipe(shareReplay({ bufferSize: 1, refCount: true }));
    state.pending = { changeCount, answers };
    return answers;
  });
}
