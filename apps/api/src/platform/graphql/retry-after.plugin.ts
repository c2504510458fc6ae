import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import type { RequestContext } from './request-context.js';

/** Says in the header of a refusal, too, how long its limit lasts: clients that know no GraphQL wait by it. In seconds (RFC 9110, 10.2.3). */
export function retryAfterPlugin(): ApolloServerPlugin<RequestContext> {
  const listener: GraphQLRequestListener<RequestContext> = {
    willSendResponse({ response: { body, http } }) {
      if (body.kind !== 'single') return Promise.resolve();
      const waits = (body.singleResult.errors ?? []).flatMap(({ extensions }) => {
        const params = extensions?.['params'] as Readonly<Record<string, unknown>> | undefined;
        const seconds = extensions?.['code'] === 'TOO_MANY_REQUESTS' ? params?.['seconds'] : undefined;
        return typeof seconds === 'number' ? [seconds] : [];
      });
      if (waits.length > 0) http.headers.set('retry-after', String(Math.max(...waits)));
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
