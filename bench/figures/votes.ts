import type { BenchContext } from '../bench-context.js';
import { openVoteFloor } from '../floors/vote-floor.js';
import { CONNECTIONS, distribute, graphqlRequest, load, medianOf } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';
import { atLeast, type Measurement } from '../report.js';
import { webOperation } from '../web-operations.js';

const GOAL_PER_SECOND = 1_500;
const FIGURE = 'a durable vote: command, append, visible';
const WHAT = `${CONNECTIONS} connections`;

/** The web app's mutation, whose response is read after the projection has processed the vote. */
export async function measureVotes(context: BenchContext): Promise<readonly Measurement[]> {
  return withProduct(context, async (product) => {
    context.log(`votes with ${CONNECTIONS} connections`);
    const own: LoadResult[] = [];
    const bare: LoadResult[] = [];
    const minimal: LoadResult[] = [];
    const floor = await openVoteFloor(context, product);
    const commit: LoadRequest = { path: '/commit', method: 'POST' };
    const commits = Array.from({ length: CONNECTIONS }, () => [commit]);
    try {
      for (let repeat = 0; repeat < context.repeats; repeat += 1) {
        bare.push(await load({ url: product.bareUrl, seconds: context.seconds, connections: commits }));
        minimal.push(await floor.measure());
        own.push(
          await load({ url: product.url, seconds: context.seconds, connections: distribute(votes(product)) }),
        );
      }
    } finally {
      await floor.close();
    }
    return measurementsOf(medianOf(own), medianOf(bare), medianOf(minimal));
  });
}

function measurementsOf(own: LoadResult, bare: LoadResult, minimal: LoadResult): Measurement[] {
  const limit = (value: number) => ({ what: 'one-row commit, plain server', value });
  const ofFloor = (value: number) => ({ what: 'minimal equivalent server', value });
  return [
    {
      figure: `${FIGURE}: floor`,
      what: 'minimal equivalent server with Fastify, pg and our log',
      value: minimal.perSecond,
      unit: 'requests/s',
      limit: limit(bare.perSecond),
    },
    {
      figure: FIGURE,
      what: WHAT,
      value: own.perSecond,
      unit: 'requests/s',
      limit: ofFloor(minimal.perSecond),
    },
    {
      figure: FIGURE,
      what: `${WHAT}, p99`,
      value: own.p99,
      unit: 'ms',
      limit: ofFloor(minimal.p99),
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

/** Votes on every question by someone other than its author. */
export function votes({ cast, signedIn }: RunningProduct): LoadRequest[] {
  const operation = webOperation('UpvoteQuestion');
  return cast.questions.map(({ questionId, authorId }, index) => {
    const voters = signedIn.filter(({ studentId }) => studentId !== authorId);
    const voter = voters[index % voters.length];
    if (!voter) throw new Error('no voter is allowed to vote');
    return graphqlRequest(voter.token, operation, { id: questionId });
  });
}
