import { describe, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { OPERATOR } from '../authority.js';
import type { DomainErrorCode } from '../messages.js';
import { DomainError } from '../errors.js';
import { newActor, newMaintainer, newModerator } from '../testing/builders.js';
import {
  cancelRebuild,
  cancelVerification,
  type ProjectionAct,
  type ProjectionStanding,
  retryStopped,
  skipStopped,
  startRebuild,
  startVerification,
  switchProjection,
} from './projection-acts.decide.js';

const by = newMaintainer();
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

const then = (events: readonly ProjectionAct[], ...expected: readonly ProjectionAct[]) =>
  assert.deepEqual(events, expected);
const refused = (act: () => unknown, code: DomainErrorCode) =>
  assert.throws(act, (error) => error instanceof DomainError && error.code === code);

describe('an act on a projection', () => {
  it('is for maintainers and the command line', () => {
    const acts = (by: Parameters<typeof startRebuild>[0]['by']) => [
      () => startRebuild({ by, standing: serving, hold: false }),
      () => cancelRebuild({ by, standing: building }),
      () => switchProjection({ by, standing: serving, generation: 1 }),
      () => startVerification({ by, standing: serving }),
      () => cancelVerification({ by, standing: { ...serving, isVerifying: true } }),
      () => retryStopped({ by, standing: stopped }),
      () => skipStopped({ by, standing: stopped, eventId: stop.eventId, reason: 'Of no use' }),
    ];
    for (const other of [newActor(), newModerator()])
      for (const act of acts(other)) refused(act, 'FORBIDDEN');
    for (const act of [...acts(by), ...acts(OPERATOR)]) assert.equal(act().length, 1);
  });
});

describe('startRebuild', () => {
  it('begins one, held or not', () =>
    then(startRebuild({ by, standing: serving, hold: true }), {
      type: 'ProjectionRebuildStarted',
      data: { projection, hold: true },
    }));
  it('lets one that is under way go on', () => then(startRebuild({ by, standing: building, hold: false })));
});

describe('cancelRebuild', () => {
  it('ends the one under way', () =>
    then(cancelRebuild({ by, standing: building }), {
      type: 'ProjectionRebuildCancelled',
      data: { projection, generation: 3 },
    }));
  it('is refused where nothing is rebuilt', () =>
    refused(() => cancelRebuild({ by, standing: serving }), 'PROJECTION_NOT_REBUILDING'));
});

describe('switchProjection', () => {
  const to = (generation: number, standing = serving) => switchProjection({ by, standing, generation });
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
  it('starts once', () => {
    then(startVerification({ by, standing: serving }), {
      type: 'ProjectionVerificationStarted',
      data: { projection },
    });
    then(startVerification({ by, standing: { ...serving, isVerifying: true } }));
  });
  it('is cancelled while it runs', () => {
    then(cancelVerification({ by, standing: { ...serving, isVerifying: true } }), {
      type: 'ProjectionVerificationCancelled',
      data: { projection },
    });
    refused(() => cancelVerification({ by, standing: serving }), 'PROJECTION_NOT_VERIFYING');
  });
});

describe('a bad event', () => {
  const other = { eventId: 'event-2', eventType: 'VoteCast', ordinal: 9 };
  const skip = (eventId: string, reason = ' Of no use ', standing: ProjectionStanding = stopped) =>
    skipStopped({ by, standing, eventId, reason });
  it('is retried, once where two generations stopped at it', () => {
    const standing = { ...serving, stoppedAt: [stop, stop, other] };
    then(
      retryStopped({ by, standing }),
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
    refused(() => retryStopped({ by, standing: serving }), 'PROJECTION_NOT_STOPPED');
    refused(() => skip(stop.eventId, 'x', serving), 'PROJECTION_NOT_STOPPED');
  });
});
