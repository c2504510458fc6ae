import { once } from 'node:events';
import { forkBenchProgram } from './programs/children.js';
import type { LoadPlan, LoadRequest, LoadResult } from './programs/load.js';
import { median } from './sampling.js';
import type { DocumentReference } from './web-operations.js';

export const CONNECTIONS = 16;

/** @throws Error for a response other than 200 or with errors: a fast rejection is not a result */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = forkBenchProgram('load');
  child.send(plan);
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the load generator exited without a result');
    }),
  ])) as [LoadResult];
  if (message.failed > 0) throw new Error(`${message.failed} requests to ${plan.url} failed`);
  return message;
}

export const medianOf = (results: readonly LoadResult[]): LoadResult => ({
  perSecond: median(results.map(({ perSecond }) => perSecond)),
  p50: median(results.map(({ p50 }) => p50)),
  p99: median(results.map(({ p99 }) => p99)),
  failed: 0,
});

/** Distributes requests over connections, so that no two send the same one at the same time. */
export function distribute<Request>(requests: readonly Request[], connections = CONNECTIONS): Request[][] {
  return Array.from({ length: connections }, (_, connection) =>
    requests.filter((_request, index) => index % connections === connection),
  );
}

/** @param student id of the signed-in student, for servers without sessions */
export const graphqlRequest = (
  token: string,
  reference: DocumentReference,
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
  body: JSON.stringify({ ...reference, variables }),
});
