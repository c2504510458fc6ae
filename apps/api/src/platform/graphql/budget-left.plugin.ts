import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { budgetsOf } from '../rate-limit/budgets.js';
import type { RequestContext } from './request-context.js';

/** Says in `RateLimit` what is left of each limit that counted this request, so that a program slows down before it is refused (IETF draft). */
export function budgetLeftPlugin(): ApolloServerPlugin<RequestContext> {
  const listener: GraphQLRequestListener<RequestContext> = {
    willSendResponse({ response: { http }, contextValue }) {
      const budgets = budgetsOf(contextValue);
      if (budgets.length === 0) return Promise.resolve();
      const policy = budgets.map(({ name, most, seconds }) => `"${name}";q=${most};w=${seconds}`);
      const left = budgets.map((budget) => `"${budget.name}";r=${budget.left};t=${budget.secondsLeft}`);
      http.headers.set('ratelimit-policy', policy.join(', '));
      http.headers.set('ratelimit', left.join(', '));
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
