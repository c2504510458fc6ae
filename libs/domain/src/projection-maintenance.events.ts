import { auditedAction } from './audit.js';
import type { Decider } from './decider.js';
import { projectionStream } from './stream-ids.js';
import { slice } from './vocabulary.js';

export type VerificationOutcome = 'EQUAL' | 'DIFFERENT' | 'FAILED';

/** The event a projection is stopped at. */
type StoppedAt = {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
};

type MaintenanceEvent<Type extends string, Data = unknown> = {
  readonly type: Type;
  readonly data: { readonly projection: string } & Data;
};

/**
 * Maintenance of a projection, in the streams `projection-<name>`. Defined here for the codec and the audit; the projection engine,
 * which does not depend on the domain, has its own maintenance commands.
 */
export type ProjectionMaintenanceEvent =
  /** With `hold`, the new generation is kept up to date but goes live only by a switch. */
  | MaintenanceEvent<'ProjectionRebuildStarted', { readonly hold: boolean }>
  | MaintenanceEvent<'ProjectionRebuildCancelled', { readonly generation: number }>
  /** To a generation on hold, or back to the previous one. */
  | MaintenanceEvent<
      'ProjectionSwitched',
      {
        readonly generation: number;
        readonly fromGeneration: number | null;
        /** Set by the worker after a rebuild; otherwise a maintainer requested the switch. */
        readonly afterRebuild?: true;
      }
    >
  | MaintenanceEvent<'ProjectionVerificationStarted'>
  | MaintenanceEvent<'ProjectionVerificationCancelled'>
  /** By the worker that compared, for any outcome. */
  | MaintenanceEvent<
      'ProjectionVerificationFinished',
      {
        readonly outcome: VerificationOutcome;
        /** Log position at which both were compared. */
        readonly ordinal: number;
        readonly liveHash: string | null;
        readonly rebuiltHash: string | null;
        readonly error: string | null;
        /** Differing rows by table. Keys are left out because they may reveal who voted or reported. */
        readonly differing?: readonly { readonly table: string; readonly rows: number }[];
      }
    >
  | MaintenanceEvent<'ProjectionEventRetried', StoppedAt>
  /** `version` of the projection code that failed on the event. A later version retries it. */
  | MaintenanceEvent<
      'ProjectionEventSkipped',
      StoppedAt & { readonly version: number; readonly reason: string }
    >;

/** Stateless: decisions depend on the current state of the projection, not on these events. */
export const projectionDecider: Decider<null, ProjectionMaintenanceEvent, [projection: string]> = {
  stream: projectionStream,
  initial: null,
  evolve: () => null,
};

const stoppedAt = { eventId: 'event-1', eventType: 'VoteCast', ordinal: 1001 };

const projectionAudit = auditedAction(({ projection }: { readonly projection: string }) => ({
  about: projection,
}));

export const projectionEvents = slice<ProjectionMaintenanceEvent>()({
  streams: ['projection-'],
  errors: {
    PROJECTION_NOT_FOUND: { category: 'NOT_FOUND', field: 'name', message: 'Projection {name} not found.' },
    PROJECTION_GENERATION_NOT_FOUND: {
      category: 'NOT_FOUND',
      field: 'generation',
      message: 'You can’t switch to generation {generation}.',
    },
    PROJECTION_REBUILDING: {
      category: 'CONFLICT',
      message: 'A rebuild is in progress. Wait for it or cancel it.',
    },
    PROJECTION_NOT_REBUILDING: { category: 'CONFLICT', message: 'No rebuild is in progress.' },
    PROJECTION_NOT_VERIFYING: { category: 'CONFLICT', message: 'No verification is in progress.' },
    PROJECTION_NOT_STOPPED: { category: 'CONFLICT', message: 'The projection is not stopped at an event.' },
    NO_PROJECTION_STOPPED: {
      category: 'CONFLICT',
      field: 'eventId',
      message: 'No projection is stopped at this event.',
    },
    PROJECTION_STOPPED_ELSEWHERE: {
      category: 'CONFLICT',
      field: 'eventId',
      message: 'The projection is stopped at another event: {eventId}.',
    },
  },
  events: {
    ProjectionRebuildStarted: {
      example: { projection: 'leaderboard', hold: false },
      audit: projectionAudit,
    },
    ProjectionRebuildCancelled: {
      example: { projection: 'leaderboard', generation: 2 },
      audit: auditedAction(({ projection, generation }) => ({
        about: `${projection}: ${generation}`,
      })),
    },
    ProjectionSwitched: {
      example: { projection: 'leaderboard', generation: 2, fromGeneration: 1 },
      audit: auditedAction(({ projection, generation }) => ({ about: `${projection}: ${generation}` })),
    },
    ProjectionVerificationStarted: {
      example: { projection: 'leaderboard' },
      audit: projectionAudit,
    },
    ProjectionVerificationCancelled: {
      example: { projection: 'leaderboard' },
      audit: projectionAudit,
    },
    ProjectionVerificationFinished: {
      example: {
        projection: 'leaderboard',
        outcome: 'EQUAL',
        ordinal: 1000,
        liveHash: 'abc',
        rebuiltHash: 'abc',
        error: null,
      },
      audit: auditedAction(({ projection, outcome }) => ({ about: `${projection}: ${outcome}` })),
    },
    ProjectionEventRetried: {
      example: { projection: 'leaderboard', ...stoppedAt },
      audit: auditedAction(({ projection, eventType, ordinal }) => ({
        about: `${projection}: ${eventType} ${ordinal}`,
      })),
    },
    ProjectionEventSkipped: {
      example: { projection: 'leaderboard', ...stoppedAt, version: 1, reason: 'Of no use' },
      audit: auditedAction(({ projection, eventType, ordinal, reason }) => ({
        about: `${projection}: ${eventType} ${ordinal}`,
        reason,
      })),
    },
  },
});
