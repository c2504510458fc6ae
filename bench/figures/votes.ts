import type { BenchContext } from '../bench-context.js';
import { openVoteFloor } from '../floors/vote-floor.js';
import { CONNECTIONS, dealt, graphqlRequest, load, medianOf } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';
import { atLeast, type Measurement } from '../report.js';
import { webOperation } from '../web-operations.js';

const GOAL_PER_SECOND = 1_500;
const FIGURE = 'a durable vote: command, append, visible';
const WHAT = `${CONNECTIONS} connections`;

/** The web app's mutation: what it answers is read from the read side after the projection has passed the vote. */
export async function measureVotes(context: BenchContext): Promise<readonly Measurement[]> {
  return withProduct(context, async (product) => {
    context.log(`votes with ${CONNECTIONS} connections`);
    const own: LoadResult[] = [];
    const bare: LoadResult[] = [];
    const least: LoadResult[] = [];
    const floor = await openVoteFloor(context, product);
    const commit: LoadRequest = { path: '/commit', method: 'POST' };
    const commits = Array.from({ length: CONNECTIONS }, () => [commit]);
    try {
      for (let repeat = 0; repeat < context.repeats; repeat += 1) {
        bare.push(await load({ url: product.bareUrl, seconds: context.seconds, connections: commits }));
        least.push(await floor.measure());
        own.push(
          await load({ url: product.url, seconds: context.seconds, connections: dealt(votes(product)) }),
        );
      }
    } finally {
      await floor.close();
    }
    return judged(medianOf(own), medianOf(bare), medianOf(least));
  });
}

function judged(own: LoadResult, bare: LoadResult, least: LoadResult): Measurement[] {
  const limit = (value: number) => ({ what: 'one-row commit, plain server', value });
  const ofFloor = (value: number) => ({ what: 'the smallest server that does the same', value });
  return [
    {
      figure: `${FIGURE}: floor`,
      what: 'the smallest server that does the same, through Fastify, pg and our log',
      value: least.perSecond,
      unit: 'requests/s',
      limit: limit(bare.perSecond),
    },
    {
      figure: FIGURE,
      what: WHAT,
      value: own.perSecond,
      unit: 'requests/s',
      limit: ofFloor(least.perSecond),
    },
    {
      figure: FIGURE,
      what: `${WHAT}, p99`,
      value: own.p99,
      unit: 'ms',
      limit: ofFloor(least.p99),
    },
    {
      figure: FIGURE,
      what: WHAT,
      value: own.perSecond,
      unit: 'requests/s',
      limit: limit(bare.perSecond),
      goal: atLeast(own.perSecond, GOAL_PER_SECOND, 'requests/s'),
    },
    { figure: FIGURE, what: `${WHAT}, p50`, value: own.p50, unit: 'ms', limit: limit(bare.p50) },
    { figure: FIGURE, what: `${WHAT}, p99`, value: own.p99, unit: 'ms', limit: limit(bare.p99) },
  ];
}

/** Every question by somebody who did not ask it: own posts cannot be voted on. */
export function votes({ cast, signedIn }: RunningProduct): LoadRequest[] {
  const said = webOperation('UpvoteQuestion');
  return cast.questions.map(({ questionId, authorId }, index) => {
    const voters = signedIn.filter(({ studentId }) => studentId !== authorId);
    const voter = voters[index % voters.length];
    if (!voter) throw new Error('nobody may vote');
    return graphqlRequest(voter.token, said, { id: questionId });
  });
}
