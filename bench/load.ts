import { once } from 'node:events';
import { forkBenchProgram } from './programs/children.js';
import type { LoadPlan, LoadRequest, LoadResult } from './programs/load.js';
import { median } from './sampling.js';
import type { Said } from './web-operations.js';

export const CONNECTIONS = 16;

/** @throws Error where an answer was not 200 or carried an error: a fast refusal is no result */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = forkBenchProgram('load');
  child.send(plan);
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the load ended without a result');
    }),
  ])) as [LoadResult];
  if (message.failed > 0) throw new Error(`${message.failed} answers of ${plan.url} were failures`);
  return message;
}

export const medianOf = (results: readonly LoadResult[]): LoadResult => ({
  perSecond: median(results.map(({ perSecond }) => perSecond)),
  p50: median(results.map(({ p50 }) => p50)),
  p99: median(results.map(({ p99 }) => p99)),
  failed: 0,
});

/** Deals the requests out, so that no two connections send the same one at the same time. */
export function dealt<Request>(requests: readonly Request[], connections = CONNECTIONS): Request[][] {
  return Array.from({ length: connections }, (_, connection) =>
    requests.filter((_request, index) => index % connections === connection),
  );
}

/** @param student who is signed in with the token: a server without sessions is told so */
export const graphqlRequest = (
  token: string,
  said: Said,
  variables: object,
  student?: string,
): LoadRequest => ({
  path: '/graphql',
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...(student !== undefined && { 'x-student': student }),
  },
  body: JSON.stringify({ ...said, variables }),
});
