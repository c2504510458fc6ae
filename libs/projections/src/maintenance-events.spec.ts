import { describe, expect, it } from '@jest/globals';
import { type ProjectionMaintenanceEvent, projectionStream } from '@nimo/domain';
import { type MaintenanceCommand, maintenanceStream } from '@nimo/projection-engine';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

describe('projection maintenance events', () => {
  it('match the commands the engine applies', () => {
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
