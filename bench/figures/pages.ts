import type { BenchContext } from '../bench-context.js';
import { communityDatabase } from '../community/community-database.js';
import { CONNECTIONS, distribute, graphqlRequest, load, medianOf } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import { startBenchProgram } from '../programs/children.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';
import { atLeast, atMost, type Measurement } from '../report.js';
import { webOperation } from '../web-operations.js';

const GOAL_PER_SECOND = 1_750;
const GOAL_P99_MS = 25;
const GOAL_OF_BARE = 0.65;
const GOAL_P99_OF_BARE = 1.5;

interface Page {
  readonly name: string;
  /** Requests per page of the screen. */
  readonly pages: readonly (readonly LoadRequest[])[];
  /** All rows of a page in one request. */
  readonly bareRequests: readonly LoadRequest[];
}

/** Rates count whole pages; latencies are per request. */
interface PageResult extends LoadResult {
  readonly requestsPerPage: number;
}

interface Contestants {
  readonly own: PageResult;
  readonly floor: PageResult;
  readonly bare: LoadResult;
}

/**
 * The web app's operations, signed in, over HTTP and GraphQL, compared with bare SQL for the same rows through a plain server, and with a minimal
 * server for the same operations with the same libraries.
 */
export async function measurePages(context: BenchContext): Promise<readonly Measurement[]> {
  const databaseUrl = context.server.url(await communityDatabase(context));
  return withProduct(context, async (product) => {
    const floor = await startBenchProgram('floor-server', [databaseUrl]);
    try {
      const floorUrl = `http://127.0.0.1:${floor.port}`;
      const measurements: Measurement[] = [];
      for (const page of [dashboard(product), question(product)]) {
        context.log(`${page.name} with ${CONNECTIONS} connections`);
        await assertSameAnswers(page, product.url, floorUrl);
        measurements.push(...measurementsOf(page.name, await measurePage(context, product, page, floorUrl)));
      }
      return measurements;
    } finally {
      await floor.stop();
    }
  });
}

async function measurePage(
  { repeats, seconds }: BenchContext,
  { url, bareUrl }: RunningProduct,
  { pages, bareRequests }: Page,
  floorUrl: string,
): Promise<Contestants> {
  const results: Record<keyof Contestants, LoadResult[]> = { own: [], floor: [], bare: [] };
  const connections = distribute(pages).map((own) => own.flat());
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    results.bare.push(await load({ url: bareUrl, seconds, connections: distribute(bareRequests) }));
    results.floor.push(await load({ url: floorUrl, seconds, connections }));
    results.own.push(await load({ url, seconds, connections }));
  }
  const requestsPerPage = pages[0]?.length ?? 1;
  const ofPages = (all: readonly LoadResult[]): PageResult => {
    const median = medianOf(all);
    return { ...median, perSecond: median.perSecond / requestsPerPage, requestsPerPage };
  };
  return { own: ofPages(results.own), floor: ofPages(results.floor), bare: medianOf(results.bare) };
}

function measurementsOf(figure: string, { own, floor, bare }: Contestants): Measurement[] {
  const what = `${CONNECTIONS} connections`;
  const perRequest = own.requestsPerPage === 1 ? '' : ` of each of its ${own.requestsPerPage} requests`;
  const ratio = bare.perSecond / own.perSecond;
  const ratioP99 = own.p99 / bare.p99;
  const comparedTo = (name: string, value: number) => ({ limit: { what: name, value } });
  return [
    {
      ...{ figure, what, value: own.perSecond, unit: 'pages/s', ...comparedTo('bare SQL', bare.perSecond) },
      goal: atLeast(own.perSecond, GOAL_PER_SECOND, 'pages/s'),
    },
    {
      ...{ figure, what: 'bare SQL is faster by', value: ratio, unit: 'times' },
      goal: {
        text: `within ${(1 / GOAL_OF_BARE).toFixed(2)} times`,
        isMet: ratio <= 1 / GOAL_OF_BARE,
      },
    },
    {
      ...{ figure, what: 'minimal server (floor)', value: floor.perSecond, unit: 'pages/s' },
      ...comparedTo('bare SQL', bare.perSecond),
    },
    {
      ...{ figure, what: 'compared with the floor', value: own.perSecond, unit: 'pages/s' },
      ...comparedTo('floor', floor.perSecond),
    },
    {
      figure,
      what: `${what}, p50${perRequest}`,
      value: own.p50,
      unit: 'ms',
      ...comparedTo('bare SQL', bare.p50),
    },
    {
      ...{
        figure,
        what: `${what}, p99${perRequest}`,
        value: own.p99,
        unit: 'ms',
        ...comparedTo('bare SQL', bare.p99),
      },
      goal: atMost(own.p99, GOAL_P99_MS, 'ms'),
    },
    {
      ...{ figure, what: 'p99 relative to bare SQL', value: ratioP99, unit: 'times' },
      goal: { text: `within ${GOAL_P99_OF_BARE} times`, isMet: ratioP99 <= GOAL_P99_OF_BARE },
    },
    {
      figure,
      what: `p99 of the floor${perRequest}`,
      value: floor.p99,
      unit: 'ms',
      ...comparedTo('bare SQL', bare.p99),
    },
  ];
}

/** Ensures that the floor does the same work. */
async function assertSameAnswers(
  { pages: [first = []] }: Page,
  url: string,
  floorUrl: string,
): Promise<void> {
  for (const { path, method, headers, body } of first) {
    const [own, floor] = await Promise.all(
      [url, floorUrl].map(async (origin) => {
        const request = { method, ...(headers && { headers }), ...(body !== undefined && { body }) };
        return (await (await fetch(`${origin}${path}`, request)).json()) as { readonly data?: unknown };
      }),
    );
    if (own?.data === undefined || JSON.stringify(own.data) !== JSON.stringify(floor?.data))
      throw new Error(`the floor responds differently: ${JSON.stringify([own, floor]).slice(0, 2_000)}`);
  }
}

export function dashboard({ cast, signedIn }: RunningProduct): Page {
  const operation = webOperation('QuestionList');
  const variables = { page: 1, limit: 20, sort: 1, withFirst: false, queryVals: { space: cast.spaceId } };
  return {
    name: 'dashboard, first page of 20 cards',
    pages: signedIn.map(({ token, studentId }) => [graphqlRequest(token, operation, variables, studentId)]),
    bareRequests: signedIn.map(({ studentId }) => get(`/dashboard/${cast.spaceId}/${studentId}`)),
  };
}

function question({ cast, signedIn }: RunningProduct): Page {
  const by = (index: number) => {
    const student = signedIn[index % signedIn.length];
    if (!student) throw new Error('no student is signed in');
    return student;
  };
  const operation = webOperation('OwnQuestion');
  return {
    name: 'question with answers and comments',
    pages: cast.questions.map(({ questionId }, index) => {
      const { token, studentId } = by(index);
      return [graphqlRequest(token, operation, { questionId, withRest: true }, studentId)];
    }),
    bareRequests: cast.questions.map(({ questionId }, index) =>
      get(`/question/${questionId}/${by(index).studentId}`),
    ),
  };
}

const get = (path: string): LoadRequest => ({ path, method: 'GET' });
