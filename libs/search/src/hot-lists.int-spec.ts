import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TimeSlice } from '@nimo/projection-engine';
import type { Queryable } from '@nimo/projections';
import { type LargeReadSide, openLargeReadSide } from '@nimo/projections/testing';
import { nameSource, postSource } from './embedded/sources.js';
import { postHits } from './post-hits.js';

let side: LargeReadSide;
let seen: LargeReadSide['seen'];

beforeAll(async () => {
  side = await openLargeReadSide();
  ({ seen } = side);
});
afterAll(() => side.close());

const HOT: readonly (readonly [string, (db: Queryable) => Promise<unknown>])[] = [
  ['newer posts', (db) => postSource('QUESTION').read(db, seen.spaceId, 0, 500)],
  ['newer names', (db) => nameSource('PERSON').read(db, seen.spaceId, 1_000_000, 500)],
  ['the newest name version', (db) => nameSource('PERSON').initial.head(db)],
  [
    'hit texts',
    (db) =>
      postHits(
        db,
        { text: '', spaceId: seen.spaceId, sort: 'BEST', skip: 0, limit: 10 },
        [{ id: seen.questionId, isMatch: () => false }],
        new TimeSlice(),
      ),
  ],
];

it.each(HOT)('reads %s without scanning or sorting a table', async (_, run) => {
  expect(await side.largeScansOf(run)).toEqual([]);
});
