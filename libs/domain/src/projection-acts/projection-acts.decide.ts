import { requireMaintainer, type Authority } from '../authority.js';
import type { Decider } from '../decider.js';
import { DomainError } from '../errors.js';
import type {
  ProjectionEventRetried,
  ProjectionEventSkipped,
  ProjectionRebuildCancelled,
  ProjectionRebuildStarted,
  ProjectionSwitched,
  ProjectionVerificationCancelled,
  ProjectionVerificationFinished,
  ProjectionVerificationStarted,
  StoppedAt,
} from '../events.js';
import { projectionStream } from '../stream-ids.js';
import { requireReason } from '../validation/content.js';

/** All that stands in the stream of a projection. */
export type ProjectionAct =
  | ProjectionRebuildStarted
  | ProjectionRebuildCancelled
  | ProjectionSwitched
  | ProjectionVerificationStarted
  | ProjectionVerificationCancelled
  | ProjectionVerificationFinished
  | ProjectionEventRetried
  | ProjectionEventSkipped;

/** What is decided upon is how the projection stands, and not what was done to it before. */
export const projectionDecider: Decider<null, ProjectionAct, [projection: string]> = {
  stream: projectionStream,
  initial: null,
  evolve: () => null,
};

/** How the projection stands, as the read side's bookkeeping says. */
export type ProjectionStanding = {
  readonly projection: string;
  /** Of the code. */
  readonly version: number;
  readonly live: number | null;
  readonly building: number | null;
  readonly isVerifying: boolean;
  /** Generations that this code can put in the live one's place. */
  readonly switchable: readonly number[];
  /** Where its generations stopped, the live one first. */
  readonly stoppedAt: readonly StoppedAt[];
};

type Command = { readonly by: Authority; readonly standing: ProjectionStanding };

/** One that is under way goes on. */
export const startRebuild = ({
  by,
  standing: { projection, building },
  hold,
}: Command & { readonly hold: boolean }): readonly ProjectionRebuildStarted[] => {
  requireMaintainer(by);
  return building === null ? [{ type: 'ProjectionRebuildStarted', data: { projection, hold } }] : [];
};

export const cancelRebuild = ({
  by,
  standing: { projection, building },
}: Command): readonly ProjectionRebuildCancelled[] => {
  requireMaintainer(by);
  if (building === null) throw new DomainError('PROJECTION_NOT_REBUILDING');
  return [{ type: 'ProjectionRebuildCancelled', data: { projection, generation: building } }];
};

export const switchProjection = ({
  by,
  standing: { projection, live, building, switchable },
  generation,
}: Command & { readonly generation: number }): readonly ProjectionSwitched[] => {
  requireMaintainer(by);
  if (generation === live) return [];
  if (!switchable.includes(generation))
    throw new DomainError('PROJECTION_GENERATION_NOT_FOUND', { generation });
  if (building !== null && building !== generation) throw new DomainError('PROJECTION_REBUILDING');
  return [{ type: 'ProjectionSwitched', data: { projection, generation, fromGeneration: live } }];
};

export const startVerification = ({
  by,
  standing: { projection, isVerifying },
}: Command): readonly ProjectionVerificationStarted[] => {
  requireMaintainer(by);
  return isVerifying ? [] : [{ type: 'ProjectionVerificationStarted', data: { projection } }];
};

export const cancelVerification = ({
  by,
  standing: { projection, isVerifying },
}: Command): readonly ProjectionVerificationCancelled[] => {
  requireMaintainer(by);
  if (!isVerifying) throw new DomainError('PROJECTION_NOT_VERIFYING');
  return [{ type: 'ProjectionVerificationCancelled', data: { projection } }];
};

export const retryStopped = ({
  by,
  standing: { projection, stoppedAt },
}: Command): readonly ProjectionEventRetried[] => {
  requireMaintainer(by);
  if (stoppedAt.length === 0) throw new DomainError('PROJECTION_NOT_STOPPED');
  const different = new Map(stoppedAt.map((stop) => [stop.eventId, stop]));
  return Array.from(different.values(), (stop) => ({
    type: 'ProjectionEventRetried',
    data: { projection, ...stop },
  }));
};

/** Only what the maintainer looked at is left out: meanwhile it may have stopped elsewhere. */
export const skipStopped = ({
  by,
  standing: { projection, version, stoppedAt },
  eventId,
  reason,
}: Command & { readonly eventId: string; readonly reason: string }): readonly ProjectionEventSkipped[] => {
  requireMaintainer(by);
  const told = requireReason(reason);
  const [first] = stoppedAt;
  if (first === undefined) throw new DomainError('PROJECTION_NOT_STOPPED');
  const stop = stoppedAt.find((candidate) => candidate.eventId === eventId);
  if (stop === undefined) throw new DomainError('PROJECTION_STOPPED_ELSEWHERE', { eventId: first.eventId });
  return [{ type: 'ProjectionEventSkipped', data: { projection, ...stop, version, reason: told } }];
};
