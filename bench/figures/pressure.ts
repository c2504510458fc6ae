import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from '../bench-context.js';
import { withLongAnswers } from '../community/long-answers.js';
import { graphqlRequest } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import { forkBenchProgram, stop } from '../programs/children.js';
import { ATTACKERS, PRESSURE_KINDS, type PressureKind, type PressurePlan } from '../programs/pressure.js';
import { atMost, type Measurement } from '../report.js';
import { percentile } from '../sampling.js';
import { webOperation } from '../web-operations.js';

const MAX_MS = 250;
const MAX_GROWTH_MB = 200;
const PROBE_INTERVAL_MS = 20;
const MEBIBYTE = 1024 * 1024;
const WARM_UP = 200;
/** Pause after an attack, to release its resources. */
const RECOVERY_MS = 1_000;

interface Impact {
  readonly waits: readonly number[];
  readonly growth: number;
}

/** Enough that attackers rarely request the same one. */
const LONG_QUESTIONS = 200;
const LONG_ANSWER_KINDS: readonly PressureKind[] = ['pages of long answers', 'public question pages'];

/** The product under attack and the questions that attackers request. */
interface Target {
  readonly product: RunningProduct;
  readonly questionIds: readonly string[];
  /** Suffix for figures of an unusual community. */
  readonly where: string;
}

/** As in production: unregistered documents are rejected. */
const SETTINGS = { GRAPHQL_DOCUMENTS: 'own' };

/** Twenty of the most expensive requests possible without an account, concurrently, and their impact on another user. */
export async function measurePressure(context: BenchContext): Promise<readonly Measurement[]> {
  let longIds: readonly string[] = [];
  const usual = await withProduct(
    context,
    async (product) => {
      const questionIds = product.cast.questions.map(({ questionId }) => questionId);
      longIds = questionIds.slice(0, LONG_QUESTIONS);
      return measureUnderPressure(context, { product, questionIds, where: '' }, PRESSURE_KINDS);
    },
    { settings: SETTINGS },
  );
  const long = await withLongAnswers(context, longIds, (database) =>
    withProduct(
      context,
      (product) =>
        measureUnderPressure(
          context,
          { product, questionIds: longIds, where: ', answers of 60 kB each' },
          LONG_ANSWER_KINDS,
        ),
      { database, settings: SETTINGS },
    ),
  );
  return [...usual, ...long];
}

async function measureUnderPressure(
  context: BenchContext,
  target: Target,
  attacks: readonly PressureKind[],
): Promise<readonly Measurement[]> {
  const { product, where } = target;
  const probe = probeOf(product);
  for (let count = 0; count < WARM_UP; count++) await probe();
  const before = await residentBytes(product.pid);
  const calm = await measureImpact(product, probe, before, context.seconds);
  context.note(
    where === ''
      ? `A signed-in user reads the dashboard every ${PROBE_INTERVAL_MS} ms over a separate connection; without an attack the longest response time was ${Math.round(Math.max(...calm.waits))} ms. Memory growth is relative to the API process before the first attack.`
      : `With two answers of 60 kB per question, the longest response time without an attack was ${Math.round(Math.max(...calm.waits))} ms.`,
  );
  const measurements: Measurement[] = [];
  for (const kinds of [...attacks.map((kind) => [kind]), PRESSURE_KINDS]) {
    context.log(`${kinds.length === 1 ? (kinds[0] ?? '') : 'all kinds'}${where}`);
    const { waits, growth } = await measureAttack(context, target, { probe, before, kinds });
    measurements.push(...measurementsOf(`${nameOf(kinds)}${where}`, waits, growth));
    await delay(RECOVERY_MS);
  }
  return measurements;
}

const nameOf = (kinds: readonly PressureKind[]): string =>
  kinds.length === 1 ? `${ATTACKERS} × ${kinds[0] ?? ''}` : `${ATTACKERS} requests of all kinds`;

interface Attack {
  readonly probe: () => Promise<number>;
  readonly before: number;
  readonly kinds: readonly PressureKind[];
}

async function measureAttack(
  { seconds }: BenchContext,
  { product, questionIds }: Target,
  { probe, before, kinds }: Attack,
): Promise<Impact> {
  const attackers = forkBenchProgram('pressure');
  const plan: PressurePlan = { url: product.url, kinds, questionIds };
  try {
    attackers.send(plan);
    await once(attackers, 'message');
    return await measureImpact(product, probe, before, seconds);
  } finally {
    if (attackers.connected) attackers.send('stop');
    await Promise.race([once(attackers, 'exit'), delay(RECOVERY_MS)]);
    await stop(attackers, 'SIGKILL');
  }
}

function measurementsOf(figure: string, waits: readonly number[], growth: number): Measurement[] {
  const longest = Math.max(...waits);
  return [
    { figure, what: 'response time of another user, p99', value: percentile(waits, 99), unit: 'ms' },
    {
      figure,
      what: 'longest response time of another user',
      value: longest,
      unit: 'ms',
      goal: atMost(longest, MAX_MS, 'ms'),
    },
    {
      figure,
      what: 'memory growth',
      value: growth,
      unit: 'MB',
      goal: atMost(growth, MAX_GROWTH_MB, 'MB'),
    },
  ];
}

/** Response times of one student and the maximum memory of the process. */
async function measureImpact(
  { pid }: RunningProduct,
  probe: () => Promise<number>,
  before: number,
  seconds: number,
): Promise<Impact> {
  const waits: number[] = [];
  let peak = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    waits.push(await probe());
    peak = Math.max(peak, await residentBytes(pid));
    await delay(PROBE_INTERVAL_MS);
  }
  return { waits, growth: Math.max(0, (peak - before) / MEBIBYTE) };
}

/** @returns milliseconds of one dashboard request */
function probeOf({ url, cast, signedIn }: RunningProduct): () => Promise<number> {
  const [student] = signedIn;
  if (!student) throw new Error('no student is signed in');
  const variables = { page: 1, limit: 20, sort: 1, withFirst: false, queryVals: { space: cast.spaceId } };
  const { path, method, headers, body } = graphqlRequest(
    student.token,
    webOperation('QuestionList'),
    variables,
  );
  return async () => {
    const startedAt = performance.now();
    const response = await fetch(`${url}${path}`, {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"errors":'))
      throw new Error(`the probe failed: ${text.slice(0, 200)}`);
    return performance.now() - startedAt;
  };
}

/** Linux only. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} is unknown`);
  return Number(kilobytes) * 1024;
}
