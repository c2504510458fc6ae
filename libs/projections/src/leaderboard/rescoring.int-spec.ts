import { DEFAULT_SCORING_RULES, type FactKind, type ScoringRules, type Weight } from '@nimo/domain';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import {
  canonicalHash,
  listGenerations,
  ProjectionMaintenance,
  ProjectionWorker,
} from '@nimo/projection-engine';
import { allEvents, caughtUp, failTest, replay } from '@nimo/projection-engine/testing';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { leaderboardProjection } from './leaderboard.projection.js';
import { compareRulesSql, weightsOf } from './scoring-trial.queries.js';

const weighed = (changes: Partial<Record<FactKind, Weight>>): Partial<ScoringRules> => ({
  weights: { ...DEFAULT_SCORING_RULES.weights, ...changes },
});

let database: TestDatabase;
let pool: pg.Pool;
let store: InMemoryEventStore;
let worker: ProjectionWorker;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.pool();
  store = new InMemoryEventStore();
  worker = new ProjectionWorker({ pool, store, projections: [leaderboardProjection], onError: failTest });
  await worker.start();
});
afterEach(async () => {
  await worker.stop();
  await store.close();
  await database.drop();
});

const live = async () => {
  const generations = await listGenerations(pool, [leaderboardProjection.name]);
  const found = generations.find(({ status }) => status === 'live');
  if (!found) throw new Error('no live generation');
  return found;
};
const boardCaughtUp = () => caughtUp(pool, leaderboardProjection, store);
const versionsOnBoard = async (): Promise<number[]> => {
  const { rows } = await pool.query<{ versions: number[] }>(
    `select coalesce(array_agg(distinct rules_version), '{}') as versions from read.leaderboard`,
  );
  return rows[0]?.versions ?? [];
};

/** Each call appends the events added since the last one. */
function recorder(past: EventHistory) {
  let recorded = 0;
  return async () => {
    const appends = past.appends.slice(recorded);
    recorded = past.appends.length;
    if (appends.length > 0) await store.append(appends);
  };
}

function crowd(past: EventHistory, students: number) {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const people = Array.from({ length: students }, () => past.newStudent());
  const questions = people.slice(0, 10).map((author) => past.ask(author, place));
  return { spaceId, people, questions };
}

describe('new rules', () => {
  it('take effect atomically for a continuous reader and lose no votes', async () => {
    const past = new EventHistory();
    const record = recorder(past);
    const { people, questions } = crowd(past, 40);
    await record();
    await boardCaughtUp();
    const seen: string[] = [];
    const reading = { isOn: true };
    const reader = (async () => {
      while (reading.isOn) {
        const versions = await versionsOnBoard();
        expect(versions).toHaveLength(1);
        const last = String(versions[0]);
        if (seen.at(-1) !== last) seen.push(last);
      }
    })();
    for (const merit of [7, 70, 700]) {
      for (const voter of people.slice(10)) past.vote(voter, questions[merit % 10] ?? '', 'UP');
      past.publishRules(weighed({ QUESTION_UPVOTED: { merit, impact: 0 } }));
      for (const voter of people.slice(20)) past.vote(voter, questions[3] ?? '', 'UP');
      await record();
    }
    await boardCaughtUp();
    reading.isOn = false;
    await reader;
    expect(seen.at(-1)).toBe('4');
    expect(seen).toEqual([...seen].sort());
    const { generation } = await live();
    const expected = await replay(pool, leaderboardProjection, await allEvents(store), [1]);
    expect(await canonicalHash(pool, leaderboardProjection, generation)).toBe(expected);
  });

  it('keep the tables and indexes and leave nothing else behind', async () => {
    const past = new EventHistory();
    crowd(past, 12);
    const record = recorder(past);
    await record();
    await boardCaughtUp();
    const relations = async () => {
      const { rows } = await pool.query<{ name: string; indexes: string[] }>(
        `select c.relname::text as name, array(select pg_get_indexdef(indexrelid) from pg_index where indrelid = c.oid order by 1) as indexes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'read' and c.relkind in ('r', 'v') order by 1`,
      );
      return rows;
    };
    await eventually(live, ({ indexed }) => indexed);
    const before = await relations();
    past.publishRules(weighed({ QUESTION_POSTED: { merit: 0, impact: 3 } }));
    await record();
    await boardCaughtUp();
    expect(await relations()).toEqual(before);
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from read.leaderboard');
    expect(rows[0]?.n).toBe(10);
  });

  it('take effect despite a long-running reader', async () => {
    const past = new EventHistory();
    const { people, questions } = crowd(past, 12);
    const record = recorder(past);
    await record();
    await boardCaughtUp();
    const backup = await pool.connect();
    try {
      await backup.query('begin; select count(*) from read.leaderboard');
      past.vote(people[11] ?? '', questions[0] ?? '', 'UP');
      past.publishRules(weighed({ QUESTION_UPVOTED: { merit: 9, impact: 0 } }));
      await record();
      await boardCaughtUp();
      expect(await versionsOnBoard()).toEqual([2]);
      await backup.query('commit');
    } finally {
      backup.release();
    }
    const { generation } = await live();
    const expected = await replay(pool, leaderboardProjection, await allEvents(store), [1]);
    expect(await canonicalHash(pool, leaderboardProjection, generation)).toBe(expected);
  });

  it('give the same result when published during a rebuild', async () => {
    const past = randomHistory(4_211, 400);
    const record = recorder(past);
    await record();
    await boardCaughtUp();
    const maintenance = new ProjectionMaintenance({
      pool,
      store,
      projections: [leaderboardProjection],
    });
    for (const merit of [11, 13]) {
      const rebuilding = maintenance.rebuild(leaderboardProjection.name);
      past.publishRules(weighed({ ANSWER_UPVOTED: { merit, impact: 0 } }));
      await record();
      expect(await rebuilding).toBe('switched');
    }
    await boardCaughtUp();
    const { generation } = await live();
    const expected = await replay(pool, leaderboardProjection, await allEvents(store), [400]);
    expect(await canonicalHash(pool, leaderboardProjection, generation)).toBe(expected);
    expect(await maintenance.verify(leaderboardProjection.name)).toMatchObject({
      outcome: 'EQUAL',
    });
  });

  it.each([3, 17])(
    'give the scores and ranks that their trial predicted, in random history %i',
    async (seed) => {
      const past = randomHistory(seed * 7_919, 400);
      const record = recorder(past);
      await record();
      await boardCaughtUp();
      const { rows: published } = await pool.query<{ rules: ScoringRules }>(
        'select rules from read.scoring_rules where withdrawn_at is null order by version',
      );
      const effectiveFrom = seed === 3 ? null : '2026-01-01T10:00:00.000Z';
      const rules = {
        ...DEFAULT_SCORING_RULES,
        ...weighed({ QUESTION_UPVOTED: { merit: 3, impact: 0 }, COMMENT_POSTED: { merit: 1, impact: 9 } }),
        reportThreshold: 1,
        effectiveFrom,
      };
      const versions = [...published.map((row) => row.rules), { ...rules, version: 999 }];
      const { rows: predicted } = await pool.query(
        `select space_id, student_id, merit_after as merit, impact_after as impact, score_after as score, rank_after as rank
       from (${compareRulesSql()}) t where rank_after is not null order by space_id, rank_after`,
        [weightsOf(versions)],
      );
      past.publishRules({ ...rules, note: randomUUID() });
      await record();
      await boardCaughtUp();
      const { rows: actual } = await pool.query(
        `select space_id, student_id, merit, impact, score,
         (row_number() over (partition by space_id order by score desc, last_ordinal, student_id collate "C"))::integer as rank
       from read.leaderboard order by space_id, rank`,
      );
      expect(actual.length).toBeGreaterThan(3);
      expect(actual).toEqual(predicted);
    },
  );
});
