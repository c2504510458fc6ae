import { describe, expect, it } from '@jest/globals';
import { type ProjectionAct, projectionStream } from '@nimo/domain';
import { type MaintenanceCommand, maintenanceStream } from '@nimo/projection-engine';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

describe('acts upon projections', () => {
  it('are the same events to the domain, which decides on them, and to the engine, which carries them out', () => {
    const isSame: Same<ProjectionAct['type'], MaintenanceCommand['type']> = true;
    const isUnderstood: [ProjectionAct] extends [MaintenanceCommand] ? true : false = true;
    const isTold: [Extract<MaintenanceCommand, { type: 'ProjectionSwitched' }>] extends [ProjectionAct]
      ? true
      : false = true;
    expect([isSame, isUnderstood, isTold]).toEqual([true, true, true]);
    expect(maintenanceStream('leaderboard')).toBe(projectionStream('leaderboard'));
  });
});
