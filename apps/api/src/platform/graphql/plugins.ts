import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, Kind, OperationTypeNode, type OperationDefinitionNode } from 'graphql';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { settle } from '../commands/freshness.js';
import { ApiError } from '../errors/api-error.js';
import type { Metrics } from '../operations/metrics.js';
import type { Tracing } from '../operations/tracing.js';
import type { RequestContext } from '../auth/request-context.js';

/**
 * The field of the schema that is asked for. A validated document can name no other, so there are as many values as the schema has
 * operations; the name that a client gives its document could be anything.
 */
export function operationLabel(operation: OperationDefinitionNode | undefined): string {
  if (!operation) return 'invalid';
  const { selections } = operation.selectionSet;
  const [first] = selections;
  if (first?.kind !== Kind.FIELD || selections.length > 1) return 'several';
  return first.name.value.startsWith('__') ? 'introspection' : first.name.value;
}

/** As `extensions.rule` names them: the label has no other values. */
export const REFUSAL_RULES: ReadonlySet<string> = new Set([
  'QUERY_TOO_WIDE',
  'QUERY_TOO_DEEP',
  'QUERY_TOO_LONG',
  'QUERY_TOO_COSTLY',
  'SUBSCRIPTIONS_AT_ONCE',
]);

/** Counts those that were refused as asking for too much, by their rule. */
export function countRefusals(metrics: Metrics, errors: readonly GraphQLError[]): void {
  for (const { extensions, originalError } of errors) {
    const rule = originalError instanceof ApiError ? originalError.details.rule : extensions['rule'];
    if (typeof rule === 'string' && REFUSAL_RULES.has(rule)) metrics.queryRefusals.inc({ rule });
  }
}

/** Times every request by what it asks for, and names its span so. */
export function metricsPlugin(metrics: Metrics, tracing: Tracing): ApolloServerPlugin<RequestContext> {
  return {
    contextCreationDidFail({ error }) {
      if (error instanceof GraphQLError) countRefusals(metrics, [error]);
      return Promise.resolve();
    },
    requestDidStart() {
      const end = metrics.graphqlSeconds.startTimer();
      let operation = 'invalid';
      return Promise.resolve({
        didResolveOperation(request) {
          operation = operationLabel(request.operation);
          tracing.rename(`graphql ${operation}`);
          return Promise.resolve();
        },
        didEncounterErrors({ errors }) {
          countRefusals(metrics, errors);
          return Promise.resolve();
        },
        willSendResponse() {
          end({ operation });
          return Promise.resolve();
        },
      });
    },
  };
}

/**
 * Says in `extensions.stale` that an answer may be older than its caller's own writes, and in `extensions.readAfter` what the caller's
 * next queries have to see: sent back as `x-read-after`, they say `stale` until they do.
 */
export function freshnessPlugin(
  waiter: Pick<ProjectionWaiter, 'standingOf' | 'waitFor'>,
): ApolloServerPlugin<RequestContext> {
  // One listener for all requests: it holds no state of its own.
  const listener: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ operation, contextValue: { freshness } }) {
      if (freshness.readAfter.size > 0 && operation?.operation === OperationTypeNode.QUERY)
        await settle(waiter, freshness);
    },
    willSendResponse({ contextValue: { freshness }, response: { body } }) {
      if (freshness.stale && body.kind === 'single')
        body.singleResult.extensions = {
          ...body.singleResult.extensions,
          stale: true,
          readAfter: Object.fromEntries(freshness.readAfter),
        };
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}

/** A subscription by HTTP would be executed as if it were a query, and its missing answer be reported as a fault of ours. */
export const subscriptionsBySocketPlugin: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ operation }) =>
        operation?.operation === OperationTypeNode.SUBSCRIPTION
          ? Promise.reject(
              new GraphQLError('Subscriptions go over a WebSocket (graphql-transport-ws).', {
                extensions: { code: 'BAD_USER_INPUT', rule: 'SOCKET_ONLY', http: { status: 400 } },
              }),
            )
          : Promise.resolve(),
    }),
};
