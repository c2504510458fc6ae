import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import type { Queryable, Statement } from '@nimo/projections';
import { openReadSide, EventHistory, type ReadSide } from '@nimo/projections/testing';
import { SpaceIndexes, WarmUp } from './space-indexes.js';

let side: ReadSide;
let past: EventHistory;
let large: ReturnType<typeof newSpace>;
let small: ReturnType<typeof newSpace>;

function newSpace(questions: number) {
  const spaceId = past.newSpace();
  const topic = past.newTopic(spaceId, past.newSubject(spaceId));
  const student = past.newStudent();
  past.join(student, spaceId);
  const ask = () => past.ask(student, topic, { title: 'A rule' });
  for (let count = 0; count < questions; count += 1) ask();
  return { spaceId, ask };
}

beforeAll(async () => {
  side = await openReadSide();
  past = new EventHistory();
  small = newSpace(2);
  large = newSpace(5);
  await side.record(past);
});
afterAll(() => side.close());

/** Spaces whose question index was built, in order. */
let built: unknown[];
const recorded: Queryable = {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- required by the interface
  query<R extends QueryResultRow>(statement: Statement): Promise<{ rows: R[] }> {
    const [spaceId, after] = statement.values ?? [];
    if (statement.name === 'search-newer-QUESTION' && after === 0) built.push(spaceId);
    return side.pool.query<R>({ ...statement, values: statement.values ?? [] });
  },
};
beforeEach(() => {
  built = [];
});

const open = (maxDocuments?: number) => {
  const indexes = new SpaceIndexes(recorded, maxDocuments);
  const warmUp = new WarmUp(recorded, indexes);
  const signal = new AbortController().signal;
  return { indexes, round: (until = signal) => warmUp.round(until) };
};

it('builds the indexes of all spaces ahead of searches, largest first', async () => {
  const { indexes, round } = open();
  await round();
  expect(built.slice(0, 2)).toEqual([large.spaceId, small.spaceId]);
  built = [];
  expect((await indexes.current('QUESTION', large.spaceId)).size).toBe(5);
  expect(built).toEqual([]);
});

it('updates changed spaces and adds new ones', async () => {
  const { indexes, round } = open();
  await round();
  built = [];
  const another = newSpace(1);
  const asked = small.ask();
  await side.record(past);
  await round();
  expect(built).toEqual([another.spaceId]);
  expect((await indexes.current('QUESTION', small.spaceId)).documentOf(asked)).toBeDefined();
  await round();
  expect(built).toHaveLength(1);
});

it('skips spaces beyond the limit and evicts none for them', async () => {
  const { indexes, round } = open(8);
  await indexes.current('QUESTION', small.spaceId);
  built = [];
  await round();
  expect(built).not.toContain(large.spaceId);
  expect(indexes.has(small.spaceId)).toBe(true);
});

it('stops when aborted', async () => {
  await open().round(AbortSignal.abort());
  expect(built).toEqual([]);
});

it('evicts the least recently searched space and rebuilds its index on the next search', async () => {
  const { indexes } = open(6);
  await indexes.current('QUESTION', small.spaceId);
  const { size } = await indexes.current('QUESTION', small.spaceId);
  await indexes.current('QUESTION', large.spaceId);
  expect([small, large].map(({ spaceId }) => indexes.has(spaceId))).toEqual([false, true]);
  expect((await indexes.current('QUESTION', small.spaceId)).size).toBe(size);
  expect(built).toEqual([small, large, small].map(({ spaceId }) => spaceId));
});

it('keeps all indexes of a space that exceeds the limit on its own', async () => {
  const { indexes } = open(1);
  await indexes.current('QUESTION', large.spaceId);
  await indexes.current('ANSWER', large.spaceId);
  await indexes.current('QUESTION', large.spaceId);
  expect(built).toEqual([large.spaceId]);
});
