import { DEFAULT_SCORING_RULES, SCORING_RULES_STREAM } from '@nimo/domain';
import { compareRulesSql, projections, weightsOf } from '@nimo/projections';
import { ProjectionWorker } from '@nimo/projection-engine';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { rescoreAllSql } from '../../libs/projections/src/leaderboard/rescore.sql.js';
import { closeRuntime, type Runtime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { openBenchRuntime } from '../community/community-database.js';
import { atLeast, atMost, type Measurement } from '../report.js';

const DATASET_VERSION = 2;
const FACTS = { full: 1_000_000, quick: 50_000 };
const FACTS_PER_STUDENT = 10;
const SPACES = 5;
const GOAL_FACTS_PER_SECOND = 500_000;
const GOAL_READER_MS = 50;
const TABLE = 'read.score_facts__g1';
const leaderboard = projections.filter(({ name }) => name === 'leaderboard');

/** The same sums in plain SQL: no rules to join, no ranks, nothing stored. */
const BARE = `create table public.bare as
  select space_id, student_id, sum(points) + greatest(1, 1 - min(prefix)) as merit, max(ordinal) as last from (
    select space_id, student_id, ordinal, points,
      sum(points) over (partition by student_id, space_id order by ordinal rows unbounded preceding) as prefix
    from (select space_id, student_id, ordinal, case when kind like '%DOWN%' then -5 else 50 end as points
          from ${TABLE} where standing) facts
  ) running group by space_id, student_id`;

/** New rules over the whole history: the statement alone, a trial, and publication from the event to the new leaderboard. */
export async function measureRescoring(context: BenchContext): Promise<readonly Measurement[]> {
  const facts = FACTS[context.isQuick ? 'quick' : 'full'];
  const runtime = await openBenchRuntime(context, await factsDatabase(context, facts));
  try {
    await context.server.settle();
    const times = { bare: [] as number[], statement: [] as number[], trial: [] as number[] };
    for (let round = 0; round < context.repeats; round += 1) {
      times.bare.push(await secondsOf(runtime, BARE));
      const weights = weightsOf([]);
      const statement = rescoreAllSql(TABLE);
      times.statement.push(
        await secondsOf(runtime, `create table public.rescored as ${statement}`, [weights]),
      );
      times.trial.push(
        await secondsOf(runtime, `create temporary table trial as ${compareRulesSql()}`, [weights]),
      );
    }
    const published = await publication(context, runtime);
    return measurementsOf(facts, times, published);
  } finally {
    await closeRuntime(runtime);
  }
}

/** A database with facts as votes would leave them, without their events. Cached for later runs. */
async function factsDatabase(context: BenchContext, facts: number): Promise<string> {
  const { server, log } = context;
  const name = `bench_rescoring_${facts}_v${DATASET_VERSION}`;
  if (await server.hasDatabase(name)) return name;
  log(`creating ${facts} facts, cached for later runs`);
  const unfinished = `${name}_unfinished`;
  await server.createMigrated(unfinished);
  const runtime = await openBenchRuntime(context, unfinished);
  try {
    await runtime.pool.query(
      `with spaces as (select array_agg(gen_random_uuid()::text) as ids from generate_series(1, ${SPACES})),
       students as materialized (select gen_random_uuid()::text as id, i from generate_series(1, $1::bigint / ${FACTS_PER_STUDENT}) i),
       drawn as (select n, 1 + (n * 7919) % ($1::bigint / ${FACTS_PER_STUDENT}) as student, random() * 100 as chance
         from generate_series(1, $1::bigint) n)
       insert into ${TABLE} (space_id, student_id, kind, post_id, source_id, ordinal, occurred_at, held, invalidated_by, standing,
         round, reports, superseded)
       select (select ids[1 + student % ${SPACES}] from spaces), students.id,
         case when chance < 10 then 'QUESTION_POSTED' when chance < 22 then 'ANSWER_POSTED' when chance < 30 then 'COMMENT_POSTED'
           when chance < 55 then 'UPVOTE_CAST' when chance < 58 then 'DOWNVOTE_CAST' when chance < 70 then 'QUESTION_UPVOTED'
           when chance < 73 then 'QUESTION_DOWNVOTED' when chance < 91 then 'ANSWER_UPVOTED' when chance < 94 then 'ANSWER_DOWNVOTED'
           when chance < 97 then 'ANSWER_ACCEPTED' else 'ACCEPTED_AN_ANSWER' end,
         gen_random_uuid()::text, n::text, n, timestamptz '2020-01-01' + n * interval '2 min', true, '{}', chance < 97, null, '[]', false
       from drawn join students on students.i = student`,
      [facts],
    );
    await runtime.pool.query('vacuum analyze');
  } finally {
    await closeRuntime(runtime);
  }
  await server.rename(unfinished, name);
  return name;
}

const SETTINGS = `begin; set local work_mem = '128MB'; set local parallel_setup_cost = 100; set local parallel_tuple_cost = 0.005`;

async function secondsOf({ pool }: Runtime, statement: string, values: unknown[] = []): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query(SETTINGS);
    const start = performance.now();
    await client.query(statement, values);
    const seconds = (performance.now() - start) / 1000;
    await client.query('rollback');
    return seconds;
  } finally {
    client.release();
  }
}

interface Publication {
  readonly seconds: number;
  /** Longest read of the leaderboard during the publication. */
  readonly longestReadMs: number;
}

/** Publishes through the store and the worker while a reader reads continuously. */
async function publication(context: BenchContext, { pool, store }: Runtime): Promise<Publication> {
  const failures: unknown[] = [];
  const worker = new ProjectionWorker({
    pool,
    store,
    projections: leaderboard,
    onError: (error) => failures.push(error),
  });
  await worker.start();
  try {
    await publishRules(store, pool);
    context.log('publishing rules with a concurrent reader');
    const reading = { isOn: true, longest: 0 };
    const reader = (async () => {
      while (reading.isOn) {
        const start = performance.now();
        await pool.query('select student_id, score from read.leaderboard order by score desc limit 20');
        reading.longest = Math.max(reading.longest, performance.now() - start);
        await delay(5);
      }
    })();
    const start = performance.now();
    await publishRules(store, pool);
    const seconds = (performance.now() - start) / 1000;
    reading.isOn = false;
    await reader;
    if (failures.length > 0) throw failures[0];
    return { seconds, longestReadMs: reading.longest };
  } finally {
    await worker.stop();
  }
}

async function publishRules(store: Runtime['store'], pool: Runtime['pool']): Promise<void> {
  const { rows } = await pool.query<{ version: number }>(
    'select coalesce(max(version), 1)::int as version from read.scoring_rules',
  );
  const version = (rows[0]?.version ?? 1) + 1;
  const id = randomUUID();
  const now = new Date().toISOString();
  const trace = { commandId: id, correlationId: id, causationId: id, schemaVersion: 1 };
  await store.append([
    {
      streamId: SCORING_RULES_STREAM,
      expectedRevision: 'any',
      events: [
        {
          id,
          type: 'ScoringRulesPublished',
          data: { ...DEFAULT_SCORING_RULES, version, note: 'bench' },
          metadata: { occurredAt: now, recordedAt: now, actor: { kind: 'system' }, ...trace },
        },
      ],
    },
  ]);
  for (;;) {
    const found = await pool.query('select 1 from read.leaderboard where rules_version = $1 limit 1', [
      version,
    ]);
    if (found.rowCount === 1) return;
    await delay(10);
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;

function measurementsOf(
  facts: number,
  times: { readonly bare: number[]; readonly statement: number[]; readonly trial: number[] },
  { seconds, longestReadMs }: Publication,
): Measurement[] {
  const what = `${facts.toLocaleString('en')} facts of ${(facts / FACTS_PER_STUDENT).toLocaleString('en')} students`;
  const limit = { what: 'bare SQL', value: facts / median(times.bare) };
  const rate = facts / median(times.statement);
  return [
    {
      figure: 'rescoring, the statement',
      what,
      value: rate,
      unit: 'facts/s',
      limit,
      goal: atLeast(rate, GOAL_FACTS_PER_SECOND, 'facts/s'),
    },
    {
      figure: 'rescoring, a trial with ranks',
      what,
      value: facts / median(times.trial),
      unit: 'facts/s',
      limit,
    },
    {
      figure: 'rescoring, event to new leaderboard',
      what: `${what}, with indexes`,
      value: facts / seconds,
      unit: 'facts/s',
      limit,
    },
    {
      figure: 'rescoring, longest concurrent read',
      what: 'first page',
      value: longestReadMs,
      unit: 'ms',
      goal: atMost(longestReadMs, GOAL_READER_MS, 'ms'),
    },
  ];
}
