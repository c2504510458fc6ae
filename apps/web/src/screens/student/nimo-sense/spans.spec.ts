import { describe, expect, it } from '@jest/globals';
import { latest, pieces } from './spans';

describe('pieces of a period', () => {
  it('end with today', () => {
    expect(latest(30, new Date('2026-11-21T23:59:00Z'))).toEqual({ from: '2026-10-23', to: '2026-11-21' });
    expect(latest(1, new Date('2026-11-21T00:00:00Z'))).toEqual({ from: '2026-11-21', to: '2026-11-21' });
  });

  it('are days while they are few', () => {
    expect(pieces({ from: '2026-02-27', to: '2026-03-01' })).toEqual([
      { from: '2026-02-27', to: '2026-02-27' },
      { from: '2026-02-28', to: '2026-02-28' },
      { from: '2026-03-01', to: '2026-03-01' },
    ]);
  });

  it('are weeks from Monday to Sunday for a quarter', () => {
    const weeks = pieces({ from: '2026-09-01', to: '2026-11-21' });
    expect(weeks.slice(0, 2)).toEqual([
      { from: '2026-09-01', to: '2026-09-06' },
      { from: '2026-09-07', to: '2026-09-13' },
    ]);
    expect(weeks.at(-1)).toEqual({ from: '2026-11-16', to: '2026-11-21' });
  });

  it('are months for a year, the last day of each counted once', () => {
    const months = pieces({ from: '2023-11-22', to: '2024-11-21' });
    expect(months).toHaveLength(13);
    expect(months[3]).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    const next = months.slice(1).map(({ from }) => from);
    expect(next.every((from, index) => from > (months[index]?.to ?? ''))).toBe(true);
  });
});
