import { EventStoreDbDouble } from '@nimo/event-store/testing';
import pg from 'pg';
import { bootApp, type TestApp } from '../../test/app.js';
import { eventually } from '@nimo/testing';
import { newParticipants, type Participant } from '../../test/participant.js';
import { startTestServer } from '../../test/servers/test-server.js';
import type { BenchContext } from '../bench-context.js';
import { atMost, type Measurement } from '../report.js';

const VOTES = 16;
/** Maximum cost relative to PostgreSQL. */
const MAX_RATIO = 1.3;
const COMMON_POSITION = `select max(ordinal)::int as ordinal from read.projection_generations where status = 'live' having min(ordinal) = max(ordinal)`;

interface Costs {
  /** Statements that the API and the worker send to PostgreSQL. */
  readonly statements: number;
  readonly commits: number;
  /** Calls to EventStoreDB. */
  readonly calls: number;
}

/** Cost of votes with the log in EventStoreDB compared with PostgreSQL, in counts that do not depend on the machine. */
export async function measureVoteCosts({ log }: BenchContext): Promise<readonly Measurement[]> {
  const server = await startTestServer();
  const double = await EventStoreDbDouble.start();
  const counter = new StatementCounter();
  try {
    log('statements of votes with the log in PostgreSQL');
    const onPostgres = await costsOf(counter, {}, () => 0);
    log('statements of votes with the log in EventStoreDB');
    const onEventStoreDb = await costsOf(
      counter,
      { EVENTSTORE_URL: double.connectionString },
      () => double.reads.calls + double.written,
    );
    return measurementsOf(onPostgres, onEventStoreDb);
  } finally {
    counter.stop();
    await double.stop();
    await server.stop();
    // The server it names is gone.
    if (server.dataFolder !== undefined) delete process.env['NIMO_TEST_ADMIN_URL'];
  }
}

function measurementsOf(onPostgres: Costs, onEventStoreDb: Costs): Measurement[] {
  const what = `${VOTES} votes with the log in EventStoreDB`;
  const limit = (of: number) => ({ what: 'with the log in PostgreSQL', value: of });
  const statements = onEventStoreDb.statements + onEventStoreDb.calls;
  return [
    {
      figure: 'cost of votes: statements and calls',
      what: `${what}, ${onEventStoreDb.calls} of them calls`,
      value: statements,
      unit: 'statements',
      limit: limit(onPostgres.statements),
      goal: atMost(statements, MAX_RATIO * onPostgres.statements, 'statements'),
    },
    {
      figure: 'cost of votes: transactions',
      what,
      value: onEventStoreDb.commits,
      unit: 'commits',
      limit: limit(onPostgres.commits),
      goal: atMost(onEventStoreDb.commits, MAX_RATIO * onPostgres.commits, 'commits'),
    },
  ];
}

async function costsOf(
  counter: StatementCounter,
  settings: Readonly<Record<string, string>>,
  callsOf: () => number,
): Promise<Costs> {
  const app = await bootApp(settings);
  try {
    const { people } = await newParticipants(app, 2);
    const [voter, author] = people;
    const vote = await voting(app, voter, await author.ask());
    // Warms up connections, plans and leases.
    for (let time = 0; time < 4; time += 1) await vote(time);
    const callsBefore = callsOf();
    counter.begin();
    for (let time = 0; time < VOTES; time += 1) await vote(time);
    return { ...counter.counts(), calls: callsOf() - callsBefore };
  } finally {
    await app.close();
  }
}

/** Votes one at a time, each after the worker has processed the previous one; otherwise batching would depend on timing. */
async function voting(
  app: TestApp,
  voter: Participant,
  id: string,
): Promise<(time: number) => Promise<void>> {
  await app.caughtUp();
  let passed = await eventually(() => commonPosition(app.pool));
  return async (time) => {
    const verb = time % 2 === 0 ? 'upvote' : 'downvote';
    await voter.perform(`${verb}Question(questionId: "${id}") { question { upvoteCount } }`);
    // All projections are also at the same position before the vote has reached any of them.
    passed = await eventually(
      () => commonPosition(app.pool),
      (ordinal) => ordinal > passed,
    );
  };
}

/** Position of all projections; 0 while they differ. */
async function commonPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ordinal: number }>(COMMON_POSITION);
  return rows[0]?.ordinal ?? 0;
}

/** Counts the statements of all connections of this process. */
class StatementCounter {
  private readonly texts: string[] = [];
  private readonly original = Reflect.get(pg.Client.prototype, 'query') as (
    ...parameters: unknown[]
  ) => unknown;

  constructor() {
    const { original, texts } = this;
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client, ...parameters: unknown[]): unknown {
        texts.push(textOf(parameters));
        return original.apply(this, parameters);
      },
    });
  }

  begin(): void {
    this.texts.length = 0;
  }

  counts(): Omit<Costs, 'calls'> {
    const texts = this.texts.filter((text) => text !== COMMON_POSITION);
    return {
      statements: texts.length,
      commits: texts.filter((text) => /^\s*commit/i.test(text)).length,
    };
  }

  stop(): void {
    Object.assign(pg.Client.prototype, { query: this.original });
  }
}

/** The statement's text, from either call signature. */
function textOf([query]: readonly unknown[]): string {
  if (typeof query === 'string') return query;
  const text = (query as { readonly text?: unknown } | undefined)?.text;
  return typeof text === 'string' ? text : '';
}
