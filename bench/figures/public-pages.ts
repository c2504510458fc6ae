import type { BenchContext } from '../bench-context.js';
import { CONNECTIONS, dealt, load, medianOf } from '../load.js';
import { withProduct } from '../product.js';
import type { Answers, LoadRequest, LoadResult } from '../programs/load.js';
import { atLeast, type Measurement } from '../report.js';

const GOAL_OF_BARE = 0.6;
/** Bodies of this many answers are read at once where their tags are asked for. */
const TAGS_AT_ONCE = 16;

interface Contestant {
  readonly figure: string;
  readonly answers: Answers;
  readonly requests: readonly LoadRequest[];
}

/** A question as HTML, as crawlers ask for it: each for the first time, and again with the tag that it had, beside bare SQL for its rows. */
export async function measurePublicPages(context: BenchContext): Promise<readonly Measurement[]> {
  const { repeats, seconds, log } = context;
  return withProduct(context, async ({ url, bareUrl, cast }) => {
    const paths = cast.questions.map(({ questionId }) => `/question/${questionId}`);
    const contestants: readonly Contestant[] = [
      { figure: 'public question as HTML', answers: 'html', requests: paths.map((path) => get(path)) },
      {
        figure: 'public question that has not changed',
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
        bare.push(await load({ url: bareUrl, seconds, connections: dealt(bareRequests) }));
        own.push(await load({ url, seconds, connections: dealt(requests), answers }));
      }
      measurements.push(...judged(figure, medianOf(own), medianOf(bare)));
    }
    return measurements;
  });
}

function judged(figure: string, own: LoadResult, bare: LoadResult): readonly Measurement[] {
  const limitOf = (value: number) => ({ what: 'its bare rows', value });
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
  const left = [...paths];
  const requests: LoadRequest[] = [];
  const ask = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
      await response.arrayBuffer();
      const etag = response.headers.get('etag');
      if (etag === null) throw new Error(`${path} has no tag`);
      requests.push(get(path, { 'if-none-match': etag }));
    }
  };
  await Promise.all(Array.from({ length: TAGS_AT_ONCE }, ask));
  return requests;
}
