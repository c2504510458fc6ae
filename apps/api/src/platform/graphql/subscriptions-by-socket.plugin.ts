import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, OperationTypeNode } from 'graphql';

/** A subscription by HTTP would be executed as if it were a query, and its missing answer be told as a fault of ours. */
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
