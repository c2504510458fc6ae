import { describe, expect, it } from '@jest/globals';
import { type ProjectionAct, projectionStream } from '@nimo/domain';
import { actsStream, type ProjectionAct as EngineAct } from '@nimo/projection-engine';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

describe('acts upon projections', () => {
  it('are the same events to the domain, which decides on them, and to the engine, which carries them out', () => {
    const isSame: Same<ProjectionAct['type'], EngineAct['type']> = true;
    const isUnderstood: [ProjectionAct] extends [EngineAct] ? true : false = true;
    const isTold: [Extract<EngineAct, { type: 'ProjectionSwitched' }>] extends [ProjectionAct]
      ? true
      : false = true;
    expect([isSame, isUnderstood, isTold]).toEqual([true, true, true]);
    expect(actsStream('leaderboard')).toBe(projectionStream('leaderboard'));
  });
});
