import { describe, it } from '@jest/globals';
import assert from 'node:assert/strict';
import {
  type ActingStudent,
  type Authority,
  DomainError,
  type DomainErrorCode,
  OPERATOR,
  type ProjectionMaintenanceEvent,
  type RoleAssignment,
} from '@nimo/domain';
import type { MaintenanceState } from '@nimo/projection-engine';
import { decideMaintenance, type ProjectionRequest } from './maintain-projection.js';

const studentWith = (...roles: readonly RoleAssignment['role'][]): ActingStudent => ({
  ...{ kind: 'student', studentId: 'student-1', registered: true, blocked: false },
  roles: roles.map((role) => ({ role, spaceId: null })),
});
const maintainer = studentWith('MAINTAINER');
const projection = 'leaderboard';
const stop = { eventId: 'event-1', eventType: 'VoteCast', ordinal: 7 };
const live: MaintenanceState = {
  projection,
  version: 3,
  live: 2,
  building: null,
  isVerifying: false,
  switchable: [1],
  stoppedAt: [],
};
const building = { ...live, building: 3, switchable: [1, 3] };
const stopped = { ...live, stoppedAt: [stop] };

const decide = (request: ProjectionRequest, state: MaintenanceState, by: Authority = maintainer) =>
  decideMaintenance(request, { by, state });
const assertEvents = (
  events: readonly ProjectionMaintenanceEvent[],
  ...expected: readonly ProjectionMaintenanceEvent[]
) => assert.deepEqual(events, expected);
const assertRefused = (decision: () => unknown, code: DomainErrorCode) =>
  assert.throws(decision, (error) => error instanceof DomainError && error.code === code);

describe('a maintenance command', () => {
  it('is available only to maintainers and the command line', () => {
    const commands: readonly (readonly [ProjectionRequest, MaintenanceState])[] = [
      [{ kind: 'rebuild', hold: false }, live],
      [{ kind: 'cancel-rebuild' }, building],
      [{ kind: 'switch', generation: 1 }, live],
      [{ kind: 'verify' }, live],
      [{ kind: 'cancel-verification' }, { ...live, isVerifying: true }],
      [{ kind: 'retry' }, stopped],
      [{ kind: 'skip', eventId: stop.eventId, reason: 'No longer needed' }, stopped],
    ];
    for (const [request, state] of commands) {
      for (const other of [studentWith(), studentWith('MODERATOR')])
        assertRefused(() => decide(request, state, other), 'FORBIDDEN');
      for (const by of [maintainer, OPERATOR]) assert.equal(decide(request, state, by).length, 1);
    }
  });
});

describe('a rebuild', () => {
  it('starts, held or not', () =>
    assertEvents(decide({ kind: 'rebuild', hold: true }, live), {
      type: 'ProjectionRebuildStarted',
      data: { projection, hold: true },
    }));
  it('continues one in progress', () => assertEvents(decide({ kind: 'rebuild', hold: false }, building)));
  it('can be cancelled', () =>
    assertEvents(decide({ kind: 'cancel-rebuild' }, building), {
      type: 'ProjectionRebuildCancelled',
      data: { projection, generation: 3 },
    }));
  it('cannot be cancelled when none is in progress', () =>
    assertRefused(() => decide({ kind: 'cancel-rebuild' }, live), 'PROJECTION_NOT_REBUILDING'));
});

describe('a switch', () => {
  const to = (generation: number, state = live) => decide({ kind: 'switch', generation }, state);
  it('goes to a built generation, or back', () => {
    for (const [generation, state] of [
      [1, live],
      [3, building],
    ] as const)
      assertEvents(to(generation, state), {
        type: 'ProjectionSwitched',
        data: { projection, generation, fromGeneration: 2 },
      });
  });
  it('does nothing for the live generation', () => assertEvents(to(2)));
  it('refuses an unknown generation', () => assertRefused(() => to(9), 'PROJECTION_GENERATION_NOT_FOUND'));
  it('refuses to go back while another is building', () =>
    assertRefused(() => to(1, building), 'PROJECTION_REBUILDING'));
});

describe('a verification', () => {
  const verifying = { ...live, isVerifying: true };
  it('starts once', () => {
    assertEvents(decide({ kind: 'verify' }, live), {
      type: 'ProjectionVerificationStarted',
      data: { projection },
    });
    assertEvents(decide({ kind: 'verify' }, verifying));
  });
  it('can be cancelled while it runs', () => {
    assertEvents(decide({ kind: 'cancel-verification' }, verifying), {
      type: 'ProjectionVerificationCancelled',
      data: { projection },
    });
    assertRefused(() => decide({ kind: 'cancel-verification' }, live), 'PROJECTION_NOT_VERIFYING');
  });
});

describe('a failing event', () => {
  const other = { eventId: 'event-2', eventType: 'VoteCast', ordinal: 9 };
  const skip = (eventId: string, reason = ' No longer needed ', state: MaintenanceState = stopped) =>
    decide({ kind: 'skip', eventId, reason }, state);
  it('is retried once even if two generations stopped at it', () => {
    const state = { ...live, stoppedAt: [stop, stop, other] };
    assertEvents(
      decide({ kind: 'retry' }, state),
      { type: 'ProjectionEventRetried', data: { projection, ...stop } },
      { type: 'ProjectionEventRetried', data: { projection, ...other } },
    );
  });
  it('is skipped with a reason', () =>
    assertEvents(skip(stop.eventId), {
      type: 'ProjectionEventSkipped',
      data: { projection, ...stop, version: 3, reason: 'No longer needed' },
    }));
  it('cannot be skipped without a reason', () =>
    assertRefused(() => skip(stop.eventId, ' '), 'DELETE_REASON_REQUIRED'));
  it('cannot be skipped in place of another', () =>
    assertRefused(() => skip(other.eventId), 'PROJECTION_STOPPED_ELSEWHERE'));
  it('cannot be retried or skipped when nothing stopped', () => {
    assertRefused(() => decide({ kind: 'retry' }, live), 'PROJECTION_NOT_STOPPED');
    assertRefused(() => skip('x', 'x', live), 'PROJECTION_NOT_STOPPED');
  });
});
