import { ServerError, ServerParseError } from '@apollo/client/errors';
import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { concatMap, type Observable, of, timer } from 'rxjs';
import { isReached } from './connection';
import { awayStatus } from './until-answered';

/** Nobody answered, or only a proxy did. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError ||
  ((ServerError.is(error) || ServerParseError.is(error)) && awayStatus.has(error.statusCode));

/** It could not be sent for want of a connection, whose return will be noticed. */
export const isLostSending = (error: unknown): boolean => isUnanswered(error) && !isReached();

/** Between the tries. The api itself says within three seconds that a part is away, and is back soon after as a rule. */
const pauses = [500, 2_000] as const;

/** The log or the database did not answer. What has a rule was refused on purpose. */
function isAway({ errors }: ApolloLink.Result): boolean {
  const extensions = errors?.[0]?.extensions;
  return extensions?.['code'] === 'UNAVAILABLE' && extensions['rule'] === undefined;
}

/**
 * Sends what changes something again where a part of the server was away for a moment, under the same key, so that it is done once. What was
 * typed stays as it is meanwhile, as the call is still under way.
 */
export function retryAway(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (operation.operationType !== OperationTypeNode.MUTATION) return forward(operation);
    const ask = (tries: number): Observable<ApolloLink.Result> =>
      forward(operation).pipe(
        concatMap((answer) => {
          const pause = pauses[tries];
          if (pause === undefined || !isAway(answer)) return of(answer);
          // Not the same for everybody after an outage.
          return timer(pause * (0.5 + Math.random() / 2)).pipe(concatMap(() => ask(tries + 1)));
        }),
      );
    return ask(0);
  });
}
