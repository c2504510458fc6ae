import type { BenchContext } from '../bench-context.js';
import { CONNECTIONS, dealt, graphqlRequest, load, medianOf } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';
import type { Measurement } from '../report.js';
import { webOperation } from '../web-operations.js';
import type { SearchDatabase } from './search-database.js';
import { QUERY_KINDS, type QueryKind, searchQueries } from './search-queries.js';

const QUERIES = 1_600;
const FIRST = 10;
const GOAL_OF_BARE = 0.5;
const GOAL_P99_ALONE_MS = 10;

/**
 * The web app's search, signed in, beside PostgreSQL's own full text through a plain server: the same words, ten hits with the columns of their cards. PostgreSQL
 * is asked for whole words and beginnings; it finds nothing mistyped, so for those it is asked for the words as they are spelt.
 */
export async function measureSearchOverHttp(
  context: BenchContext,
  { name, ...library }: SearchDatabase,
): Promise<readonly Measurement[]> {
  return withProduct(
    context,
    async (product) => {
      await untilFound(product, library);
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

/** The first search waits for the words; what the others measure does not. */
async function untilFound({ url, cast, signedIn }: RunningProduct, library: Library): Promise<void> {
  const [query] = searchQueries('exact', library, 1);
  const [request] = requestsOf({ cast, signedIn }, query ? [query.text] : []);
  const response = await fetch(`${url}${request?.path ?? ''}`, request && { ...request });
  const answer = await response.text();
  if (!response.ok || !answer.includes('"isMatch":true')) throw new Error(`nothing is found: ${answer}`);
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
  const spelt = searchQueries(kind === 'prefix' ? kind : 'exact', library, QUERIES);
  const bareRequests = spelt.map(({ text }) => bareRequest(cast.spaceId, text, kind));
  const [own, bare, alone]: LoadResult[][] = [[], [], []];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    bare?.push(await load({ url: bareUrl, seconds, connections: dealt(bareRequests) }));
    own?.push(await load({ url, seconds, connections: dealt(requests) }));
    alone?.push(await load({ url, seconds, connections: [requests] }));
  }
  return judged(kind, medianOf(own ?? []), { bare: medianOf(bare ?? []), alone: medianOf(alone ?? []) });
}

function requestsOf(
  { cast, signedIn }: Pick<RunningProduct, 'cast' | 'signedIn'>,
  texts: readonly string[],
): LoadRequest[] {
  const said = webOperation('SearchQuestions');
  return texts.map((search, place) => {
    const { token = '' } = signedIn[place % signedIn.length] ?? {};
    const variables = { search, skip: 0, limit: FIRST, queryVals: { space: cast.spaceId } };
    return graphqlRequest(token, said, variables);
  });
}

function bareRequest(spaceId: string, text: string, kind: QueryKind): LoadRequest {
  const words = text.split(' ').join(' & ') + (kind === 'prefix' ? ':*' : '');
  return { path: `/search/${spaceId}/${encodeURIComponent(words)}`, method: 'GET' };
}

function judged(
  kind: QueryKind,
  own: LoadResult,
  { bare, alone }: { readonly bare: LoadResult; readonly alone: LoadResult },
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
      what: 'alone, p99',
      value: alone.p99,
      unit: 'ms',
      goal: {
        text: `at most ${GOAL_P99_ALONE_MS} ms`,
        isMet: alone.p99 <= GOAL_P99_ALONE_MS,
      },
    },
  ];
}
