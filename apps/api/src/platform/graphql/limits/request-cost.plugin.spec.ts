import { ApolloServer } from '@apollo/server';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@nimo/domain';
import { GraphQLError } from 'graphql';
import { LIMITS } from '../../rate-limit/limits.js';
import { errorFormatter } from '../../errors/format-error.js';
import type { RequestContext } from '../../auth/request-context.js';
import { costOfBytes, REQUEST_COST, requestCosts } from './request-cost.plugin.js';

/** Ten levels and more, and more aliases and fields than a foreign document may have. */
const LARGE = `{ ${Array.from('abcdefgh', (name) => `${name}: posts(limit: 100) { ${'posts(limit: 100) { '.repeat(10)} _id ${'}'.repeat(10)} }`).join(' ')} }`;

/** A server that counts what is charged, and refuses beyond a budget. */
function serverWith(budget = Infinity) {
  const charged: { readonly limit: string; readonly subject: string; readonly cost: number }[] = [];
  const { plugin, stringifyResult } = requestCosts({
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
    if (body.kind !== 'single') throw new Error('the answer comes in parts');
    const text = await stringifyResult(body.singleResult);
    return { ...body.singleResult, text, retryAfter: http.headers.get('retry-after') };
  };
  return { charged, ask };
}

const viewer = { studentId: 'ada' } as RequestContext['viewer'];

describe('what a request costs', () => {
  it('is the request and the bytes of its answer, by account or by address', async () => {
    const { ask, charged } = serverWith();
    const { text } = await ask('{ text }', { viewer });
    expect(charged).toEqual([
      { limit: 'cost', subject: 'ada', cost: REQUEST_COST },
      { limit: 'cost', subject: 'ada', cost: costOfBytes(text.length) },
    ]);
    expect(costOfBytes(text.length)).toBeGreaterThanOrEqual(10);
    await ask('{ text }', {});
    expect(charged[2]).toEqual({ limit: 'cost-address', subject: 'there', cost: REQUEST_COST });
  });

  it('has the fields of a foreign document in addition', async () => {
    const { ask, charged } = serverWith();
    await ask('{ posts(limit: 20) { _id } }', { isForeign: true });
    expect(charged[0]?.cost).toBe(REQUEST_COST + 21);
  });

  it('is not looked for in an own document, whatever its shape', async () => {
    const { ask, charged } = serverWith();
    const answer = await ask(LARGE, { isForeign: false });
    expect(answer.data).toHaveProperty('a');
    expect(charged[0]?.cost).toBe(REQUEST_COST);
    const foreign = await ask(LARGE, { isForeign: true });
    expect(foreign.data).toBeUndefined();
    expect(foreign.errors?.[0]?.extensions?.['rule']).toBe('QUERY_TOO_DEEP');
  });

  it('is refused when it is more than is left, and says how long to wait', async () => {
    const { ask } = serverWith(REQUEST_COST + 5);
    expect((await ask('{ text }', { viewer })).data).toBeDefined();
    const { data, errors, retryAfter } = await ask('{ text }', { viewer });
    expect(data).toBeUndefined();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'TOO_MANY_REQUESTS', rule: 'ASKED_TOO_MUCH' });
    expect(retryAfter).toBe('7');
    expect(errors).not.toContainEqual(expect.any(GraphQLError));
  });
});
