import { ApolloLink } from '@apollo/client';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { map, Observable, shareReplay, tap } from 'rxjs';

interface Asked {
  /** Pending requests. */
  open: number;
  newest: number;
  answer: ApolloLink.Result | undefined;
  /** The pending request that identical requests share until something changes. */
  underWay: { readonly news: number; readonly answers: Observable<ApolloLink.Result> } | undefined;
}

let news = 0;

/** Something has changed: pending answers may be outdated. */
export function noteNews(): void {
  news += 1;
}

/**
 * Keeps answers to the same query in request order: a caller whose answer arrives late gets the newer one, so the
 * screen never goes back in time. Identical requests share a pending answer unless something changed meanwhile.
 */
export function newestAnswers(): ApolloLink {
  const byQuestion = new Map<string, Asked>();
  let count = 0;
  return new ApolloLink((operation, forward) => {
    if (getOperationAST(operation.query)?.operation !== OperationTypeNode.QUERY)
      return forward(operation).pipe(tap(noteNews));
    const question = `${operation.operationName ?? ''} ${JSON.stringify(operation.variables)}`;
    const asked = byQuestion.get(question) ?? { open: 0, newest: 0, answer: undefined, underWay: undefined };
    byQuestion.set(question, asked);
    if (asked.underWay?.news === news) return asked.underWay.answers;
    count += 1;
    const own = count;
    const answers = new Observable<ApolloLink.Result>((observer) => {
      asked.open += 1;
      const subscription = forward(operation)
        .pipe(
          map((answer) => {
            if (own < asked.newest && asked.answer) return asked.answer;
            asked.newest = own;
            asked.answer = answer;
            return answer;
          }),
        )
        .subscribe(observer);
      return () => {
        subscription.unsubscribe();
        asked.open -= 1;
        if (asked.underWay?.answers === answers) asked.underWay = undefined;
        if (asked.open === 0) byQuestion.delete(question);
      };
    }).pipe(shareReplay({ bufferSize: 1, refCount: true }));
    asked.underWay = { news, answers };
    return answers;
  });
}
