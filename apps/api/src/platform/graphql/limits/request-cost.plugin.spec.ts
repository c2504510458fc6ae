import { ApolloServer } from '@apollo/server';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@nimo/domain';
import { GraphQLError } from 'graphql';
import { LIMITS } from '../../rate-limit/limits.js';
import { errorFormatter } from '../../errors/format-error.js';
import type { RequestContext } from '../../auth/request-context.js';
import { responseCost, REQUEST_COST, createRequestCosts } from './request-cost.plugin.js';

/** Exceeds the depth, alias and cost limits of untrusted documents. */
const LARGE = `{ ${Array.from('abcdefgh', (name) => `${name}: posts(limit: 100) { ${'posts(limit: 100) { '.repeat(10)} _id ${'}'.repeat(10)} }`).join(' ')} }`;

/** A server that records charges and rejects requests beyond a budget. */
function serverWith(budget = Infinity) {
  const charged: { readonly limit: string; readonly subject: string; readonly cost: number }[] = [];
  const { plugin, stringifyResult } = createRequestCosts({
    scaled: (name) => LIMITS[name],
    budgetOf: () => undefined,
    recordUse: (limit, subject, cost) => {
      charged.push({ limit: limit.name, subject, cost });
      return Promise.resolve();
    },
    useMany: (limit, subject, cost) => {
      const left = budget - charged.reduce((sum, { cost: each }) => sum + each, 0);
      charged.push({ limit: limit.name, subject, cost });
      return left >= cost
        ? Promise.resolve()
        : Promise.reject(new DomainError('ASKED_TOO_MUCH', { most: budget, seconds: 7 }));
    },
  });
  const server = new ApolloServer<RequestContext>({
    typeDefs:
      'type Post { _id: ID posts(limit: Int): [Post!]! } type Query { posts(limit: Int): [Post!]! text: String }',
    resolvers: { Query: { posts: () => [], text: () => 'x'.repeat(1_000) } },
    plugins: [plugin],
    stringifyResult,
    formatError: errorFormatter(
      () => undefined,
      () => undefined,
    ),
  });
  const ask = async (query: string, context: Partial<RequestContext>) => {
    const { body, http } = await server.executeOperation(
      { query },
      { contextValue: { viewer: null, client: 'there', ...context } as RequestContext },
    );
    if (body.kind !== 'single') throw new Error('the response is incremental');
    const text = await stringifyResult(body.singleResult);
    return { ...body.singleResult, text, retryAfter: http.headers.get('retry-after') };
  };
  return { charged, ask };
}

const viewer = { studentId: 'ada' } as RequestContext['viewer'];

describe('the cost of a request', () => {
  it('is the request and the size of its response, charged to the account or address', async () => {
    const { ask, charged } = serverWith();
    const { text } = await ask('{ text }', { viewer });
    expect(charged).toEqual([
      { limit: 'cost', subject: 'ada', cost: REQUEST_COST },
      { limit: 'cost', subject: 'ada', cost: responseCost(text.length) },
    ]);
    expect(responseCost(text.length)).toBeGreaterThanOrEqual(10);
    await ask('{ text }', {});
    expect(charged[2]).toEqual({ limit: 'cost-address', subject: 'there', cost: REQUEST_COST });
  });

  it('includes the fields of an untrusted document', async () => {
    const { ask, charged } = serverWith();
    await ask('{ posts(limit: 20) { _id } }', { hasUntrustedDocument: true });
    expect(charged[0]?.cost).toBe(REQUEST_COST + 21);
  });

  it('ignores the shape of a trusted document', async () => {
    const { ask, charged } = serverWith();
    const answer = await ask(LARGE, { hasUntrustedDocument: false });
    expect(answer.data).toHaveProperty('a');
    expect(charged[0]?.cost).toBe(REQUEST_COST);
    const foreign = await ask(LARGE, { hasUntrustedDocument: true });
    expect(foreign.data).toBeUndefined();
    expect(foreign.errors?.[0]?.extensions?.['rule']).toBe('QUERY_TOO_DEEP');
  });

  it('rejects the request when it exceeds the rest of the budget, with the wait', async () => {
    const { ask } = serverWith(REQUEST_COST + 5);
    expect((await ask('{ text }', { viewer })).data).toBeDefined();
    const { data, errors, retryAfter } = await ask('{ text }', { viewer });
    expect(data).toBeUndefined();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'TOO_MANY_REQUESTS', rule: 'ASKED_TOO_MUCH' });
    expect(retryAfter).toBe('7');
    expect(errors).not.toContainEqual(expect.any(GraphQLError));
  });
});
