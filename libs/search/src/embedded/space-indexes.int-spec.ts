import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import type { Queryable, Statement } from '@nimo/projections';
import { openReadSide, Past, type ReadSide } from '@nimo/projections/testing';
import { SpaceIndexes, WarmUp } from './space-indexes.js';

let side: ReadSide;
let past: Past;
let large: ReturnType<typeof newSpace>;
let small: ReturnType<typeof newSpace>;

function newSpace(questions: number) {
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const student = past.newStudent();
  past.join(student, spaceId);
  const ask = () => past.ask(student, place, { title: 'A rule' });
  for (let count = 0; count < questions; count += 1) ask();
  return { spaceId, ask };
}

beforeAll(async () => {
  side = await openReadSide();
  past = new Past();
  small = newSpace(2);
  large = newSpace(5);
  await side.record(past);
});
afterAll(() => side.close());

/** The spaces whose questions were read from the beginning, in this order. */
let made: unknown[];
const watched: Queryable = {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as the interface has it
  query<R extends QueryResultRow>(statement: Statement): Promise<{ rows: R[] }> {
    const [spaceId, after] = statement.values ?? [];
    if (statement.name === 'search-newer-QUESTION' && after === 0) made.push(spaceId);
    return side.pool.query<R>({ ...statement, values: statement.values ?? [] });
  },
};
beforeEach(() => {
  made = [];
});

const open = (most?: number) => {
  const indexes = new SpaceIndexes(watched, most);
  const warmUp = new WarmUp(watched, indexes);
  const signal = new AbortController().signal;
  return { indexes, round: (until = signal) => warmUp.round(until) };
};

it('makes the indexes of all spaces, the largest first, so that no search has to', async () => {
  const { indexes, round } = open();
  await round();
  expect(made.slice(0, 2)).toEqual([large.spaceId, small.spaceId]);
  made = [];
  expect((await indexes.current('QUESTION', large.spaceId)).size).toBe(5);
  expect(made).toEqual([]);
});

it('goes on with what changed and with spaces that are new', async () => {
  const { indexes, round } = open();
  await round();
  made = [];
  const another = newSpace(1);
  const asked = small.ask();
  await side.record(past);
  await round();
  expect(made).toEqual([another.spaceId]);
  expect((await indexes.current('QUESTION', small.spaceId)).documentOf(asked)).toBeDefined();
  await round();
  expect(made).toHaveLength(1);
});

it('leaves out what has no room, and forgets nothing for it', async () => {
  const { indexes, round } = open(8);
  await indexes.current('QUESTION', small.spaceId);
  made = [];
  await round();
  expect(made).not.toContain(large.spaceId);
  expect(indexes.has(small.spaceId)).toBe(true);
});

it('ends when it is told to', async () => {
  await open().round(AbortSignal.abort());
  expect(made).toEqual([]);
});

it('forgets the space that was searched least lately, whose next search makes its index anew', async () => {
  const { indexes } = open(6);
  await indexes.current('QUESTION', small.spaceId);
  const { size } = await indexes.current('QUESTION', small.spaceId);
  await indexes.current('QUESTION', large.spaceId);
  expect([small, large].map(({ spaceId }) => indexes.has(spaceId))).toEqual([false, true]);
  expect((await indexes.current('QUESTION', small.spaceId)).size).toBe(size);
  expect(made).toEqual([small, large, small].map(({ spaceId }) => spaceId));
});

it('keeps all indexes of a space that is too large for all others', async () => {
  const { indexes } = open(1);
  await indexes.current('QUESTION', large.spaceId);
  await indexes.current('ANSWER', large.spaceId);
  await indexes.current('QUESTION', large.spaceId);
  expect(made).toEqual([large.spaceId]);
});
