import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ApiError } from '../errors/api-error.js';
import type { Metrics } from '../operations/metrics.js';
import { noteBudget } from '../rate-limit/budgets.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';
import { whenGone } from '../runtime/when-gone.js';
import { asGraphql } from './as-graphql.js';
import { answerBytes } from './answer-bytes.js';
import { AnswerRoom, type Leave } from './answer-room.js';
import { PIECE_BYTES, type LargeAnswers } from './large-answers.js';
import { knownWeightOf } from './document-weight.js';
import { ANSWER_TOO_LARGE, BUDGET_RULES, overBudget, QUERY_LIMITS } from './query-limits.rule.js';
import type { RequestContext } from './request-context.js';
import { UnreadAnswers } from './unread-answers.js';

type Format = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

interface Watchers {
  readonly metrics: Metrics;
  readonly limiter: RateLimiter;
  readonly largeAnswers: LargeAnswers;
  readonly format: Format;
}

/** What one request may cost, those of one client in a minute, and all of them at once: nothing is read for one that asks for too much. */
export function answerBudgetPlugin({
  metrics,
  limiter,
  largeAnswers,
  format,
}: Watchers): ApolloServerPlugin<RequestContext> {
  const room = new AnswerRoom();
  const unread = new UnreadAnswers();
  const leaves = new WeakMap<RequestContext, Leave>();
  const costs = new WeakMap<RequestContext, number>();
  const leave = (context: RequestContext): void => leaves.get(context)?.();
  watch(metrics, room, unread);
  const listener: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ schema, document, operation, request, contextValue }) {
      if (!operation) return;
      const weight = knownWeightOf(schema, document, operation, request.variables);
      const refused = overBudget(weight);
      if (refused) throw refused;
      await count(limiter, contextValue, weight.cost);
      costs.set(contextValue, weight.cost);
      leaves.set(contextValue, await enter(room, contextValue, weight.bytes));
    },
    willSendResponse({ response, contextValue }) {
      const { body } = response;
      const bytes = body.kind === 'single' ? answerBytes(body.singleResult, QUERY_LIMITS.bytes) : 0;
      const heavier = costOfBytes(bytes) - (costs.get(contextValue) ?? 0);
      // This one is answered whatever is left of the minute, and the next one refused.
      if (heavier > 0) void count(limiter, contextValue, heavier).catch(() => undefined);
      const written = (): void => {
        leave(contextValue);
        if (contextValue.response) unread.hold(contextValue.response, bytes);
      };
      if (body.kind !== 'single') leave(contextValue);
      else if (bytes > QUERY_LIMITS.bytes) {
        leave(contextValue);
        body.singleResult = { errors: [format(ANSWER_TOO_LARGE.toJSON(), ANSWER_TOO_LARGE)] };
        response.http.status = 400;
        countRefusals(metrics, [ANSWER_TOO_LARGE]);
      } else if (bytes > PIECE_BYTES && body.singleResult.data && contextValue.response) {
        const { viewer, client, response: to } = contextValue;
        const gone = whenGone(to);
        // In case it is not written after all.
        gone.addEventListener('abort', () => leave(contextValue));
        largeAnswers.expect(body.singleResult.data, {
          client: viewer?.studentId ?? client,
          response: to,
          gone,
          written,
        });
      } else written();
      return Promise.resolve();
    },
    didEncounterErrors({ errors }) {
      countRefusals(metrics, errors);
      return Promise.resolve();
    },
  };
  return {
    contextCreationDidFail({ error }) {
      if (error instanceof GraphQLError) countRefusals(metrics, [error]);
      return Promise.resolve();
    },
    requestDidStart: () => Promise.resolve(listener),
    unexpectedErrorProcessingRequest({ requestContext }) {
      leave(requestContext.contextValue);
      return Promise.resolve();
    },
  };
}

function watch(metrics: Metrics, room: AnswerRoom, unread: UnreadAnswers): void {
  const help =
    'Bytes that answers may take that are being built, and of those that clients have not taken yet.';
  metrics.watch('nimo_answer_bytes', help, ['state'], (gauge) => {
    gauge.set({ state: 'built' }, room.bytes);
    gauge.set({ state: 'unread' }, unread.bytes);
  });
  metrics.watch('nimo_answers_waiting', 'Requests that wait for room for their answer.', [], (gauge) =>
    gauge.set(room.waiting),
  );
}

/** Notes what is left for who is signed in. @throws GraphQLError once somebody's documents together weigh more than a minute may */
async function count(limiter: RateLimiter, request: RequestContext, cost: number): Promise<void> {
  const { viewer, client } = request;
  const limit = limiter.scaled(viewer ? 'weight' : 'weightPerAddress');
  try {
    await limiter.useMany(limit, viewer?.studentId ?? client, cost);
  } catch (error) {
    throw asGraphql(error);
  } finally {
    if (viewer) noteBudget(request, limiter.budgetOf(limit, viewer.studentId));
  }
}

/** The largest answer weighs as much as the heaviest document. */
export const costOfBytes = (bytes: number): number =>
  Math.ceil((Math.min(bytes, QUERY_LIMITS.bytes) / QUERY_LIMITS.bytes) * QUERY_LIMITS.cost);

/** A client counts by who is signed in, so that a school behind one address is not one client. */
async function enter(room: AnswerRoom, request: RequestContext, bytes: number): Promise<Leave> {
  const { response, viewer, address } = request;
  try {
    return await room.enter(viewer?.studentId ?? address, bytes, () =>
      response ? whenGone(response) : new AbortController().signal,
    );
  } catch (error) {
    throw asGraphql(error);
  }
}

/** By the rule that refused: their names come from a list of ours. */
export function countRefusals(metrics: Metrics, errors: readonly GraphQLError[]): void {
  for (const { extensions, originalError } of errors) {
    const rule = originalError instanceof ApiError ? originalError.details.rule : extensions['rule'];
    if (typeof rule === 'string' && BUDGET_RULES.has(rule)) metrics.queryRefusals.inc({ rule });
  }
}
