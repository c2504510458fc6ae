import { describe, expect, it } from '@jest/globals';
import { periodOf } from './statistics.resolver.js';

const NOW = new Date('2026-11-21T23:30:00.000Z');
const refusal = (period: Parameters<typeof periodOf>[0]) => {
  try {
    return periodOf(period, NOW);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a period', () => {
  it('defaults to the last thirty days', () => {
    expect(periodOf({}, NOW)).toEqual({ from: '2026-10-23', to: '2026-11-21' });
    expect(periodOf({ from: '2026-11-01', to: null }, NOW)).toEqual({ from: '2026-11-01', to: '2026-11-21' });
    expect(periodOf({ to: '2024-03-01' }, NOW)).toEqual({ from: '2024-02-01', to: '2024-03-01' });
  });

  it.each(['21.11.2026', '2026-02-30', '2026-13-01', '', "2026-01-01' or 1"])(
    'rejects %j as a day',
    (day) => {
      expect(refusal({ to: day })).toBe('to must be a date as YYYY-MM-DD.');
    },
  );

  it('spans 1 to 366 days', () => {
    expect(refusal({ from: '2026-11-22', to: '2026-11-21' })).toBe('The period must span 1 to 366 days.');
    expect(refusal({ from: '2024-01-01', to: '2025-01-01' })).toBe('The period must span 1 to 366 days.');
    expect(refusal({ from: '2024-01-01', to: '2024-12-31' })).toEqual({
      from: '2024-01-01',
      to: '2024-12-31',
    });
  });
});
