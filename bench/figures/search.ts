import { monitorEventLoopDelay } from 'node:perf_hooks';
import { TimeSlice } from '@nimo/projection-engine';
import { type SearchEngine, ThreadedSearch } from '@nimo/search';
import type { Pool } from 'pg';
import { closeRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import { postHits } from '../../libs/search/src/post-hits.js';
import type { ExhaustiveSearch } from '../../libs/search/src/testing/exhaustive-search.js';
import type { BenchContext } from '../bench-context.js';
import { openBenchRuntime } from '../community/community-database.js';
import { Random } from '../community/random.js';
import { type Measurement } from '../report.js';
import { percentile } from '../sampling.js';
import { measureSearchOverHttp } from '../search/search-over-http.js';
import { searchDatabase } from '../search/search-database.js';
import { exhaustive } from '../search/search-oracle.js';
import { type Query, QUERY_KINDS, type QueryKind, searchQueries } from '../search/search-queries.js';

const QUERIES = 1_000;
/** Warms up JIT compilation, database pages and plans. */
const WARM_UP_QUERIES = 100;
/** Queries compared with an exhaustive search, which is slow. */
const COMPARED_QUERIES = 200;
const FIRST = 10;
const GOAL_P99_MS = 10;
const GOAL_RECALL = 0.98;
const GOAL_READY_S = 5;
/** Best results of other engines on the same kinds of queries. */
const OTHER_ENGINES = { exact: 1, 'one-edit typo': 0.975, prefix: 1 } as const;

/** The embedded engine over HTTP and directly: one query at a time, including its database reads. */
export async function measureSearch(context: BenchContext): Promise<readonly Measurement[]> {
  const database = await searchDatabase(context);
  const { name, ...library } = database;
  const overHttp = await measureSearchOverHttp(context, database);
  const runtime = await openBenchRuntime(context, name);
  const engine = new ThreadedSearch({
    url: context.server.url(name),
    name: 'nimo bench search',
    onLost: (error) => context.note(`THE SEARCH THREAD ENDED: ${String(error)}`),
  });
  try {
    const started = await measureStartup(context, engine);
    const space = { engine, ...(await questionsOf(runtime.pool)) };
    const oracle = exhaustive(library.texts);
    const measurements: Measurement[] = [...overHttp, ...started];
    for (const kind of QUERY_KINDS) {
      context.log(`${QUERIES} queries: ${kind}`);
      const queries = searchQueries(kind, library, WARM_UP_QUERIES + QUERIES);
      for (const { text } of queries.splice(0, WARM_UP_QUERIES)) await search(space, text);
      measurements.push(...measurementsOf(kind, await runQueries(space, queries, oracle)));
    }
    measurements.push(...(await rowsAlone(runtime.pool, space.places)));
    context.note(
      `Recall@10: share of the top ten of an exhaustive search with the same score that the engine has in its top ten; ${COMPARED_QUERIES} queries of each kind. CPU: CPU time of the process per query, thread included; other load affects it less than elapsed time.`,
    );
    return measurements;
  } finally {
    await engine.close();
    await closeRuntime(runtime);
  }
}

/** Starts the thread and loads the index, as an API process does at startup. */
async function measureStartup({ questions }: BenchContext, engine: ThreadedSearch): Promise<Measurement[]> {
  const figure = 'search after startup';
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  const [start, usage] = [performance.now(), process.cpuUsage()];
  delays.enable();
  await engine.warmUp();
  delays.disable();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(usage);
  const longestDelay = delays.max / 1e6;
  return [
    {
      figure,
      what: `ready for ${questions} questions`,
      value: seconds,
      unit: 's',
      goal: { text: `at most ${GOAL_READY_S} s`, isMet: seconds <= GOAL_READY_S },
    },
    { figure, what: 'CPU time', value: (user + system) / 1e6, unit: 's' },
    { figure, what: 'longest event loop delay of the caller', value: longestDelay, unit: 'ms' },
    {
      figure,
      what: 'memory growth of the process, thread included',
      value: (process.memoryUsage().rss - before) / 1e6,
      unit: 'MB',
    },
  ];
}

interface Space {
  readonly engine: SearchEngine;
  readonly spaceId: string;
  /** Index of each question by its id. */
  readonly places: ReadonlyMap<string, number>;
}

/** Relies on questions having been asked in the order of the texts. */
async function questionsOf(pool: Pool): Promise<Omit<Space, 'engine'>> {
  const { rows } = await pool.query<{ space_id: string; document_id: string }>(
    `select space_id, document_id from read.search_documents order by created_at`,
  );
  const spaceId = rows[0]?.space_id;
  if (spaceId === undefined) throw new Error('there are no search documents');
  return { spaceId, places: new Map(rows.map(({ document_id }, place) => [document_id, place])) };
}

const search = ({ engine, spaceId }: Space, text: string) =>
  engine.findQuestions({ text, spaceId, sort: 'BEST', skip: 0, limit: FIRST });

interface Outcome {
  readonly latencies: number[];
  readonly cpu: number[];
  /** Share of the expected top ten that was found. */
  readonly recall: number;
  /** Share of queries with their source question in the top ten. */
  readonly sourceFound: number;
}

async function runQueries(
  space: Space,
  queries: readonly Query[],
  oracle: ExhaustiveSearch,
): Promise<Outcome> {
  const [latencies, cpu]: number[][] = [[], []];
  const firsts: (readonly (number | undefined)[])[] = [];
  for (const { text } of queries) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const hits = await search(space, text);
    const { user, system } = process.cpuUsage(before);
    latencies?.push(performance.now() - start);
    cpu?.push((user + system) / 1000);
    firsts.push(hits.map(({ id }) => space.places.get(id)));
  }
  const recalls = queries.slice(0, COMPARED_QUERIES).map(({ text }, at) => {
    const expected = oracle.find(text).slice(0, FIRST);
    return {
      expected: expected.length,
      found: expected.filter(({ document }) => firsts[at]?.includes(document)).length,
    };
  });
  const sum = (of: 'expected' | 'found') => recalls.reduce((total, recall) => total + recall[of], 0);
  const sources = queries.filter(({ from }, at) => firsts[at]?.includes(from)).length;
  return {
    latencies: latencies ?? [],
    cpu: cpu ?? [],
    recall: sum('found') / sum('expected'),
    sourceFound: sources / queries.length,
  };
}

function measurementsOf(kind: QueryKind, { latencies, cpu, recall, sourceFound }: Outcome): Measurement[] {
  const figure = `search, ${kind}`;
  const p99 = percentile(latencies, 99);
  return [
    { figure, what: 'p50', value: percentile(latencies, 50), unit: 'ms' },
    {
      figure,
      what: 'p99',
      value: p99,
      unit: 'ms',
      goal: { text: `at most ${GOAL_P99_MS} ms`, isMet: p99 <= GOAL_P99_MS },
    },
    { figure, what: 'p99, CPU', value: percentile(cpu, 99), unit: 'ms' },
    {
      figure,
      what: 'recall@10',
      value: recall,
      unit: '',
      goal: { text: `at least ${GOAL_RECALL}`, isMet: recall >= GOAL_RECALL },
    },
    {
      figure,
      what: 'source question in the top ten',
      value: sourceFound,
      unit: '',
      limit: { what: 'best other engine', value: OTHER_ENGINES[kind] },
    },
  ];
}

/** The database's part of a search: ten rows by id. */
async function rowsAlone(pool: Pool, places: ReadonlyMap<string, number>): Promise<Measurement[]> {
  const ids = [...places.keys()];
  const random = new Random(3);
  const latencies: number[] = [];
  const request = { text: '', spaceId: '', sort: 'BEST', skip: 0, limit: FIRST } as const;
  for (let query = 0; query < WARM_UP_QUERIES + QUERIES; query += 1) {
    const hits = Array.from({ length: FIRST }, () => ({ id: random.one(ids), isMatch: () => false }));
    const start = performance.now();
    await postHits(pool, request, hits, new TimeSlice());
    if (query >= WARM_UP_QUERIES) latencies.push(performance.now() - start);
  }
  const figure = 'search, ten rows by ID';
  return [
    { figure, what: 'p50', value: percentile(latencies, 50), unit: 'ms' },
    { figure, what: 'p99', value: percentile(latencies, 99), unit: 'ms' },
  ];
}
