import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, Kind, OperationTypeNode, type OperationDefinitionNode } from 'graphql';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { refreshStaleness } from '../commands/freshness.js';
import { ApiError } from '../errors/api-error.js';
import type { Metrics } from '../operations/metrics.js';
import type { Tracing } from '../operations/tracing.js';
import type { RequestContext } from '../auth/request-context.js';

/**
 * Metric label of an operation: its root field. Validated documents can only name schema fields, so cardinality is bounded; the operation
 * name a client chooses is not.
 */
export function operationLabel(operation: OperationDefinitionNode | undefined): string {
  if (!operation) return 'invalid';
  const { selections } = operation.selectionSet;
  const [first] = selections;
  if (first?.kind !== Kind.FIELD || selections.length > 1) return 'several';
  return first.name.value.startsWith('__') ? 'introspection' : first.name.value;
}

/** Values of `extensions.rule` used as metric labels. */
export const REFUSAL_RULES: ReadonlySet<string> = new Set([
  'QUERY_TOO_WIDE',
  'QUERY_TOO_DEEP',
  'QUERY_TOO_LONG',
  'QUERY_TOO_COSTLY',
  'SUBSCRIPTIONS_AT_ONCE',
]);

/** Counts errors about excessive requests by rule. */
export function countRefusals(metrics: Metrics, errors: readonly GraphQLError[]): void {
  for (const { extensions, originalError } of errors) {
    const rule = originalError instanceof ApiError ? originalError.details.rule : extensions['rule'];
    if (typeof rule === 'string' && REFUSAL_RULES.has(rule)) metrics.queryRejections.inc({ rule });
  }
}

/** Times every request by operation and names its span. */
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
 * Sets `extensions.stale` when a response may predate the caller's own writes, and `extensions.readAfter` to the positions that later
 * queries must reach: sent back as `x-read-after`, they make responses stale until then.
 */
export function freshnessPlugin(
  waiter: Pick<ProjectionWaiter, 'progressOf' | 'waitFor'>,
): ApolloServerPlugin<RequestContext> {
  // Stateless, so one listener serves all requests.
  const listener: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ operation, contextValue: { freshness } }) {
      if (freshness.readAfter.size > 0 && operation?.operation === OperationTypeNode.QUERY)
        await refreshStaleness(waiter, freshness);
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

/** Over HTTP, Apollo would execute a subscription as a query and report the missing result as an internal error. */
export const rejectHttpSubscriptionsPlugin: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ operation }) =>
        operation?.operation === OperationTypeNode.SUBSCRIPTION
          ? Promise.reject(
              new GraphQLError('Send subscriptions over a WebSocket (graphql-transport-ws).', {
                extensions: { code: 'BAD_USER_INPUT', rule: 'SOCKET_ONLY', http: { status: 400 } },
              }),
            )
          : Promise.resolve(),
    }),
};
