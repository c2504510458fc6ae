import { describe, expect, it } from '@jest/globals';
import { placeMarks, neighbourOf, pointOf, questionIdIn, convertPoint, scaleOf, withPoint } from './point';

const mark = (ordinal: number, minute: number) => ({
  ordinal,
  at: `2026-05-01T12:${String(minute).padStart(2, '0')}:00.000Z`,
  kind: 'VoteCast',
});
const range = {
  firstOrdinal: 10,
  firstAt: mark(10, 0).at,
  lastOrdinal: 90,
  lastAt: mark(90, 50).at,
  marks: [mark(20, 10), mark(40, 10), mark(60, 30)],
};

describe('a point in the past', () => {
  it('is read from the URL and written to it', () => {
    expect(pointOf(new URLSearchParams('at=2026-05-01T12:00:00Z'))).toEqual({
      by: 'moment',
      at: '2026-05-01T12:00:00.000Z',
    });
    expect(pointOf(new URLSearchParams('ordinal=7'))).toEqual({ by: 'ordinal', ordinal: 7 });
    for (const nonsense of ['', 'at=never', 'ordinal=0', 'ordinal=x', 'ordinal=1.5'])
      expect(pointOf(new URLSearchParams(nonsense))).toBeUndefined();
    const changed = withPoint(new URLSearchParams('space=s&ordinal=7&page=3'), {
      by: 'moment',
      at: range.lastAt,
    });
    expect([...changed.keys()]).toEqual(['space', 'at']);
  });
  it('has a previous and a next mark', () => {
    expect(neighbourOf(range.marks, { by: 'ordinal', ordinal: 40 }, 'before')).toEqual({
      point: { by: 'ordinal', ordinal: 20 },
      marks: [mark(20, 10)],
    });
    expect(neighbourOf(range.marks, { by: 'ordinal', ordinal: 40 }, 'after')).toEqual({
      point: { by: 'ordinal', ordinal: 60 },
      marks: [mark(60, 30)],
    });
    expect(neighbourOf(range.marks, { by: 'moment', at: mark(0, 30).at }, 'before')?.marks).toEqual([
      mark(20, 10),
      mark(40, 10),
    ]);
    expect(neighbourOf(range.marks, { by: 'moment', at: mark(0, 10).at }, 'before')).toBeUndefined();
    expect(neighbourOf(range.marks, { by: 'ordinal', ordinal: 60 }, 'after')).toBeUndefined();
  });
  it('converts between time and event number as precisely as the marks allow', () => {
    const atEleven = { by: 'moment', at: '2026-05-01T12:11:00.000Z' } as const;
    expect(convertPoint(atEleven, 'ordinal', range)).toEqual({ by: 'ordinal', ordinal: 40 });
    expect(convertPoint({ by: 'ordinal', ordinal: 59 }, 'moment', range)).toEqual({
      by: 'moment',
      at: mark(0, 10).at,
    });
    expect(convertPoint({ by: 'ordinal', ordinal: 1 }, 'moment', range)).toEqual({
      by: 'moment',
      at: range.firstAt,
    });
    expect(convertPoint(atEleven, 'moment', range)).toBe(atEleven);
  });
  it('has a scale of seconds or events, whose marks do not overlap', () => {
    expect(scaleOf(range, 'ordinal')).toEqual({ min: 10, max: 90, step: 1 });
    expect(scaleOf(range, 'moment').step).toBe(6000);
    const crowd = Array.from({ length: 1000 }, (_, index) => mark(index + 1, 0));
    const placed = placeMarks(crowd, 'ordinal', { min: 1, max: 1000, step: 1 });
    expect(placed.length).toBeLessThanOrEqual(61);
    expect(placed.flatMap(({ marks }) => marks)).toEqual(crowd);
  });
});

describe('questionIdIn', () => {
  it('finds the ID in any link of a question', () => {
    const id = '3f2b8c1e-1111-4222-8333-444455556666';
    for (const text of [
      id,
      `https://nimo.example/singleQuestion/${id}/home`,
      ` /question/${id.toUpperCase()} `,
    ])
      expect(questionIdIn(text)).toBe(id);
    expect(questionIdIn('https://nimo.example/dashboard')).toBeUndefined();
  });
});
