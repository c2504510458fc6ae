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
import type { ProjectionStanding } from '@nimo/projection-engine';
import { decideMaintenance, type ProjectionRequest } from './maintain-projection.js';

const studentWith = (...roles: readonly RoleAssignment['role'][]): ActingStudent => ({
  ...{ kind: 'student', studentId: 'student-1', registered: true, blocked: false },
  roles: roles.map((role) => ({ role, spaceId: null })),
});
const maintainer = studentWith('MAINTAINER');
const projection = 'leaderboard';
const stop = { eventId: 'event-1', eventType: 'VoteCast', ordinal: 7 };
const serving: ProjectionStanding = {
  projection,
  version: 3,
  live: 2,
  building: null,
  isVerifying: false,
  switchable: [1],
  stoppedAt: [],
};
const building = { ...serving, building: 3, switchable: [1, 3] };
const stopped = { ...serving, stoppedAt: [stop] };

const decide = (request: ProjectionRequest, standing: ProjectionStanding, by: Authority = maintainer) =>
  decideMaintenance(request, { by, standing });
const then = (
  events: readonly ProjectionMaintenanceEvent[],
  ...expected: readonly ProjectionMaintenanceEvent[]
) => assert.deepEqual(events, expected);
const refused = (decision: () => unknown, code: DomainErrorCode) =>
  assert.throws(decision, (error) => error instanceof DomainError && error.code === code);

describe('a maintenance command', () => {
  it('is for maintainers and the command line', () => {
    const commands: readonly (readonly [ProjectionRequest, ProjectionStanding])[] = [
      [{ kind: 'rebuild', hold: false }, serving],
      [{ kind: 'cancel-rebuild' }, building],
      [{ kind: 'switch', generation: 1 }, serving],
      [{ kind: 'verify' }, serving],
      [{ kind: 'cancel-verification' }, { ...serving, isVerifying: true }],
      [{ kind: 'retry' }, stopped],
      [{ kind: 'skip', eventId: stop.eventId, reason: 'Of no use' }, stopped],
    ];
    for (const [request, standing] of commands) {
      for (const other of [studentWith(), studentWith('MODERATOR')])
        refused(() => decide(request, standing, other), 'FORBIDDEN');
      for (const by of [maintainer, OPERATOR]) assert.equal(decide(request, standing, by).length, 1);
    }
  });
});

describe('a rebuild', () => {
  it('begins, held or not', () =>
    then(decide({ kind: 'rebuild', hold: true }, serving), {
      type: 'ProjectionRebuildStarted',
      data: { projection, hold: true },
    }));
  it('goes on where one is under way', () => then(decide({ kind: 'rebuild', hold: false }, building)));
  it('is cancelled', () =>
    then(decide({ kind: 'cancel-rebuild' }, building), {
      type: 'ProjectionRebuildCancelled',
      data: { projection, generation: 3 },
    }));
  it('is not cancelled where nothing is rebuilt', () =>
    refused(() => decide({ kind: 'cancel-rebuild' }, serving), 'PROJECTION_NOT_REBUILDING'));
});

describe('a switch', () => {
  const to = (generation: number, standing = serving) => decide({ kind: 'switch', generation }, standing);
  it('goes to one that was built, or back', () => {
    for (const [generation, standing] of [
      [1, serving],
      [3, building],
    ] as const)
      then(to(generation, standing), {
        type: 'ProjectionSwitched',
        data: { projection, generation, fromGeneration: 2 },
      });
  });
  it('has nothing to do where it is live', () => then(to(2)));
  it('is refused to what is not there', () => refused(() => to(9), 'PROJECTION_GENERATION_NOT_FOUND'));
  it('is refused back while another is being built', () =>
    refused(() => to(1, building), 'PROJECTION_REBUILDING'));
});

describe('a verification', () => {
  const verifying = { ...serving, isVerifying: true };
  it('starts once', () => {
    then(decide({ kind: 'verify' }, serving), {
      type: 'ProjectionVerificationStarted',
      data: { projection },
    });
    then(decide({ kind: 'verify' }, verifying));
  });
  it('is cancelled while it runs', () => {
    then(decide({ kind: 'cancel-verification' }, verifying), {
      type: 'ProjectionVerificationCancelled',
      data: { projection },
    });
    refused(() => decide({ kind: 'cancel-verification' }, serving), 'PROJECTION_NOT_VERIFYING');
  });
});

describe('a bad event', () => {
  const other = { eventId: 'event-2', eventType: 'VoteCast', ordinal: 9 };
  const skip = (eventId: string, reason = ' Of no use ', standing: ProjectionStanding = stopped) =>
    decide({ kind: 'skip', eventId, reason }, standing);
  it('is retried, once where two generations stopped at it', () => {
    const standing = { ...serving, stoppedAt: [stop, stop, other] };
    then(
      decide({ kind: 'retry' }, standing),
      { type: 'ProjectionEventRetried', data: { projection, ...stop } },
      { type: 'ProjectionEventRetried', data: { projection, ...other } },
    );
  });
  it('is skipped with a reason', () =>
    then(skip(stop.eventId), {
      type: 'ProjectionEventSkipped',
      data: { projection, ...stop, version: 3, reason: 'Of no use' },
    }));
  it('is not skipped without a reason', () =>
    refused(() => skip(stop.eventId, ' '), 'DELETE_REASON_REQUIRED'));
  it('is not skipped in place of another', () =>
    refused(() => skip(other.eventId), 'PROJECTION_STOPPED_ELSEWHERE'));
  it('is neither where nothing stopped', () => {
    refused(() => decide({ kind: 'retry' }, serving), 'PROJECTION_NOT_STOPPED');
    refused(() => skip('x', 'x', serving), 'PROJECTION_NOT_STOPPED');
  });
});
