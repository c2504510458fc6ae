import { randomUUID } from 'node:crypto';
import {
  type ActingStudent,
  aggregate,
  askQuestion,
  findSubject,
  membershipDecider,
  questionDecider,
  spaceDecider,
} from '@nimo/domain';
import { handleCommand, openPool } from '@nimo/event-store';
import { findQuestionById } from '@nimo/projections';
import { decidersByStream, DomainStreams } from '../../apps/api/src/platform/commands/domain-streams.js';
import { closeRuntime, type Runtime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { type Cast, loadCast } from '../community/cast.js';
import { communityDatabase, openBenchRuntime } from '../community/community-database.js';
import { visibleFloor } from '../floors/visible-floor.js';
import { startProgram } from '../programs/children.js';
import { atMost, type Measurement } from '../report.js';
import { closedLoop, percentile } from '../sampling.js';

const CLIENTS = 20;
const GOAL_P99_MS = 50;

/** From sending a command to reading its row, with the worker in its own process, as in the product. */
export async function measureVisible(context: BenchContext): Promise<readonly Measurement[]> {
  const database = await communityDatabase(context);
  context.log(`floor of command to visible with ${CLIENTS} clients`);
  const floor = await visibleFloor(context, CLIENTS);
  const worker = await startProgram('worker', context.server.environment(database));
  const runtime = await openBenchRuntime(context, database);
  try {
    const cast = await loadCast(runtime.pool);
    await context.server.settle();
    context.log(`command to visible with ${CLIENTS} clients`);
    const bare = await bareWriteAndRead(context, runtime.pool);
    const commands = await closedLoop({
      clients: CLIENTS,
      seconds: context.seconds * 2,
      work: () => askAndSee(runtime, cast),
    });
    const rate = `${Math.round(commands.perSecond)} commands/s`;
    return [50, 99, 99.9].flatMap((percent) => {
      const value = percentile(commands.latencies, percent);
      const minimum = percentile(floor.latencies, percent);
      const limit = { what: 'one-row commit and its read', value: percentile(bare.latencies, percent) };
      const own = {
        figure: `command to visible, p${percent}`,
        what: `${CLIENTS} clients, ${rate}`,
        value,
        unit: 'ms',
      };
      return [
        { ...own, limit, ...(percent === 99 && { goal: atMost(value, GOAL_P99_MS, 'ms') }) },
        {
          ...own,
          figure: `${own.figure}: floor`,
          what: `append, fold by another process, read; ${Math.round(floor.perSecond)} commands/s`,
          value: minimum,
          limit,
        },
        { ...own, limit: { what: 'the floor', value: minimum } },
      ];
    });
  } finally {
    await worker.stop();
    await closeRuntime(runtime);
  }
}

async function askAndSee(
  { store, waiter, pool }: Runtime,
  { spaceId, subjectId, topic, students }: Cast,
): Promise<void> {
  const studentId = students[Math.floor(Math.random() * students.length)] ?? '';
  const actor: ActingStudent = { kind: 'student', studentId, registered: true, blocked: false, roles: [] };
  const questionId = randomUUID();
  const { streamId } = aggregate(questionDecider, questionId);
  const space = aggregate(spaceDecider, spaceId);
  const membership = aggregate(membershipDecider, spaceId, studentId);
  const now = new Date().toISOString();
  const { position } = await handleCommand({
    store,
    streamIds: [streamId, space.streamId, membership.streamId],
    commandId: questionId,
    metadata: {
      occurredAt: now,
      recordedAt: now,
      actor: { kind: 'student', id: studentId },
      correlationId: questionId,
      causationId: questionId,
    },
    decide: (loaded) => {
      const streams = new DomainStreams(decidersByStream([space, membership]), loaded, now);
      const command = {
        actor,
        isMember: streams.state(membership).isMember,
        questionId,
        spaceId,
        subject: findSubject(streams.state(space), subjectId) ?? null,
        topic,
        title: 'How long until this is visible?',
        body: '<p>From the click to the page.</p>',
        imageUrls: [],
      };
      return { streamId, events: askQuestion(command, questionDecider.initial) };
    },
  });
  if (position === undefined) throw new Error('no question was created');
  const { stale } = await waiter.waitFor(['questions'], position);
  const seen = await findQuestionById(pool, questionId, studentId);
  if (stale || !seen) throw new Error('a command was acknowledged but its row is missing');
}

/** Minimum for a durable write and its read, with the same number of clients. */
export async function bareWriteAndRead({ seconds, server }: BenchContext, { options }: Runtime['pool']) {
  const pool = openPool({ ...options, max: CLIENTS });
  await pool.query('create table if not exists public.bare (id uuid primary key, body text)');
  const measured = await closedLoop({
    clients: CLIENTS,
    seconds,
    work: async () => {
      const id = randomUUID();
      await pool.query({
        name: 'bare-write',
        text: 'insert into public.bare values ($1, $2)',
        values: [id, 'x'.repeat(400)],
      });
      await pool.query({ name: 'bare-read', text: 'select * from public.bare where id = $1', values: [id] });
    },
  });
  await pool.query('drop table public.bare');
  await pool.end();
  await server.settle();
  return measured;
}
