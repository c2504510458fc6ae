import type { BenchContext } from '../bench-context.js';
import { CONNECTIONS, distribute, load, medianOf } from '../load.js';
import { withProduct } from '../product.js';
import type { Answers, LoadRequest, LoadResult } from '../programs/load.js';
import { atLeast, type Measurement } from '../report.js';

const GOAL_OF_BARE = 0.6;
/** Concurrent requests to collect ETags. */
const TAG_REQUESTS = 16;

interface Contestant {
  readonly figure: string;
  readonly answers: Answers;
  readonly requests: readonly LoadRequest[];
}

/** Questions as HTML for crawlers, first without and then with their ETags, compared with bare SQL for the same rows. */
export async function measurePublicPages(context: BenchContext): Promise<readonly Measurement[]> {
  const { repeats, seconds, log } = context;
  return withProduct(context, async ({ url, bareUrl, cast }) => {
    const paths = cast.questions.map(({ questionId }) => `/question/${questionId}`);
    const contestants: readonly Contestant[] = [
      { figure: 'public question as HTML', answers: 'html', requests: paths.map((path) => get(path)) },
      {
        figure: 'unchanged public question',
        answers: 'unchanged',
        requests: await withTags(url, paths),
      },
    ];
    const bareRequests = paths.map((path) => get(`${path}/-`));
    const measurements: Measurement[] = [];
    for (const { figure, answers, requests } of contestants) {
      log(`${figure} with ${CONNECTIONS} connections`);
      const [own, bare]: [LoadResult[], LoadResult[]] = [[], []];
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        bare.push(await load({ url: bareUrl, seconds, connections: distribute(bareRequests) }));
        own.push(await load({ url, seconds, connections: distribute(requests), answers }));
      }
      measurements.push(...measurementsOf(figure, medianOf(own), medianOf(bare)));
    }
    return measurements;
  });
}

function measurementsOf(figure: string, own: LoadResult, bare: LoadResult): readonly Measurement[] {
  const limitOf = (value: number) => ({ what: 'bare SQL for its rows', value });
  const what = `${CONNECTIONS} connections`;
  return [
    {
      ...{ figure, what, value: own.perSecond, unit: 'requests/s', limit: limitOf(bare.perSecond) },
      goal: atLeast(own.perSecond, GOAL_OF_BARE * bare.perSecond, 'requests/s'),
    },
    { figure, what: `${what}, p50`, value: own.p50, unit: 'ms', limit: limitOf(bare.p50) },
    { figure, what: `${what}, p99`, value: own.p99, unit: 'ms', limit: limitOf(bare.p99) },
  ];
}

const get = (path: string, headers?: LoadRequest['headers']): LoadRequest => ({
  path,
  method: 'GET',
  headers: { accept: 'text/html', ...headers },
});

async function withTags(url: string, paths: readonly string[]): Promise<readonly LoadRequest[]> {
  const remaining = [...paths];
  const requests: LoadRequest[] = [];
  const ask = async (): Promise<void> => {
    for (let path = remaining.pop(); path !== undefined; path = remaining.pop()) {
      const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
      await response.arrayBuffer();
      const etag = response.headers.get('etag');
      if (etag === null) throw new Error(`${path} has no ETag`);
      requests.push(get(path, { 'if-none-match': etag }));
    }
  };
  await Promise.all(Array.from({ length: TAG_REQUESTS }, ask));
  return requests;
}
