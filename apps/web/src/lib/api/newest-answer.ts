import { ApolloLink } from '@apollo/client';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { map, Observable, shareReplay, tap } from 'rxjs';

interface Asked {
  /** Requests that have not ended. */
  open: number;
  newest: number;
  answer: ApolloLink.Result | undefined;
  /** The request that has not been answered, for whoever asks the same before there is news. */
  underWay: { readonly news: number; readonly answers: Observable<ApolloLink.Result> } | undefined;
}

let news = 0;

/** Something has changed: an answer that is under way may be of before. */
export function noteNews(): void {
  news += 1;
}

/**
 * Answers to the same question come in the order in which it was asked: whoever waits for an older one that comes late is given the newer one,
 * and nothing on the screen goes back in time. Who asks what is asked already waits for the same answer, unless something was done or told meanwhile:
 * that answer may know nothing of it.
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
