import { describe, expect, it } from '@jest/globals';
import { expectedAmong, lnChanceOfAtLeast, lnCombined } from './chance.js';

/** By counting every hand: exact for small urns. */
function byCounting(seen: number, all: number, marked: number, drawn: number): number {
  const choose = (n: number, k: number): number =>
    k < 0 || k > n ? 0 : Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((a, b) => a * b, 1);
  let sum = 0;
  for (let x = seen; x <= drawn; x += 1) sum += choose(marked, x) * choose(all - marked, drawn - x);
  return sum / choose(all, drawn);
}

describe('the chance of so many votes or more', () => {
  it('is that of counting all ways, in small urns', () => {
    for (let all = 1; all <= 14; all += 1)
      for (let marked = 0; marked <= all; marked += 1)
        for (let drawn = 0; drawn <= all; drawn += 1)
          for (let seen = 0; seen <= Math.min(marked, drawn); seen += 1)
            expect(Math.exp(lnChanceOfAtLeast(seen, { all, marked, drawn }))).toBeCloseTo(
              byCounting(seen, all, marked, drawn),
              9,
            );
  });
  it('is Fisher’s: his lady who tasted tea chose 4 of 4 cups with chance 1 in 70', () =>
    expect(Math.exp(lnChanceOfAtLeast(4, { all: 8, marked: 4, drawn: 4 }))).toBeCloseTo(1 / 70, 12));
  it('is told apart from 0 where it is smaller than any number', () => {
    const tiny = lnChanceOfAtLeast(500, { all: 1_000_000, marked: 500, drawn: 500 });
    expect(tiny).toBeLessThan(-4_000);
    expect(tiny).toBeGreaterThan(-5_000);
  });
  it('is 1 for what cannot be less, and 0 for what cannot be', () => {
    expect(lnChanceOfAtLeast(0, { all: 0, marked: 0, drawn: 0 })).toBe(0);
    expect(lnChanceOfAtLeast(3, { all: 5, marked: 4, drawn: 4 })).toBe(0);
    expect(lnChanceOfAtLeast(3, { all: 9, marked: 2, drawn: 4 })).toBe(-Infinity);
  });
});

it('expects of a voter what all others do', () => {
  expect(expectedAmong(20, 10, { all: 220, marked: 20, drawn: 20 })).toBe(1);
  expect(expectedAmong(20, 20, { all: 20, marked: 20, drawn: 20 })).toBe(0);
});

it('combines two chances as often as chance would', () => {
  const at = 0.01;
  let met = 0;
  for (let run = 0; run < 100_000; run += 1) {
    if (lnCombined(Math.log(Math.random()), Math.log(Math.random())) <= Math.log(at)) met += 1;
  }
  // Six standard deviations around 1,000.
  expect(Math.abs(met - 1_000)).toBeLessThan(200);
  expect(lnCombined(0, 0)).toBe(0);
  expect(lnCombined(-Infinity, -1)).toBe(-Infinity);
});
