import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { Kind, type OperationDefinitionNode } from 'graphql';
import type { Metrics } from '../operations/metrics.js';
import type { Tracing } from '../operations/tracing.js';
import type { RequestContext } from './request-context.js';

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

/** Times every request by what it asks for, and names its span so. */
export function metricsPlugin(metrics: Metrics, tracing: Tracing): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart() {
      const end = metrics.graphqlSeconds.startTimer();
      let operation = 'invalid';
      const listener: GraphQLRequestListener<RequestContext> = {
        didResolveOperation(request) {
          operation = operationLabel(request.operation);
          tracing.rename(`graphql ${operation}`);
          return Promise.resolve();
        },
        willSendResponse() {
          end({ operation });
          return Promise.resolve();
        },
      };
      return Promise.resolve(listener);
    },
  };
}
