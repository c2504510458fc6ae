import type { BenchContext } from '../bench-context.js';
import { communityDatabase } from '../community/community-database.js';
import { CONNECTIONS, dealt, graphqlRequest, load, medianOf } from '../load.js';
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
  /** The requests of the screen, for each of its pages. */
  readonly pages: readonly (readonly LoadRequest[])[];
  /** All rows of such a page in one. */
  readonly bareRequests: readonly LoadRequest[];
}

/** Of whole pages; the latencies are those of one request. */
interface PageResult extends LoadResult {
  readonly requestsEach: number;
}

interface Contestants {
  readonly own: PageResult;
  readonly floor: PageResult;
  readonly bare: LoadResult;
}

/**
 * Signed in, over HTTP and GraphQL: the operations of the web app, beside bare SQL for the same rows through a plain server, and beside the
 * smallest server that answers the same operations through the same libraries.
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
        measurements.push(...judged(page.name, await measurePage(context, product, page, floorUrl)));
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
  const connections = dealt(pages).map((own) => own.flat());
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    results.bare.push(await load({ url: bareUrl, seconds, connections: dealt(bareRequests) }));
    results.floor.push(await load({ url: floorUrl, seconds, connections }));
    results.own.push(await load({ url, seconds, connections }));
  }
  const requestsEach = pages[0]?.length ?? 1;
  const ofPages = (all: readonly LoadResult[]): PageResult => {
    const median = medianOf(all);
    return { ...median, perSecond: median.perSecond / requestsEach, requestsEach };
  };
  return { own: ofPages(results.own), floor: ofPages(results.floor), bare: medianOf(results.bare) };
}

function judged(figure: string, { own, floor, bare }: Contestants): Measurement[] {
  const what = `${CONNECTIONS} connections`;
  const each = own.requestsEach === 1 ? '' : ` of each of its ${own.requestsEach} requests`;
  const times = bare.perSecond / own.perSecond;
  const timesP99 = own.p99 / bare.p99;
  const beside = (name: string, value: number) => ({ limit: { what: name, value } });
  return [
    {
      ...{ figure, what, value: own.perSecond, unit: 'pages/s', ...beside('bare SQL', bare.perSecond) },
      goal: atLeast(own.perSecond, GOAL_PER_SECOND, 'pages/s'),
    },
    {
      ...{ figure, what: 'bare SQL is faster by', value: times, unit: 'times' },
      goal: {
        text: `within ${(1 / GOAL_OF_BARE).toFixed(2)} times`,
        isMet: times <= 1 / GOAL_OF_BARE,
      },
    },
    {
      ...{ figure, what: 'the smallest such server (floor)', value: floor.perSecond, unit: 'pages/s' },
      ...beside('bare SQL', bare.perSecond),
    },
    {
      ...{ figure, what: 'beside the floor', value: own.perSecond, unit: 'pages/s' },
      ...beside('floor', floor.perSecond),
    },
    { figure, what: `${what}, p50${each}`, value: own.p50, unit: 'ms', ...beside('bare SQL', bare.p50) },
    {
      ...{ figure, what: `${what}, p99${each}`, value: own.p99, unit: 'ms', ...beside('bare SQL', bare.p99) },
      goal: atMost(own.p99, GOAL_P99_MS, 'ms'),
    },
    {
      ...{ figure, what: 'p99, times bare SQL’s', value: timesP99, unit: 'times' },
      goal: { text: `within ${GOAL_P99_OF_BARE} times`, isMet: timesP99 <= GOAL_P99_OF_BARE },
    },
    {
      figure,
      what: `p99 of the floor${each}`,
      value: floor.p99,
      unit: 'ms',
      ...beside('bare SQL', bare.p99),
    },
  ];
}

/** A floor that answers less would be none. */
async function assertSameAnswers(
  { pages: [first = []] }: Page,
  url: string,
  floorUrl: string,
): Promise<void> {
  for (const { path, method, headers, body } of first) {
    const [own, floor] = await Promise.all(
      [url, floorUrl].map(async (origin) => {
        const asked = { method, ...(headers && { headers }), ...(body !== undefined && { body }) };
        return (await (await fetch(`${origin}${path}`, asked)).json()) as { readonly data?: unknown };
      }),
    );
    if (own?.data === undefined || JSON.stringify(own.data) !== JSON.stringify(floor?.data))
      throw new Error(`the floor answers otherwise: ${JSON.stringify([own, floor]).slice(0, 2_000)}`);
  }
}

export function dashboard({ cast, signedIn }: RunningProduct): Page {
  const said = webOperation('QuestionList');
  const variables = { page: 1, limit: 20, sort: 1, withFirst: false, queryVals: { space: cast.spaceId } };
  return {
    name: 'dashboard, first page of 20 cards',
    pages: signedIn.map(({ token, studentId }) => [graphqlRequest(token, said, variables, studentId)]),
    bareRequests: signedIn.map(({ studentId }) => get(`/dashboard/${cast.spaceId}/${studentId}`)),
  };
}

function question({ cast, signedIn }: RunningProduct): Page {
  const by = (index: number) => {
    const student = signedIn[index % signedIn.length];
    if (!student) throw new Error('nobody is signed in');
    return student;
  };
  const said = webOperation('OwnQuestion');
  return {
    name: 'question with answers and comments',
    pages: cast.questions.map(({ questionId }, index) => {
      const { token, studentId } = by(index);
      return [graphqlRequest(token, said, { questionId, withRest: true }, studentId)];
    }),
    bareRequests: cast.questions.map(({ questionId }, index) =>
      get(`/question/${questionId}/${by(index).studentId}`),
    ),
  };
}

const get = (path: string): LoadRequest => ({ path, method: 'GET' });
