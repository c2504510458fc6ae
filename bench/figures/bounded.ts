import { projections } from '@nimo/projections';
import type { BenchContext } from '../bench-context.js';
import { cachedDatabase } from '../community/community-database.js';
import { type Growth, GrownSpace } from '../community/grown-space.js';
import { type RunningProduct, signIn, withProduct } from '../product.js';
import { atMost, type Measurement } from '../report.js';
import { percentile } from '../sampling.js';
import { webOperation } from '../web-operations.js';

const DATASET_VERSION = 1;
const FIRST: Growth = { otherSpaces: 0, toggles: 0, edits: 0, votes: 0 };
const GROWN: Growth = { otherSpaces: 50_000, toggles: 10_000, edits: 1_200, votes: 500 };
const GROWN_QUICKLY: Growth = { otherSpaces: 5_000, toggles: 1_000, edits: 120, votes: 500 };
const MAX_TIMES = 2;
const VOTERS = 60;
const WARM_UP = 40;

/** Milliseconds of sequential requests over one connection. */
interface Times {
  readonly fresh: readonly number[];
  readonly toggled: readonly number[];
  readonly edited: readonly number[];
  readonly voted: readonly number[];
  readonly withdrawn: readonly number[];
}

/** The same votes without and with much history: the cost of a command depends only on what it changes. */
export async function measureBounded(context: BenchContext): Promise<readonly Measurement[]> {
  const growth = context.isQuick ? GROWN_QUICKLY : GROWN;
  const first: Times[] = [];
  const grown: Times[] = [];
  for (let repeat = 0; repeat < context.repeats; repeat += 1) {
    first.push(await measureVotes(context, 'first', FIRST));
    grown.push(await measureVotes(context, context.isQuick ? 'grown_quickly' : 'grown', growth));
  }
  const all = (times: readonly Times[], what: keyof Times): number[] => times.flatMap((one) => one[what]);
  const row = (figure: string, what: keyof Times): Measurement => {
    const limit = percentile(all(first, what), 50);
    const value = percentile(all(grown, what), 50);
    const goal = atMost(value, MAX_TIMES * limit, 'ms');
    return {
      ...{ figure, what: 'p50, one at a time', value, unit: 'ms' },
      limit: { what: 'without history', value: limit },
      goal,
    };
  };
  return [
    row(`vote in a space of 600 with ${growth.otherSpaces} other spaces`, 'fresh'),
    row(`toggle of a vote after ${growth.toggles} toggles`, 'toggled'),
    row(`vote on a question with ${growth.edits} edits of 64 kB`, 'edited'),
    row(`vote on a question with ${growth.votes} votes`, 'voted'),
    row('withdrawal of such a vote', 'withdrawn'),
  ];
}

/** Works on a copy, because measuring changes the data. */
async function measureVotes(context: BenchContext, name: string, growth: Growth): Promise<Times> {
  const { server, log } = context;
  const original = await cachedDatabase(context, {
    name: `bench_bounded_${name}_v${DATASET_VERSION}`,
    history: () => {
      log(`creating a space with history: ${name}, cached for later runs`);
      return new GrownSpace(growth).history();
    },
    projections,
  });
  const copy = `${original}_copy`;
  await server.copy(original, copy);
  try {
    return await withProduct(context, (product) => votesIn(product, new GrownSpace(growth)), {
      database: copy,
    });
  } finally {
    await server.drop(copy);
  }
}

async function votesIn({ url, runtime }: RunningProduct, space: GrownSpace): Promise<Times> {
  const voters = await signIn(runtime, space.studentIds.slice(0, VOTERS));
  const operation = webOperation('UpvoteQuestion');
  const vote = async (place: number, id: string): Promise<number> => {
    const token = voters[place % VOTERS]?.token ?? '';
    const startedAt = performance.now();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...operation, variables: { id } }),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"errors":')) throw new Error(`a vote was rejected: ${text}`);
    return performance.now() - startedAt;
  };
  const each = async (of: (place: number) => readonly [number, string]): Promise<number[]> => {
    const times: number[] = [];
    for (let place = 0; place < VOTERS; place += 1) times.push(await vote(...of(place)));
    return times;
  };
  const untouched = (place: number): string => space.untouched[place] ?? '';
  for (let place = 0; place < WARM_UP; place += 1) await vote(place, untouched(place));
  return {
    fresh: await each((place) => [place, untouched(WARM_UP + place)]),
    toggled: await each(() => [0, space.toggled]),
    edited: await each((place) => [place, space.edited]),
    voted: await each((place) => [place, space.voted]),
    withdrawn: await each((place) => [place, space.voted]),
  };
}
