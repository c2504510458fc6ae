import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from '../bench-context.js';
import { withLongAnswers } from '../community/long-answers.js';
import { graphqlRequest } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import { forkBenchProgram, stop } from '../programs/children.js';
import { AT_ONCE, PRESSURE_KINDS, type PressureKind, type PressurePlan } from '../programs/pressure.js';
import { atMost, type Measurement } from '../report.js';
import { percentile } from '../sampling.js';
import { webOperation } from '../web-operations.js';

const MAX_MS = 250;
const MAX_GROWTH_MB = 200;
const ASKS_EVERY_MS = 20;
const MEBIBYTE = 1024 * 1024;
const WARM_UP = 200;
/** After an attack, for what it left to be given up. */
const REST_MS = 1_000;

interface Felt {
  readonly waits: readonly number[];
  readonly growth: number;
}

/** So many that the attackers ask for others all the time. */
const LONG_QUESTIONS = 200;
const ANSWERS_ASKED: readonly PressureKind[] = ['pages of the longest answers', 'public pages of questions'];

/** Whom the attackers ask, for what. */
interface Ground {
  readonly product: RunningProduct;
  readonly questionIds: readonly string[];
  /** What the community is like, where it is not as the others'. */
  readonly where: string;
}

/** As production starts: a stranger's own documents are refused. */
const SETTINGS = { GRAPHQL_DOCUMENTS: 'own' };

/** Twenty of the worst requests that somebody without an account can make, at once; and what somebody else notices of them. */
export async function measurePressure(context: BenchContext): Promise<readonly Measurement[]> {
  let longIds: readonly string[] = [];
  const usual = await withProduct(
    context,
    async (product) => {
      const questionIds = product.cast.questions.map(({ questionId }) => questionId);
      longIds = questionIds.slice(0, LONG_QUESTIONS);
      return underPressure(context, { product, questionIds, where: '' }, PRESSURE_KINDS);
    },
    { settings: SETTINGS },
  );
  const long = await withLongAnswers(context, longIds, (database) =>
    withProduct(
      context,
      (product) =>
        underPressure(
          context,
          { product, questionIds: longIds, where: ', answers of 60 kB each' },
          ANSWERS_ASKED,
        ),
      { database, settings: SETTINGS },
    ),
  );
  return [...usual, ...long];
}

async function underPressure(
  context: BenchContext,
  ground: Ground,
  asked: readonly PressureKind[],
): Promise<readonly Measurement[]> {
  const { product, where } = ground;
  const witness = witnessOf(product);
  for (let count = 0; count < WARM_UP; count++) await witness();
  const before = await residentBytes(product.pid);
  const calm = await felt(product, witness, before, context.seconds);
  context.note(
    where === ''
      ? `Somebody who is signed in reads the dashboard every ${ASKS_EVERY_MS} ms over a connection of their own; without any attack the longest wait was ${Math.round(Math.max(...calm.waits))} ms. Memory is what the api's process holds more than before the first attack.`
      : `Where the answers have 60 kB each, the longest wait without any attack was ${Math.round(Math.max(...calm.waits))} ms; each question has two.`,
  );
  const measurements: Measurement[] = [];
  for (const kinds of [...asked.map((kind) => [kind]), PRESSURE_KINDS]) {
    context.log(`${kinds.length === 1 ? (kinds[0] ?? '') : 'all of them'}${where}`);
    const { waits, growth } = await attacked(context, ground, { witness, before, kinds });
    measurements.push(...judged(`${nameOf(kinds)}${where}`, waits, growth));
    await delay(REST_MS);
  }
  return measurements;
}

const nameOf = (kinds: readonly PressureKind[]): string =>
  kinds.length === 1 ? `${AT_ONCE} × ${kinds[0] ?? ''}` : `${AT_ONCE} of all kinds`;

interface Attacked {
  readonly witness: () => Promise<number>;
  readonly before: number;
  readonly kinds: readonly PressureKind[];
}

async function attacked(
  { seconds }: BenchContext,
  { product, questionIds }: Ground,
  { witness, before, kinds }: Attacked,
): Promise<Felt> {
  const attackers = forkBenchProgram('pressure');
  const plan: PressurePlan = { url: product.url, kinds, questionIds };
  try {
    attackers.send(plan);
    await once(attackers, 'message');
    return await felt(product, witness, before, seconds);
  } finally {
    if (attackers.connected) attackers.send('stop');
    await Promise.race([once(attackers, 'exit'), delay(REST_MS)]);
    await stop(attackers, 'SIGKILL');
  }
}

function judged(figure: string, waits: readonly number[], growth: number): Measurement[] {
  const longest = Math.max(...waits);
  return [
    { figure, what: 'wait of somebody else, p99', value: percentile(waits, 99), unit: 'ms' },
    {
      figure,
      what: 'longest wait of somebody else',
      value: longest,
      unit: 'ms',
      goal: atMost(longest, MAX_MS, 'ms'),
    },
    {
      figure,
      what: 'growth of memory',
      value: growth,
      unit: 'MB',
      goal: atMost(growth, MAX_GROWTH_MB, 'MB'),
    },
  ];
}

/** What one student notices meanwhile, and the most that the process held. */
async function felt(
  { pid }: RunningProduct,
  witness: () => Promise<number>,
  before: number,
  seconds: number,
): Promise<Felt> {
  const waits: number[] = [];
  let most = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    waits.push(await witness());
    most = Math.max(most, await residentBytes(pid));
    await delay(ASKS_EVERY_MS);
  }
  return { waits, growth: Math.max(0, (most - before) / MEBIBYTE) };
}

/** @returns milliseconds of one look at the dashboard */
function witnessOf({ url, cast, signedIn }: RunningProduct): () => Promise<number> {
  const [student] = signedIn;
  if (!student) throw new Error('nobody is signed in');
  const variables = { page: 1, limit: 20, sort: 1, withFirst: false, queryVals: { space: cast.spaceId } };
  const { path, method, headers, body } = graphqlRequest(
    student.token,
    webOperation('QuestionList'),
    variables,
  );
  return async () => {
    const began = performance.now();
    const answer = await fetch(`${url}${path}`, {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (answer.status !== 200 || text.includes('"errors":'))
      throw new Error(`the witness was answered ${text.slice(0, 200)}`);
    return performance.now() - began;
  };
}

/** Of Linux, as the bench is run there. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} is not told`);
  return Number(kilobytes) * 1024;
}
