import { describe, expect, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import { type Duty, DUTIES, holdersOf, planDuties } from './worker-registry.js';

const planned = (workers: readonly string[], holders: Partial<Record<Duty, string>> = {}) =>
  Object.fromEntries(planDuties(workers, new Map(Object.entries(holders) as [Duty, string][])));

describe('the plan of who leads what', () => {
  it('gives all to one, and nothing where nobody is', () => {
    expect(planned(['a'])).toEqual({ prompt: 'a', lingering: 'a', building: 'a' });
    expect(planned([])).toEqual({});
  });

  it('leaves what callers wait for where it is, and gives the rest to who comes', () => {
    const first = planned(['a', 'b'], { prompt: 'a', lingering: 'a' });
    expect(first).toEqual({ prompt: 'a', lingering: 'b', building: 'b' });
    expect(planned(['a', 'b', 'c'], { prompt: 'a', lingering: 'b' })).toEqual({ ...first, building: 'c' });
  });

  it('moves nothing that is being built', () => {
    expect(planned(['a', 'b'], { prompt: 'a', lingering: 'a', building: 'a' })).toEqual({
      prompt: 'a',
      lingering: 'b',
      building: 'a',
    });
    const builder = { prompt: 'a', lingering: 'b', building: 'b' };
    expect(planned(['a', 'b', 'c'], builder)).toEqual({ ...builder, lingering: 'c' });
  });

  it('moves nothing when one comes for whom there is nothing to gain', () => {
    const holders = { prompt: 'a', lingering: 'b', building: 'c' };
    expect(planned(['a', 'b', 'c', 'd', 'e'], holders)).toEqual(holders);
  });

  it('gives what somebody leaves behind to who has least', () => {
    expect(planned(['b', 'c'], { prompt: 'a', lingering: 'b', building: 'c' })).toEqual({
      prompt: 'c',
      lingering: 'b',
      building: 'c',
    });
  });

  const seed = historySeed();
  it(`moves little when somebody comes or goes, and nothing afterwards (NIMO_HISTORY_SEED=${seed})`, () => {
    const chance = new SeededRandom(seed);
    let workers: readonly string[] = [];
    let plan: ReadonlyMap<Duty, string> = new Map();
    for (let change = 0; change < 2_000; change += 1) {
      const leaving = workers.length > 0 && chance.isTrue(0.5) ? chance.pick(workers) : undefined;
      workers = leaving === undefined ? [...workers, `w${change}`] : workers.filter((one) => one !== leaving);
      const next = planDuties(workers, plan);
      const moved = DUTIES.filter((duty) => next.get(duty) !== plan.get(duty));
      // Besides what was led by who has gone.
      const free = moved.filter((duty) => plan.has(duty) && plan.get(duty) !== leaving);
      expect(free.filter((duty) => duty !== 'lingering')).toEqual([]);
      expect(planDuties(workers, next)).toEqual(next);
      if (workers.length > 1) expect(next.get('prompt')).not.toBe(next.get('lingering'));
      plan = next;
    }
  });
});

describe('who has a duty', () => {
  const led = (worker: string | undefined, lingers: boolean, status = 'live') => ({
    status,
    lingers,
    worker,
  });

  it('is who leads most of it, among those who are there', () => {
    const rows = [
      ...['a', 'b', 'b', undefined].map((worker) => led(worker, false)),
      led('gone', true),
      led('a', true, 'building'),
    ];
    expect(Object.fromEntries(holdersOf(rows, ['a', 'b']))).toEqual({ prompt: 'b', building: 'a' });
  });
});
