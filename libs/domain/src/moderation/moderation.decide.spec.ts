import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { caseRank, POINTS_PER_DAY, REASON_SEVERITY, reportPoints, weightAt } from './moderation.decide.js';

const record = fc.record({ upheld: fc.nat(1_000), dismissed: fc.nat(1_000) });
const DAY = 86_400_000;

describe('case weight', () => {
  it('weighs a report without a track record by its severity', () =>
    expect(reportPoints(REASON_SEVERITY['Its spam'], { upheld: 0, dismissed: 0 })).toBe(200));

  it('weighs reporters by their track record, within bounds', () =>
    fc.assert(
      fc.property(record, ({ upheld, dismissed }) => {
        const points = reportPoints(1, { upheld, dismissed });
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThan(200);
        expect(reportPoints(1, { upheld: upheld + 1, dismissed })).toBeGreaterThanOrEqual(points);
        expect(reportPoints(1, { upheld, dismissed: dismissed + 1 })).toBeLessThanOrEqual(points);
      }),
    ));

  it('grows over time without changing the order', () =>
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(5_000), fc.nat(400), fc.nat(400), (one, other, early, late) => {
        const start = Date.parse('2026-01-01T00:00:00.000Z');
        const at = (days: number) => new Date(start + days * DAY).toISOString();
        const ranks = [caseRank(one, at(early)), caseRank(other, at(late))] as const;
        const now = at(1_000);
        expect(weightAt(ranks[0], now)).toBe(one + (1_000 - early) * POINTS_PER_DAY);
        expect(Math.sign(ranks[0] - ranks[1])).toBe(
          Math.sign(weightAt(ranks[0], now) - weightAt(ranks[1], now)),
        );
      }),
    ));
});
