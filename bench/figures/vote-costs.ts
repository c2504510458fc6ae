import { EventStoreDbDouble } from '@nimo/event-store/testing';
import pg from 'pg';
import { bootApp, type TestApp } from '../../test/app.js';
import { eventually } from '@nimo/testing';
import { newParticipants, type Participant } from '../../test/participant.js';
import { startTestServer } from '../../test/servers/test-server.js';
import type { BenchContext } from '../bench-context.js';
import { atMost, type Measurement } from '../report.js';

const VOTES = 16;
/** What one store may cost beside the other. */
const MAX_RATIO = 1.3;
const TOGETHER = `select max(ordinal)::int as ordinal from read.projection_generations where status = 'live' having min(ordinal) = max(ordinal)`;

interface Costs {
  /** Statements that the api and the worker send to PostgreSQL. */
  readonly statements: number;
  readonly commits: number;
  /** Calls of an EventStoreDB. */
  readonly calls: number;
}

/** What votes cost with the log in EventStoreDB beside the log in PostgreSQL: counts, whatever the machine. */
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
    // It names a server that is gone.
    if (server.dataFolder !== undefined) delete process.env['NIMO_TEST_ADMIN_URL'];
  }
}

function measurementsOf(onPostgres: Costs, onEventStoreDb: Costs): Measurement[] {
  const what = `${VOTES} votes with the log in EventStoreDB`;
  const beside = (of: number) => ({ what: 'with the log in PostgreSQL', value: of });
  const statements = onEventStoreDb.statements + onEventStoreDb.calls;
  return [
    {
      figure: 'what votes cost: statements and calls',
      what: `${what}, ${onEventStoreDb.calls} of them calls`,
      value: statements,
      unit: 'statements',
      limit: beside(onPostgres.statements),
      goal: atMost(statements, MAX_RATIO * onPostgres.statements, 'statements'),
    },
    {
      figure: 'what votes cost: transactions',
      what,
      value: onEventStoreDb.commits,
      unit: 'commits',
      limit: beside(onPostgres.commits),
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
    // Connections, plans and leases are there from then on.
    for (let time = 0; time < 4; time += 1) await vote(time);
    const callsBefore = callsOf();
    counter.begin();
    for (let time = 0; time < VOTES; time += 1) await vote(time);
    return { ...counter.counts(), calls: callsOf() - callsBefore };
  } finally {
    await app.close();
  }
}

/** One vote after the other, each once the worker has passed the one before: how much is gathered is a matter of time otherwise. */
async function voting(
  app: TestApp,
  voter: Participant,
  id: string,
): Promise<(time: number) => Promise<void>> {
  await app.caughtUp();
  let passed = await eventually(() => together(app.pool));
  return async (time) => {
    const verb = time % 2 === 0 ? 'upvote' : 'downvote';
    await voter.does(`${verb}Question(questionId: "${id}") { question { upvoteCount } }`);
    // They stand together before it has reached any of them, too.
    passed = await eventually(
      () => together(app.pool),
      (ordinal) => ordinal > passed,
    );
  };
}

/** How far all projections are; 0 while some have passed events that others have not. */
async function together(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ordinal: number }>(TOGETHER);
  return rows[0]?.ordinal ?? 0;
}

/** Counts what every connection of this process sends. */
class StatementCounter {
  private readonly texts: string[] = [];
  private readonly original = Reflect.get(pg.Client.prototype, 'query') as (...given: unknown[]) => unknown;

  constructor() {
    const { original, texts } = this;
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client, ...given: unknown[]): unknown {
        texts.push(textOf(given));
        return original.apply(this, given);
      },
    });
  }

  begin(): void {
    this.texts.length = 0;
  }

  counts(): Omit<Costs, 'calls'> {
    const texts = this.texts.filter((text) => text !== TOGETHER);
    return {
      statements: texts.length,
      commits: texts.filter((text) => /^\s*commit/i.test(text)).length,
    };
  }

  stop(): void {
    Object.assign(pg.Client.prototype, { query: this.original });
  }
}

/** The text of a statement, however it was asked for. */
function textOf([given]: readonly unknown[]): string {
  if (typeof given === 'string') return given;
  const text = (given as { readonly text?: unknown } | undefined)?.text;
  return typeof text === 'string' ? text : '';
}
