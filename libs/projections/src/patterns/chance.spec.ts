import { describe, expect, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import {
  betaBinomial,
  betaGeometric,
  expectedAmong,
  lnBoundOfSum,
  lnChanceOfAtLeast,
  lnCombined,
} from './chance.js';

/** Reference implementation by enumeration, exact for small urns. */
function byCounting(observed: number, all: number, marked: number, drawn: number): number {
  const choose = (n: number, k: number): number =>
    k < 0 || k > n ? 0 : Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((a, b) => a * b, 1);
  let sum = 0;
  for (let x = observed; x <= drawn; x += 1) sum += choose(marked, x) * choose(all - marked, drawn - x);
  return sum / choose(all, drawn);
}

describe('lnChanceOfAtLeast', () => {
  it('matches enumeration in small urns', () => {
    for (let all = 1; all <= 14; all += 1)
      for (let marked = 0; marked <= all; marked += 1)
        for (let drawn = 0; drawn <= all; drawn += 1)
          for (let observed = 0; observed <= Math.min(marked, drawn); observed += 1)
            expect(Math.exp(lnChanceOfAtLeast(observed, { all, marked, drawn }))).toBeCloseTo(
              byCounting(observed, all, marked, drawn),
              9,
            );
  });
  it('matches Fisher’s lady tasting tea: 4 of 4 cups with probability 1 in 70', () =>
    expect(Math.exp(lnChanceOfAtLeast(4, { all: 8, marked: 4, drawn: 4 }))).toBeCloseTo(1 / 70, 12));
  it('stays finite below the smallest floating-point number', () => {
    const tiny = lnChanceOfAtLeast(500, { all: 1_000_000, marked: 500, drawn: 500 });
    expect(tiny).toBeLessThan(-4_000);
    expect(tiny).toBeGreaterThan(-5_000);
  });
  it('is 1 for certain and 0 for impossible outcomes', () => {
    expect(lnChanceOfAtLeast(0, { all: 0, marked: 0, drawn: 0 })).toBe(0);
    expect(lnChanceOfAtLeast(3, { all: 5, marked: 4, drawn: 4 })).toBe(0);
    expect(lnChanceOfAtLeast(3, { all: 9, marked: 2, drawn: 4 })).toBe(-Infinity);
  });
});

it('expects a voter to vote like everyone else', () => {
  expect(expectedAmong(20, 10, { all: 220, marked: 20, drawn: 20 })).toBe(1);
  expect(expectedAmong(20, 20, { all: 20, marked: 20, drawn: 20 })).toBe(0);
});

it('keeps the significance level when combining two tests', () => {
  const at = 0.01;
  const random = new SeededRandom(historySeed());
  let rejected = 0;
  for (let run = 0; run < 100_000; run += 1) {
    if (lnCombined(Math.log(random.next()), Math.log(random.next())) <= Math.log(at)) rejected += 1;
  }
  // Six standard deviations around 1,000.
  expect(Math.abs(rejected - 1_000)).toBeLessThan(200);
  expect(lnCombined(0, 0)).toBe(0);
  expect(lnCombined(-Infinity, -1)).toBe(-Infinity);
});

describe('varying rates', () => {
  const meanOf = (chances: readonly number[]) => chances.reduce((sum, chance, k) => sum + k * chance, 0);
  const sumOf = (chances: readonly number[]) => chances.reduce((sum, chance) => sum + chance, 0);
  it('give a beta-binomial distribution: uniform for a uniform rate, binomial for a constant rate', () => {
    for (const chance of betaBinomial(4, 1 / 2, 1 / 3)) expect(chance).toBeCloseTo(1 / 5, 9);
    const nearlyBinomial = betaBinomial(3, 0.2, 1e-7);
    [0.512, 0.384, 0.096, 0.008].forEach((chance, k) => expect(nearlyBinomial[k]).toBeCloseTo(chance, 5));
    for (const n of [1, 2, 7, 40]) {
      expect(sumOf(betaBinomial(n, 0.07, 0.1))).toBeCloseTo(1, 9);
      expect(meanOf(betaBinomial(n, 0.07, 0.1))).toBeCloseTo(n * 0.07, 8);
    }
  });
  it('give a beta-geometric distribution whose last entry is the tail', () => {
    const nearlyGeometric = betaGeometric(3, 0.2, 1e-9);
    [0.8, 0.16, 0.032, 0.008].forEach((chance, k) => expect(nearlyGeometric[k]).toBeCloseTo(chance, 6));
    expect(sumOf(betaGeometric(60, 0.3, 0.1))).toBeCloseTo(1, 12);
  });
});

describe('lnBoundOfSum', () => {
  it('is slightly above the true probability', () => {
    const chances = [{ amount: 1, chance: 0.2 }];
    for (let observed = 3; observed <= 10; observed += 1) {
      const bound = Math.exp(lnBoundOfSum(observed, [{ count: 10, chances }]));
      let exact = 0;
      let ways = 1;
      for (let k = 0; k <= 10; k += 1) {
        if (k >= observed) exact += ways * 0.2 ** k * 0.8 ** (10 - k);
        ways = (ways * (10 - k)) / (k + 1);
      }
      expect(bound).toBeGreaterThanOrEqual(exact * (1 - 1e-6));
      expect(bound).toBeLessThan(exact * 12);
    }
  });
  it('is 1 for expected sums and without amounts', () => {
    expect(lnBoundOfSum(1, [{ count: 10, chances: [{ amount: 1, chance: 0.2 }] }])).toBeCloseTo(0, 6);
    expect(lnBoundOfSum(0, [])).toBeCloseTo(0, 12);
  });
});
