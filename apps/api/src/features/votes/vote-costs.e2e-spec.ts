import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import pg from 'pg';
import { bootApp, eventually, type TestApp } from '../../../../../test/app.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';

const VOTES = 16;
/** What one store may cost beside the other. */
const MOST = 1.3;

interface Costs {
  /** Statements that the api and the worker send to PostgreSQL. */
  readonly statements: number;
  readonly commits: number;
  /** Calls of an EventStoreDB. */
  readonly calls: number;
}

const statements = jest.spyOn(pg.Client.prototype, 'query');

/** The text of a statement, however it was asked for. */
function textOf([given]: readonly unknown[]): string {
  if (typeof given === 'string') return given;
  const text = (given as { readonly text?: unknown } | undefined)?.text;
  return typeof text === 'string' ? text : '';
}

const TOGETHER = `select max(ordinal)::int as ordinal from read.projection_generations where status = 'live' having min(ordinal) = max(ordinal)`;

/** How far all projections are; 0 while some have passed events that others have not. */
async function together(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ordinal: number }>(TOGETHER);
  return rows[0]?.ordinal ?? 0;
}

/** One vote after the other, each once the worker has passed the one before: how much is gathered is a matter of time otherwise. */
async function costsOf(app: TestApp, voter: Participant, id: string, callsOf: () => number): Promise<Costs> {
  let passed = await eventually(() => together(app.pool));
  const vote = async (time: number): Promise<void> => {
    const verb = time % 2 === 0 ? 'upvote' : 'downvote';
    await voter.does(`${verb}Question(questionId: "${id}") { question { upvoteCount } }`);
    // They stand together before it has reached any of them, too.
    passed = await eventually(
      () => together(app.pool),
      (ordinal) => ordinal > passed,
    );
  };
  // Connections, plans and leases are there from then on.
  for (let time = 0; time < 4; time += 1) await vote(time);
  statements.mockClear();
  const callsBefore = callsOf();
  for (let time = 0; time < VOTES; time += 1) await vote(time);
  const texts = statements.mock.calls.map(textOf).filter((text) => text !== TOGETHER);
  return {
    statements: texts.length,
    commits: texts.filter((text) => /^\s*commit/i.test(text)).length,
    calls: callsOf() - callsBefore,
  };
}

describe('what votes cost', () => {
  const apps: TestApp[] = [];
  let double: EventStoreDbDouble;
  let onPostgres: Costs;
  let onEventStoreDb: Costs;
  beforeAll(async () => {
    double = await EventStoreDbDouble.start();
    const take = async (settings: Record<string, string>, callsOf: () => number): Promise<Costs> => {
      const app = await bootApp({ ...settings, RATE_LIMIT_FACTOR: '1000' });
      apps.push(app);
      const { people } = await newParticipants(app, 2);
      const [voter, author] = people;
      const costs = await costsOf(app, voter, await author.ask(), callsOf);
      await apps.pop()?.close();
      return costs;
    };
    onPostgres = await take({}, () => 0);
    onEventStoreDb = await take(
      { EVENTSTORE_URL: double.connectionString },
      () => double.reads.calls + double.written,
    );
  }, 120_000);
  afterAll(async () => {
    for (const app of apps) await app.close();
    await double.stop();
    statements.mockRestore();
  });

  it('is no more with the log on EventStoreDB than with the log in PostgreSQL, by statements and calls', () => {
    expect(onEventStoreDb.statements + onEventStoreDb.calls).toBeLessThanOrEqual(
      MOST * onPostgres.statements,
    );
  });

  it('takes the read side no more transactions', () => {
    expect(onEventStoreDb.commits).toBeLessThanOrEqual(MOST * onPostgres.commits);
  });
});
