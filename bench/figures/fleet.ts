import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { projections } from '@nimo/projections';
import { listGenerations } from '@nimo/projection-engine';
import { closeRuntime, type Runtime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { type Cast, loadCast } from '../community/cast.js';
import { communityDatabase, openBenchRuntime } from '../community/community-database.js';
import { graphqlRequest } from '../load.js';
import { signIn, type RunningProduct } from '../product.js';
import { type Child, startProgram } from '../programs/children.js';
import { atMost, type Measurement } from '../report.js';
import { closedLoop, percentile } from '../sampling.js';
import { bareWriteAndRead } from './visible.js';

const SIZE = 3;
const CLIENTS = 20;
const MAX_TAKEOVER_MS = 5_000;
const POLL_MS = 10;
const ASK = `mutation($subject: ID!, $topic: ID!, $space: ID!, $title: String!) {
  createQuestion(subject: $subject, topic: $topic, space: $space, title: $title, body: "<p>From one api to the next.</p>") { _id } }`;
const READ =
  'query($id: ID!) { getQuestionByIdWithUserAuthorization(questionId: $id, userType: "student") { title } }';

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: unknown;
  readonly extensions?: { readonly stale?: boolean };
}

/** Three APIs and three workers on one PostgreSQL: writes through one API, then reads from another. */
export async function measureFleet(context: BenchContext): Promise<readonly Measurement[]> {
  const database = await communityDatabase(context);
  const runtime = await openBenchRuntime(context, database);
  // Six processes share the 100 connections of the embedded server; each uses a few more than its pool.
  const environment = { ...context.server.environment(database), DATABASE_POOL_SIZE: '4' };
  const started: Child[] = [];
  const start = async (name: 'main' | 'worker'): Promise<Child> => {
    const child = await startProgram(name, environment);
    started.push(child);
    return child;
  };
  try {
    const workers = await Promise.all(Array.from({ length: SIZE }, () => start('worker')));
    const apis = await Promise.all(Array.from({ length: SIZE }, () => start('main')));
    const cast = await loadCast(runtime.pool);
    const people = await signIn(runtime, cast.students.slice(0, CLIENTS));
    await context.server.settle();
    const visible = await commandToVisible(context, { runtime, apis, cast, people });
    const takeovers: number[] = [];
    for (let repeat = 0; repeat < context.repeats; repeat += 1) {
      context.log('additional worker, from start to first lease');
      takeovers.push(await additionalWorker(runtime, workers, () => start('worker')));
    }
    const value = percentile(takeovers, 50);
    return [
      ...visible,
      {
        figure: 'additional worker, from start to first lease',
        what: 'lease holders killed at the same time',
        value,
        unit: 'ms',
        goal: atMost(value, MAX_TAKEOVER_MS, 'ms'),
      },
    ];
  } finally {
    await Promise.all(started.map((child) => child.stop()));
    await closeRuntime(runtime);
  }
}

interface Running {
  readonly runtime: Runtime;
  readonly apis: readonly Child[];
  readonly cast: Cast;
  readonly people: RunningProduct['signedIn'];
}

async function commandToVisible(context: BenchContext, running: Running): Promise<Measurement[]> {
  context.log(`command to visible with ${SIZE} APIs, ${SIZE} workers and ${CLIENTS} clients`);
  const bare = await bareWriteAndRead(context, running.runtime.pool);
  const commands = await closedLoop({
    clients: CLIENTS,
    seconds: context.seconds * 2,
    work: (client) => writeHereAndReadThere(running, client),
  });
  return [50, 99].map((percent) => ({
    figure: `command to visible through ${SIZE} APIs and ${SIZE} workers, p${percent}`,
    what: `${CLIENTS} clients over HTTP, written through one API and read from the next, ${Math.round(commands.perSecond)} commands/s`,
    value: percentile(commands.latencies, percent),
    unit: 'ms',
    limit: { what: 'one-row commit and its read', value: percentile(bare.latencies, percent) },
  }));
}

async function writeHereAndReadThere({ apis, cast, people }: Running, client: number): Promise<void> {
  const { token = '' } = people[client % people.length] ?? {};
  const title = `How far is the next API? ${randomUUID()}`;
  const { spaceId, subjectId, topic } = cast;
  const place = { subject: subjectId, topic: topic.topicId, space: spaceId };
  const created = await send<{ createQuestion: { _id: string } | null }>(apis[client % SIZE], token, ASK, {
    ...place,
    title,
  });
  const id = created.data?.createQuestion?._id;
  const read = await send<{ getQuestionByIdWithUserAuthorization: { title: string } | null }>(
    apis[(client + 1) % SIZE],
    token,
    READ,
    { id },
  );
  if (created.extensions?.stale === true || read.data?.getQuestionByIdWithUserAuthorization?.title !== title)
    throw new Error(
      `a question that one API confirmed is not visible through the next: ${JSON.stringify({ created, read })}`,
    );
}

async function send<Data>(api: Child | undefined, token: string, query: string, variables: object) {
  const { path, ...request } = graphqlRequest(token, { query }, variables);
  const headers = { ...request.headers, 'idempotency-key': randomUUID() };
  const response = await fetch(`http://127.0.0.1:${api?.port ?? 0}${path}`, { ...request, headers });
  return (await response.json()) as Answer<Data>;
}

/** Kills the lease holders as their successor starts. Includes its startup and the rest of their leases. */
async function additionalWorker(
  runtime: Runtime,
  workers: Child[],
  start: () => Promise<Child>,
): Promise<number> {
  const names = projections.map(({ name }) => name);
  const owners = async (): Promise<(string | null)[]> =>
    (await listGenerations(runtime.pool, names))
      .filter(({ status }) => status === 'live')
      .map(({ owner }) => owner);
  const former = new Set(await owners());
  const startedAt = performance.now();
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  const starting = start();
  while ((await owners()).every((owner) => former.has(owner))) await delay(POLL_MS);
  const took = performance.now() - startedAt;
  workers.push(await starting);
  return took;
}
