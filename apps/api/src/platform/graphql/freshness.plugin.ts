import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import type { RequestContext } from './request-context.js';

const LISTENER: GraphQLRequestListener<RequestContext> = {
  willSendResponse({ contextValue, response }) {
    if (contextValue.freshness.stale && response.body.kind === 'single') {
      const result = response.body.singleResult;
      result.extensions = { ...result.extensions, stale: true };
    }
    return Promise.resolve();
  },
};

/** Says in `extensions.stale` that a mutation answered before the read side had its event. */
export const freshnessPlugin: ApolloServerPlugin<RequestContext> = {
  // One listener for all requests: it holds no state of its own.
  requestDidStart: () => Promise.resolve(LISTENER),
};
