import type { ApolloServerOptions, ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { toGraphqlError, toApiError } from '../../errors/format-error.js';
import { budgetsOf, recordBudget, type RateLimiter } from '../../rate-limit/rate-limiter.js';
import { untrustedDocumentCost, tagTokenLimitError } from '../documents/untrusted-documents.js';
import type { RequestContext } from '../../auth/request-context.js';

/** Base cost of a request; as much as 50 kB of response. */
export const REQUEST_COST = 500;
/** Response bytes that cost as much as one field of an untrusted document. */
const BYTES_PER_FIELD = 100;

export const responseCost = (bytes: number): number => Math.ceil(bytes / BYTES_PER_FIELD);

type Limiter = Pick<RateLimiter, 'scaled' | 'useMany' | 'recordUse' | 'budgetOf'>;

interface RequestCosts {
  readonly plugin: ApolloServerPlugin<RequestContext>;
  readonly stringifyResult: NonNullable<ApolloServerOptions<RequestContext>['stringifyResult']>;
}

/**
 * Limits the cost of a client's requests per minute: a base cost per request, the size of its response and the fields of an untrusted
 * document.
 */
export function createRequestCosts(limiter: Limiter): RequestCosts {
  /** By response data, which is all `stringifyResult` receives. */
  const clients = new WeakMap<object, RequestContext>();
  const listener: GraphQLRequestListener<RequestContext> = {
    parsingDidStart: () =>
      Promise.resolve((error?: Error) => {
        tagTokenLimitError(error);
        return Promise.resolve();
      }),
    async didResolveOperation({ schema, document, operation, request, contextValue }) {
      if (!operation) return;
      const { hasUntrustedDocument } = contextValue;
      const documentCost = hasUntrustedDocument
        ? untrustedDocumentCost(schema, document, operation, request.variables)
        : 0;
      await charge(limiter, contextValue, REQUEST_COST + documentCost);
    },
    willSendResponse({ response: { body, http }, contextValue }) {
      setRateLimitHeaders(http.headers, contextValue);
      if (body.kind !== 'single') return Promise.resolve();
      const { data, errors = [] } = body.singleResult;
      if (data) clients.set(data, contextValue);
      const seconds = errors.flatMap(({ extensions }) => retryAfterSeconds(extensions));
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
        // This response is sent even if it exceeds the budget; the next request is rejected.
        void limiter.recordUse(limit, subject, responseCost(Buffer.byteLength(text))).catch(() => undefined);
      }
      return text;
    },
  };
}

/** @throws GraphQLError when the client exceeds its budget per minute */
async function charge(limiter: Limiter, request: RequestContext, cost: number): Promise<void> {
  const { limit, subject } = budgetFor(limiter, request);
  try {
    await limiter.useMany(limit, subject, cost);
  } catch (error) {
    const known = toApiError(error);
    throw known ? toGraphqlError(known) : error;
  } finally {
    // An address is shared: its budget would reveal the activity of others.
    if (request.viewer) recordBudget(request, limiter.budgetOf(limit, subject));
  }
}

const budgetFor = (limiter: Limiter, { viewer, client }: RequestContext) => ({
  limit: limiter.scaled(viewer ? 'cost' : 'costPerAddress'),
  subject: viewer?.studentId ?? client,
});

/** Sets `RateLimit` and `RateLimit-Policy` (IETF draft), so that programs slow down before they are rejected. */
function setRateLimitHeaders(headers: Map<string, string>, request: RequestContext): void {
  const budgets = budgetsOf(request);
  if (budgets.length === 0) return;
  const policy = budgets.map(({ name, max, seconds }) => `"${name}";q=${max};w=${seconds}`);
  const left = budgets.map((budget) => `"${budget.name}";r=${budget.left};t=${budget.secondsLeft}`);
  headers.set('ratelimit-policy', policy.join(', '));
  headers.set('ratelimit', left.join(', '));
}

/** Seconds for `Retry-After` (RFC 9110, 10.2.3), for clients that do not parse GraphQL errors. */
function retryAfterSeconds(extensions: Readonly<Record<string, unknown>> | undefined): number[] {
  const params = extensions?.['params'] as Readonly<Record<string, unknown>> | undefined;
  const seconds = extensions?.['code'] === 'TOO_MANY_REQUESTS' ? params?.['seconds'] : undefined;
  return typeof seconds === 'number' ? [seconds] : [];
}
