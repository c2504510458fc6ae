import type { ApolloServerOptions, ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { asGraphql, toApiError } from '../../errors/format-error.js';
import { budgetsOf, noteBudget, type RateLimiter } from '../../rate-limit/rate-limiter.js';
import { costOfForeign, nameTokenLimit } from '../documents/foreign-documents.js';
import type { RequestContext } from '../../auth/request-context.js';

/** Each request costs as much as an answer of 50 kB. */
export const REQUEST_COST = 500;
/** So much of an answer costs as much as a field that a foreign document asks for. */
const BYTES_PER_FIELD = 100;

export const costOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_FIELD);

type Limiter = Pick<RateLimiter, 'scaled' | 'useMany' | 'recordUse' | 'budgetOf'>;

interface RequestCosts {
  readonly plugin: ApolloServerPlugin<RequestContext>;
  readonly stringifyResult: NonNullable<ApolloServerOptions<RequestContext>['stringifyResult']>;
}

/**
 * Counts what the requests of a client cost together in a minute, and executes nothing beyond it: each request, the bytes of its answer
 * and what a foreign document asks for, which is bounded by itself as well.
 */
export function requestCosts(limiter: Limiter): RequestCosts {
  /** By the data of the answer, as that is all that is known where its text is made. */
  const clients = new WeakMap<object, RequestContext>();
  const listener: GraphQLRequestListener<RequestContext> = {
    parsingDidStart: () =>
      Promise.resolve((error?: Error) => {
        nameTokenLimit(error);
        return Promise.resolve();
      }),
    async didResolveOperation({ schema, document, operation, request, contextValue }) {
      if (!operation) return;
      const { isForeign } = contextValue;
      const asked = isForeign ? costOfForeign(schema, document, operation, request.variables) : 0;
      await charge(limiter, contextValue, REQUEST_COST + asked);
    },
    willSendResponse({ response: { body, http }, contextValue }) {
      sayBudgets(http.headers, contextValue);
      if (body.kind !== 'single') return Promise.resolve();
      const { data, errors = [] } = body.singleResult;
      if (data) clients.set(data, contextValue);
      const seconds = errors.flatMap(({ extensions }) => secondsToWait(extensions));
      if (seconds.length > 0) http.headers.set('retry-after', String(Math.max(...seconds)));
      return Promise.resolve();
    },
  };
  return {
    plugin: { requestDidStart: () => Promise.resolve(listener) },
    stringifyResult(answer) {
      const text = `${JSON.stringify(answer)}\n`;
      const client = answer.data && clients.get(answer.data);
      if (client) {
        const { limit, subject } = budgetFor(limiter, client);
        // This one is answered whatever is left of the minute, and the next one refused.
        void limiter.recordUse(limit, subject, costOfBytes(Buffer.byteLength(text))).catch(() => undefined);
      }
      return text;
    },
  };
}

/** @throws GraphQLError where a client's requests of a minute cost more than they may */
async function charge(limiter: Limiter, request: RequestContext, cost: number): Promise<void> {
  const { limit, subject } = budgetFor(limiter, request);
  try {
    await limiter.useMany(limit, subject, cost);
  } catch (error) {
    const known = toApiError(error);
    throw known ? asGraphql(known) : error;
  } finally {
    // An address is shared, and its budget would tell of others.
    if (request.viewer) noteBudget(request, limiter.budgetOf(limit, subject));
  }
}

const budgetFor = (limiter: Limiter, { viewer, client }: RequestContext) => ({
  limit: limiter.scaled(viewer ? 'cost' : 'costPerAddress'),
  subject: viewer?.studentId ?? client,
});

/** In `RateLimit` (IETF draft), what is left of each limit that counted the request, so that a program slows down before it is refused. */
function sayBudgets(headers: Map<string, string>, request: RequestContext): void {
  const budgets = budgetsOf(request);
  if (budgets.length === 0) return;
  const policy = budgets.map(({ name, most, seconds }) => `"${name}";q=${most};w=${seconds}`);
  const left = budgets.map((budget) => `"${budget.name}";r=${budget.left};t=${budget.secondsLeft}`);
  headers.set('ratelimit-policy', policy.join(', '));
  headers.set('ratelimit', left.join(', '));
}

/** For clients that know no GraphQL, which wait by the header `Retry-After`, in seconds (RFC 9110, 10.2.3). */
function secondsToWait(extensions: Readonly<Record<string, unknown>> | undefined): number[] {
  const params = extensions?.['params'] as Readonly<Record<string, unknown>> | undefined;
  const seconds = extensions?.['code'] === 'TOO_MANY_REQUESTS' ? params?.['seconds'] : undefined;
  return typeof seconds === 'number' ? [seconds] : [];
}
