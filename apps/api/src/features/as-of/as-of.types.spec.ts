import { describe, expect, it } from '@jest/globals';
import { asOfPoint } from './as-of.types.js';

const now = new Date('2026-05-01T12:00:00.000Z');
const known = { lastOrdinal: 10, now };
const refusal = (rule: string, field: string): unknown =>
  expect.objectContaining({ details: { rule, field } });
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a point in the past', () => {
  it('is a log position or a time that is not in the future', () => {
    expect(asOfPoint({ ordinal: 10 }, known)).toEqual({ by: 'ordinal', ordinal: 10 });
    expect(asOfPoint({ ordinal: 1, at: null }, known)).toEqual({ by: 'ordinal', ordinal: 1 });
    const at = '2026-05-01T12:00:30.000Z';
    expect(asOfPoint({ at }, known)).toEqual({ by: 'moment', at });
  });
  it('requires exactly one of ordinal and at', () => {
    const both = { ordinal: 1, at: now.toISOString() };
    for (const input of [{}, { ordinal: null, at: null }, both])
      expect(thrownBy(() => asOfPoint(input, known))).toEqual(refusal('AS_OF_EXACTLY_ONE', 'asOf'));
  });
  it('lies within the log and not in the future', () => {
    for (const ordinal of [0, -1, 11])
      expect(thrownBy(() => asOfPoint({ ordinal }, known))).toEqual(
        refusal('AS_OF_OUTSIDE_THE_LOG', 'ordinal'),
      );
    expect(thrownBy(() => asOfPoint({ at: '2026-05-01T12:02:00.000Z' }, known))).toEqual(
      refusal('AS_OF_NOT_YET', 'at'),
    );
    for (const at of ['-100000-01-01T00:00:00.000Z', '1899-12-31T23:59:59.999Z'])
      expect(thrownBy(() => asOfPoint({ at }, known))).toEqual(refusal('AS_OF_OUTSIDE_THE_LOG', 'at'));
  });
});
