import { ServerError, ServerParseError } from '@apollo/client/errors';
import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { concatMap, type Observable, of, timer } from 'rxjs';
import { isReached } from './connection';
import { unavailableStatuses } from './until-answered';

/** No answer, or only a proxy's. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError ||
  ((ServerError.is(error) || ServerParseError.is(error)) && unavailableStatuses.has(error.statusCode));

/** Not sent for lack of a connection, whose return will be noticed. */
export const isOfflineError = (error: unknown): boolean => isUnanswered(error) && !isReached();

/**
 * Delays between attempts. The API reports an unavailable component within three seconds, and it is usually back soon
 * after.
 */
const RETRY_DELAYS_MS = [500, 2_000] as const;

/** The log or the database did not answer. An error with a rule is a deliberate refusal. */
function isUnavailable({ errors }: ApolloLink.Result): boolean {
  const extensions = errors?.[0]?.extensions;
  return extensions?.['code'] === 'UNAVAILABLE' && extensions['rule'] === undefined;
}

/**
 * Retries a mutation while a component of the server is unavailable, with the same idempotency key. The call stays
 * pending, so the form keeps what was typed.
 */
export function retryUnavailable(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (operation.operationType !== OperationTypeNode.MUTATION) return forward(operation);
    const attempt = (tries: number): Observable<ApolloLink.Result> =>
      forward(operation).pipe(
        concatMap((answer) => {
          const pause = RETRY_DELAYS_MS[tries];
          if (pause === undefined || !isUnavailable(answer)) return of(answer);
          // Jitter, so that not everyone retries at once after an outage.
          return timer(pause * (0.5 + Math.random() / 2)).pipe(concatMap(() => attempt(tries + 1)));
        }),
      );
    return attempt(0);
  });
}
