import { projections } from '@nimo/projections';
import type { BenchContext } from '../bench-context.js';
import { keptDatabase } from '../community/community-database.js';
import { type Growth, GrownSpace } from '../community/grown-space.js';
import { type RunningProduct, signIn, withProduct } from '../product.js';
import { atMost, type Measurement } from '../report.js';
import { percentile } from '../sampling.js';
import { webOperation } from '../web-operations.js';

const EDITION = 1;
const FIRST: Growth = { otherSpaces: 0, toggles: 0, edits: 0, votes: 0 };
const GROWN: Growth = { otherSpaces: 50_000, toggles: 10_000, edits: 1_200, votes: 500 };
const GROWN_QUICKLY: Growth = { otherSpaces: 5_000, toggles: 1_000, edits: 120, votes: 500 };
const MAX_TIMES = 2;
const VOTERS = 60;
const WARM_UP = 40;

/** Milliseconds, one after the other over one connection. */
interface Taken {
  readonly fresh: readonly number[];
  readonly toggled: readonly number[];
  readonly edited: readonly number[];
  readonly voted: readonly number[];
  readonly withdrawn: readonly number[];
}

/** The same votes where nothing was before and where much was: what one more act costs hangs on what it changes alone. */
export async function measureBounded(context: BenchContext): Promise<readonly Measurement[]> {
  const growth = context.isQuick ? GROWN_QUICKLY : GROWN;
  const first: Taken[] = [];
  const grown: Taken[] = [];
  for (let repeat = 0; repeat < context.repeats; repeat += 1) {
    first.push(await take(context, 'first', FIRST));
    grown.push(await take(context, context.isQuick ? 'grown_quickly' : 'grown', growth));
  }
  const all = (taken: readonly Taken[], what: keyof Taken): number[] => taken.flatMap((one) => one[what]);
  const row = (figure: string, what: keyof Taken): Measurement => {
    const limit = percentile(all(first, what), 50);
    const value = percentile(all(grown, what), 50);
    const goal = atMost(value, MAX_TIMES * limit, 'ms');
    return {
      ...{ figure, what: 'p50, one at a time', value, unit: 'ms' },
      limit: { what: 'the first ones', value: limit },
      goal,
    };
  };
  return [
    row(`a vote in a space of 600 beside ${growth.otherSpaces} others`, 'fresh'),
    row(`a toggle of one vote after ${growth.toggles}`, 'toggled'),
    row(`a vote on a question with ${growth.edits} edits of 64 kB`, 'edited'),
    row(`a vote on a question with ${growth.votes} votes`, 'voted'),
    row(`such a vote taken back`, 'withdrawn'),
  ];
}

/** Each on a copy: what is measured changes what there is. */
async function take(context: BenchContext, name: string, growth: Growth): Promise<Taken> {
  const { server, log } = context;
  const original = await keptDatabase(context, {
    name: `bench_bounded_${name}_v${EDITION}`,
    history: () => {
      log(`making a space with what was before: ${name}; it is kept for later runs`);
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

async function votesIn({ url, runtime }: RunningProduct, space: GrownSpace): Promise<Taken> {
  const voters = await signIn(runtime, space.studentIds.slice(0, VOTERS));
  const said = webOperation('UpvoteQuestion');
  const vote = async (place: number, id: string): Promise<number> => {
    const token = voters[place % VOTERS]?.token ?? '';
    const startedAt = performance.now();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...said, variables: { id } }),
    });
    const answer = await response.text();
    if (!response.ok || answer.includes('"errors":')) throw new Error(`a vote was refused: ${answer}`);
    return performance.now() - startedAt;
  };
  const each = async (of: (place: number) => readonly [number, string]): Promise<number[]> => {
    const taken: number[] = [];
    for (let place = 0; place < VOTERS; place += 1) taken.push(await vote(...of(place)));
    return taken;
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
