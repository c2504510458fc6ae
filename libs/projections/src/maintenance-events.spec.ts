import { describe, expect, it } from '@jest/globals';
import { type ProjectionMaintenanceEvent, projectionStream } from '@nimo/domain';
import { type MaintenanceCommand, maintenanceStream } from '@nimo/projection-engine';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

describe('maintenance events of projections', () => {
  it('are the same to the domain and to the engine, which applies them', () => {
    const isSame: Same<ProjectionMaintenanceEvent['type'], MaintenanceCommand['type']> = true;
    const isUnderstood: [ProjectionMaintenanceEvent] extends [MaintenanceCommand] ? true : false = true;
    const isReported: [Extract<MaintenanceCommand, { type: 'ProjectionSwitched' }>] extends [
      ProjectionMaintenanceEvent,
    ]
      ? true
      : false = true;
    expect([isSame, isUnderstood, isReported]).toEqual([true, true, true]);
    expect(maintenanceStream('leaderboard')).toBe(projectionStream('leaderboard'));
  });
});
