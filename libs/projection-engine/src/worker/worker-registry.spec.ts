import { describe, expect, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import { type Role, ROLES, currentHolders, planRoles } from './worker-registry.js';

const planned = (workers: readonly string[], holders: Partial<Record<Role, string>> = {}) =>
  Object.fromEntries(planRoles(workers, new Map(Object.entries(holders) as [Role, string][])));

describe('planRoles', () => {
  it('gives all roles to a single worker, and none without workers', () => {
    expect(planned(['a'])).toEqual({ prompt: 'a', lingering: 'a', building: 'a' });
    expect(planned([])).toEqual({});
  });

  it('keeps the prompt role in place, and moves the others to new workers', () => {
    const first = planned(['a', 'b'], { prompt: 'a', lingering: 'a' });
    expect(first).toEqual({ prompt: 'a', lingering: 'b', building: 'b' });
    expect(planned(['a', 'b', 'c'], { prompt: 'a', lingering: 'b' })).toEqual({ ...first, building: 'c' });
  });

  it('never moves the building role', () => {
    expect(planned(['a', 'b'], { prompt: 'a', lingering: 'a', building: 'a' })).toEqual({
      prompt: 'a',
      lingering: 'b',
      building: 'a',
    });
    const builder = { prompt: 'a', lingering: 'b', building: 'b' };
    expect(planned(['a', 'b', 'c'], builder)).toEqual({ ...builder, lingering: 'c' });
  });

  it('moves nothing to a worker that cannot improve the balance', () => {
    const holders = { prompt: 'a', lingering: 'b', building: 'c' };
    expect(planned(['a', 'b', 'c', 'd', 'e'], holders)).toEqual(holders);
  });

  it('gives the role of a worker that has left to the least loaded one', () => {
    expect(planned(['b', 'c'], { prompt: 'a', lingering: 'b', building: 'c' })).toEqual({
      prompt: 'c',
      lingering: 'b',
      building: 'c',
    });
  });

  const seed = historySeed();
  it(`moves few roles when workers join or leave, and none afterwards (NIMO_HISTORY_SEED=${seed})`, () => {
    const chance = new SeededRandom(seed);
    let workers: readonly string[] = [];
    let plan: ReadonlyMap<Role, string> = new Map();
    for (let change = 0; change < 2_000; change += 1) {
      const leaving = workers.length > 0 && chance.isTrue(0.5) ? chance.pick(workers) : undefined;
      workers = leaving === undefined ? [...workers, `w${change}`] : workers.filter((one) => one !== leaving);
      const next = planRoles(workers, plan);
      const moved = ROLES.filter((role) => next.get(role) !== plan.get(role));
      // Except the roles of the worker that left.
      const free = moved.filter((role) => plan.has(role) && plan.get(role) !== leaving);
      expect(free.filter((role) => role !== 'lingering')).toEqual([]);
      expect(planRoles(workers, next)).toEqual(next);
      if (workers.length > 1) expect(next.get('prompt')).not.toBe(next.get('lingering'));
      plan = next;
    }
  });
});

describe('currentHolders', () => {
  const generation = (worker: string | undefined, lingers: boolean, status = 'live') => ({
    status,
    lingers,
    worker,
  });

  it('returns the running worker with the most generations of each role', () => {
    const rows = [
      ...['a', 'b', 'b', undefined].map((worker) => generation(worker, false)),
      generation('gone', true),
      generation('a', true, 'building'),
    ];
    expect(Object.fromEntries(currentHolders(rows, ['a', 'b']))).toEqual({ prompt: 'b', building: 'a' });
  });
});
