import type { BenchContext } from '../bench-context.js';
import { CONNECTIONS, distribute, graphqlRequest, load, medianOf } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';
import type { Measurement } from '../report.js';
import { webOperation } from '../web-operations.js';
import type { SearchDatabase } from './search-database.js';
import { QUERY_KINDS, type QueryKind, searchQueries } from './search-queries.js';

const QUERIES = 1_600;
const FIRST = 10;
const GOAL_OF_BARE = 0.5;
const GOAL_P99_SINGLE_MS = 10;

/**
 * The web app's search, signed in, compared with PostgreSQL full-text search through a plain server: the same words, ten hits with the columns of
 * their cards. PostgreSQL cannot find typos, so it gets the correct spelling for those.
 */
export async function measureSearchOverHttp(
  context: BenchContext,
  { name, ...library }: SearchDatabase,
): Promise<readonly Measurement[]> {
  return withProduct(
    context,
    async (product) => {
      await waitForIndex(product, library);
      const measurements: Measurement[] = [];
      for (const kind of QUERY_KINDS) {
        context.log(`search over HTTP: ${kind}`);
        measurements.push(...(await measureKind(context, product, { kind, library })));
      }
      return measurements;
    },
    { database: name },
  );
}

type Library = Omit<SearchDatabase, 'name'>;

/** Runs one search, which waits until the index is loaded. */
async function waitForIndex({ url, cast, signedIn }: RunningProduct, library: Library): Promise<void> {
  const [query] = searchQueries('exact', library, 1);
  const [request] = requestsOf({ cast, signedIn }, query ? [query.text] : []);
  const response = await fetch(`${url}${request?.path ?? ''}`, request && { ...request });
  const text = await response.text();
  if (!response.ok || !text.includes('"isMatch":true')) throw new Error(`no results: ${text}`);
}

async function measureKind(
  { repeats, seconds }: BenchContext,
  product: RunningProduct,
  { kind, library }: { readonly kind: QueryKind; readonly library: Library },
): Promise<Measurement[]> {
  const { url, bareUrl, cast } = product;
  const requests = requestsOf(
    product,
    searchQueries(kind, library, QUERIES).map(({ text }) => text),
  );
  const correct = searchQueries(kind === 'prefix' ? kind : 'exact', library, QUERIES);
  const bareRequests = correct.map(({ text }) => bareRequest(cast.spaceId, text, kind));
  const [own, bare, single]: LoadResult[][] = [[], [], []];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    bare?.push(await load({ url: bareUrl, seconds, connections: distribute(bareRequests) }));
    own?.push(await load({ url, seconds, connections: distribute(requests) }));
    single?.push(await load({ url, seconds, connections: [requests] }));
  }
  return measurementsOf(kind, medianOf(own ?? []), {
    bare: medianOf(bare ?? []),
    single: medianOf(single ?? []),
  });
}

function requestsOf(
  { cast, signedIn }: Pick<RunningProduct, 'cast' | 'signedIn'>,
  texts: readonly string[],
): LoadRequest[] {
  const operation = webOperation('SearchQuestions');
  return texts.map((search, place) => {
    const { token = '' } = signedIn[place % signedIn.length] ?? {};
    const variables = { search, skip: 0, limit: FIRST, queryVals: { space: cast.spaceId } };
    return graphqlRequest(token, operation, variables);
  });
}

function bareRequest(spaceId: string, text: string, kind: QueryKind): LoadRequest {
  const words = text.split(' ').join(' & ') + (kind === 'prefix' ? ':*' : '');
  return { path: `/search/${spaceId}/${encodeURIComponent(words)}`, method: 'GET' };
}

function measurementsOf(
  kind: QueryKind,
  own: LoadResult,
  { bare, single }: { readonly bare: LoadResult; readonly single: LoadResult },
): Measurement[] {
  const figure = `search over HTTP, ${kind}`;
  const what = `${CONNECTIONS} connections`;
  const limit = (value: number) => ({ what: 'bare full text', value });
  return [
    {
      figure,
      what,
      value: own.perSecond,
      unit: 'requests/s',
      limit: limit(bare.perSecond),
      goal: {
        text: `at least ${GOAL_OF_BARE} of bare`,
        isMet: own.perSecond >= GOAL_OF_BARE * bare.perSecond,
      },
    },
    { figure, what: `${what}, p50`, value: own.p50, unit: 'ms', limit: limit(bare.p50) },
    { figure, what: `${what}, p99`, value: own.p99, unit: 'ms', limit: limit(bare.p99) },
    {
      figure,
      what: 'one connection, p99',
      value: single.p99,
      unit: 'ms',
      goal: {
        text: `at most ${GOAL_P99_SINGLE_MS} ms`,
        isMet: single.p99 <= GOAL_P99_SINGLE_MS,
      },
    },
  ];
}
