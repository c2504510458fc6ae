import { projections } from '@nimo/projections';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from '../bench-context.js';
import { cachedDatabase } from '../community/community-database.js';
import { type Crowding, CrowdedSpace } from '../community/crowded-space.js';
import { graphqlRequest } from '../load.js';
import { type RunningProduct, signIn, withProduct } from '../product.js';
import type { LoadRequest } from '../programs/load.js';
import { atMost, type Measurement } from '../report.js';
import { percentile } from '../sampling.js';
import { type DocumentReference, webOperation } from '../web-operations.js';

const DATASET_VERSION = 1;
const SIZES = [1_000, 100_000];
const SIZES_QUICK = [500, 2_000];
const GOAL_TIMES = 2;
const MAX_GOAL_MS = 50;
const CROWDING: Crowding = { members: 200_000, notifications: 50_000, answers: 2_000 };
const CROWDING_QUICK: Crowding = { members: 2_000, notifications: 1_000, answers: 200 };
const READS = 300;
const READS_QUICK = 60;
const WARM_UP = 20;
const CARDS = 20;
/** A page in the middle of the list of a community of this size, as deep as anyone pages. */
const deepPageOf = (questions: number): number => Math.ceil(questions / 2 / CARDS);

/** Requests of one screen or crawler, used in rotation. */
interface Read {
  readonly figure: string;
  readonly requests: readonly LoadRequest[];
}

interface Times {
  readonly p50: number;
  readonly longest: number;
}

/**
 * Reads the same pages over HTTP, one request at a time, in communities of 1,000, 100,000 and optionally more questions, and the longest lists
 * of one space: its members, a student's notifications, a question's answers and comments.
 */
export async function measureGrowth(context: BenchContext): Promise<readonly Measurement[]> {
  const known = context.isQuick ? SIZES_QUICK : SIZES;
  const sizes = [...new Set([...known, context.questions])].sort((a, b) => a - b);
  const bySize: ReadonlyMap<string, Times>[] = [];
  for (const questions of sizes) bySize.push(await measureCommunity({ ...context, questions }));
  return [...measurementsBySize(sizes, bySize), ...(await measureCrowded(context))];
}

async function measureCommunity(context: BenchContext): Promise<ReadonlyMap<string, Times>> {
  return withProduct(context, async (product) => {
    context.log(`pages of a community of ${context.questions} questions`);
    await waitForSearch(product);
    return timesOf(context, product, pagesOf(product, context.questions));
  });
}

function pagesOf({ cast, signedIn }: RunningProduct, questions: number): readonly Read[] {
  const { spaceId } = cast;
  const queryVals = { space: spaceId };
  const everyone = (name: string, variables: object): LoadRequest[] =>
    signedIn.map(({ token }) => graphqlRequest(token, webOperation(name), variables));
  const list = (page: number): object => ({ page, limit: CARDS, sort: 1, withFirst: false, queryVals });
  const ofQuestions = (name: string, more: object): LoadRequest[] =>
    cast.questions.map(({ questionId }, index) => {
      const token = signedIn[index % signedIn.length]?.token ?? '';
      return graphqlRequest(token, webOperation(name), { questionId, ...more });
    });
  return [
    { figure: 'dashboard', requests: everyone('QuestionList', list(1)) },
    { figure: 'deep page of the list', requests: everyone('QuestionList', list(deepPageOf(questions))) },
    { figure: 'question', requests: ofQuestions('OwnQuestion', { withRest: true }) },
    { figure: 'its answers', requests: ofQuestions('AnswerList', { page: 1, limit: 100 }) },
    { figure: 'public page', requests: cast.questions.map(({ questionId }) => html(questionId)) },
    { figure: 'search page', requests: searches(signedIn, queryVals) },
    { figure: 'leaderboard', requests: everyone('Leaderboard', { space: spaceId, page: 1 }) },
  ];
}

const html = (questionId: string): LoadRequest => ({
  path: `/question/${questionId}`,
  method: 'GET',
  headers: { accept: 'text/html' },
});

/** Words that occur in most texts: the worst case. */
const WORDS = ['derivative', 'wave energy', 'question', 'force of acceleration', 'virtual image'];

function searches(signedIn: RunningProduct['signedIn'], queryVals: object): LoadRequest[] {
  return WORDS.map((search, index) => {
    const token = signedIn[index % signedIn.length]?.token ?? '';
    return graphqlRequest(token, webOperation('SearchQuestions'), { search, skip: 0, limit: 10, queryVals });
  });
}

const SEARCH_TIMEOUT_MS = 120_000;
const POLL_MS = 250;

/** After a start, the API loads the index into memory and marks results as degraded until then. */
async function waitForSearch({ url, cast, signedIn }: RunningProduct): Promise<void> {
  const [request] = searches(signedIn, { space: cast.spaceId });
  if (!request) throw new Error('no search request');
  const deadline = performance.now() + SEARCH_TIMEOUT_MS;
  while ((await fetchText(url, request)).includes('"degraded":true')) {
    if (performance.now() > deadline) throw new Error('the search index did not load in time');
    await delay(POLL_MS);
  }
}

async function measureCrowded(context: BenchContext): Promise<readonly Measurement[]> {
  const crowding = context.isQuick ? CROWDING_QUICK : CROWDING;
  const space = new CrowdedSpace(crowding);
  const { members, notifications, answers } = crowding;
  const database = await cachedDatabase(context, {
    name: `bench_crowded_${members}_${notifications}_${answers}_v${DATASET_VERSION}`,
    history: () => {
      context.log(`creating a space of ${members} members, cached for later runs`);
      return space.history();
    },
    projections,
  });
  const times = await withProduct(
    context,
    async (product) => {
      const [star] = await signIn(product.runtime, [space.starId]);
      if (!star) throw new Error('no student is signed in');
      return timesOf(context, product, readsOf(space, crowding, star.token));
    },
    { database },
  );
  return Array.from(times, ([figure, { p50, longest }]) => [
    { figure, what: 'p50, one at a time', value: p50, unit: 'ms' },
    {
      ...{ figure, what: 'longest', value: longest, unit: 'ms' },
      goal: atMost(longest, MAX_GOAL_MS, 'ms'),
    },
  ]).flat();
}

function readsOf(
  { spaceId, longId, firstAnswerId }: CrowdedSpace,
  { members, notifications, answers }: Crowding,
  token: string,
): readonly Read[] {
  const ask = (figure: string, operation: DocumentReference, variables: object): Read => ({
    figure,
    requests: [graphqlRequest(token, operation, variables)],
  });
  const [long, notified, crowd] = [
    `a question with ${answers} answers and comments`,
    `a student with ${notifications} notifications`,
    `a space of ${members} members`,
  ];
  const questionId = longId;
  return [
    ask(`${long}: question`, webOperation('OwnQuestion'), { questionId }),
    ask(`${long}: answers`, webOperation('AnswerList'), { questionId, page: 1, limit: 100 }),
    ask(`${long}: last page of answers`, webOperation('AnswerList'), {
      ...{ questionId, page: Math.ceil(answers / 100), limit: 100 },
    }),
    ask(`${long}: comments`, webOperation('QuestionComments'), { questionId, page: 1, limit: 10 }),
    ask(`${long}: comments of an answer`, webOperation('AnswerComments'), {
      ...{ answerId: firstAnswerId, page: Math.ceil(answers / 2 / 10), limit: 10 },
    }),
    { figure: `${long}: public page`, requests: [html(longId)] },
    ask(`${notified}: latest`, webOperation('Notifications'), { space: spaceId, page: 1 }),
    ask(`${notified}: number of new ones`, webOperation('NewNotificationCount'), { space: spaceId }),
    ask(`${crowd}: dashboard`, webOperation('QuestionList'), {
      ...{ page: 1, limit: CARDS, sort: 1, withFirst: false, queryVals: { space: spaceId } },
    }),
    ask(`${crowd}: leaderboard`, webOperation('Leaderboard'), { space: spaceId, page: 1 }),
    ask(`${crowd}: deep page of the leaderboard`, webOperation('Leaderboard'), {
      ...{ space: spaceId, page: Math.ceil(answers / CARDS) },
    }),
    ask(`${crowd}: own score`, webOperation('OwnScore'), { space: spaceId }),
    ask(`${crowd}: mention suggestions`, webOperation('MentionCandidates'), {
      ...{ space: spaceId, search: 'der', limit: 10 },
    }),
  ];
}

/** One request at a time. The first ones warm up plans and caches, as in a process that has run for a while. */
async function timesOf(
  { isQuick }: BenchContext,
  { url }: RunningProduct,
  reads: readonly Read[],
): Promise<ReadonlyMap<string, Times>> {
  const times = new Map<string, Times>();
  for (const { figure, requests } of reads) {
    const latencies: number[] = [];
    const all = isQuick ? READS_QUICK : READS;
    for (let round = 0; round < WARM_UP + all; round += 1) {
      const request = requests[round % requests.length];
      if (!request) throw new Error(`no requests for ${figure}`);
      const startedAt = performance.now();
      await fetchText(url, request);
      if (round >= WARM_UP) latencies.push(performance.now() - startedAt);
    }
    times.set(figure, { p50: percentile(latencies, 50), longest: percentile(latencies, 100) });
  }
  return times;
}

/** @throws Error for failed requests: a fast rejection is not a result */
async function fetchText(url: string, { path, method, headers, body }: LoadRequest): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    ...{ method, headers: headers ?? {} },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors":'))
    throw new Error(`${path} responded with ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

function measurementsBySize(
  sizes: readonly number[],
  bySize: readonly ReadonlyMap<string, Times>[],
): readonly Measurement[] {
  const [smallest] = bySize;
  const [smallestSize = 0] = sizes;
  return Array.from(smallest ?? [], ([figure, first]) =>
    sizes.flatMap((questions, index): Measurement[] => {
      const times = bySize[index]?.get(figure);
      if (!times) throw new Error(`${figure} was not measured with ${questions} questions`);
      const what = `${questions.toLocaleString('en')} questions, p50`;
      const isFirst = index === 0;
      return [
        {
          ...{ figure, what, value: times.p50, unit: 'ms' },
          ...(!isFirst && {
            limit: { what: `${smallestSize.toLocaleString('en')} questions`, value: first.p50 },
            goal: atMost(times.p50, GOAL_TIMES * first.p50, 'ms'),
          }),
        },
        ...(isFirst
          ? []
          : [
              {
                ...{ figure, what: `${questions.toLocaleString('en')} questions, longest` },
                ...{ value: times.longest, unit: 'ms', goal: atMost(times.longest, MAX_GOAL_MS, 'ms') },
              },
            ]),
      ];
    }),
  ).flat();
}
