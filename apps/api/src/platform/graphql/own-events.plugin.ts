import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import type { OwnEvents } from '../commands/own-events.js';
import type { RequestContext } from './request-context.js';

/** Has a student's query wait for what their commands were answered with before the read side had it. */
export function ownEventsPlugin(ownEvents: Pick<OwnEvents, 'seenBy'>): ApolloServerPlugin<RequestContext> {
  const listener: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ operation, contextValue: { viewer } }) {
      if (viewer && operation?.operation === OperationTypeNode.QUERY)
        await ownEvents.seenBy(viewer.studentId);
    },
  };
  // One listener for all requests: it holds no state of its own.
  return { requestDidStart: () => Promise.resolve(listener) };
}
