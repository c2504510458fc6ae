import type { BenchContext } from '../bench-context.js';
import { CONNECTIONS, dealt, graphqlRequest, load, medianOf } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';
import { atLeast, atMost, type Measurement } from '../report.js';
import { webOperation } from '../web-operations.js';

const GOAL_PER_SECOND = 1_750;
const GOAL_P99_MS = 25;
const MOST_TIMES_BARE = 3;

interface Page {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  readonly bareRequests: readonly LoadRequest[];
}

/** Signed in, over HTTP and GraphQL: the operations of the web app, beside bare SQL for the same rows through a plain server. */
export async function measurePages(context: BenchContext): Promise<readonly Measurement[]> {
  return withProduct(context, async (product) => {
    const measurements: Measurement[] = [];
    for (const page of [dashboard(product), question(product)]) {
      context.log(`${page.name} with ${CONNECTIONS} connections`);
      measurements.push(...(await measurePage(context, product, page)));
    }
    return measurements;
  });
}

async function measurePage(
  { repeats, seconds }: BenchContext,
  { url, bareUrl }: RunningProduct,
  { name, requests, bareRequests }: Page,
): Promise<Measurement[]> {
  const own: LoadResult[] = [];
  const bare: LoadResult[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    bare.push(await load({ url: bareUrl, seconds, connections: dealt(bareRequests) }));
    own.push(await load({ url, seconds, connections: dealt(requests) }));
  }
  return judged(name, medianOf(own), medianOf(bare));
}

function judged(figure: string, own: LoadResult, bare: LoadResult): Measurement[] {
  const what = `${CONNECTIONS} connections`;
  const times = bare.perSecond / own.perSecond;
  return [
    {
      figure,
      what,
      value: own.perSecond,
      unit: 'requests/s',
      limit: { what: 'bare SQL', value: bare.perSecond },
      goal: atLeast(own.perSecond, GOAL_PER_SECOND, 'requests/s'),
    },
    {
      figure,
      what: 'bare SQL is faster by',
      value: times,
      unit: 'times',
      goal: { text: `within ${MOST_TIMES_BARE} times`, isMet: times <= MOST_TIMES_BARE },
    },
    {
      figure,
      what: `${what}, p50`,
      value: own.p50,
      unit: 'ms',
      limit: { what: 'bare SQL', value: bare.p50 },
    },
    {
      figure,
      what: `${what}, p99`,
      value: own.p99,
      unit: 'ms',
      limit: { what: 'bare SQL', value: bare.p99 },
      goal: atMost(own.p99, GOAL_P99_MS, 'ms'),
    },
  ];
}

export function dashboard({ cast, signedIn }: RunningProduct): Page {
  const said = webOperation('QuestionList');
  const variables = { page: 1, limit: 20, sort: 1, queryVals: { space: cast.spaceId } };
  return {
    name: 'dashboard, first page of 20 cards',
    requests: signedIn.map(({ token }) => graphqlRequest(token, said, variables)),
    bareRequests: signedIn.map(({ studentId }) => get(`/dashboard/${cast.spaceId}/${studentId}`)),
  };
}

function question({ cast, signedIn }: RunningProduct): Page {
  const said = webOperation('QuestionPage');
  const by = (index: number) => {
    const student = signedIn[index % signedIn.length];
    if (!student) throw new Error('nobody is signed in');
    return student;
  };
  return {
    name: 'question with answers and comments',
    requests: cast.questions.map(({ questionId }, index) =>
      graphqlRequest(by(index).token, said, { questionId }),
    ),
    bareRequests: cast.questions.map(({ questionId }, index) =>
      get(`/question/${questionId}/${by(index).studentId}`),
    ),
  };
}

const get = (path: string): LoadRequest => ({ path, method: 'GET' });
