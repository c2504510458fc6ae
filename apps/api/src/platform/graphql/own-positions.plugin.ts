import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import type { OwnPositions } from '../commands/own-positions.js';
import type { RequestContext } from './request-context.js';

/** Makes a student's query wait for the student's own commands, or say that it is stale. */
export function ownPositionsPlugin(
  ownPositions: Pick<OwnPositions, 'seenBy'>,
): ApolloServerPlugin<RequestContext> {
  const listener: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ operation, contextValue: { viewer, freshness } }) {
      if (viewer && operation?.operation === OperationTypeNode.QUERY)
        await ownPositions.seenBy(viewer.studentId, freshness);
    },
  };
  // One listener for all requests: it holds no state of its own.
  return { requestDidStart: () => Promise.resolve(listener) };
}
