import { act } from './audit.js';
import type { Decider } from './decider.js';
import { projectionStream } from './stream-ids.js';
import { slice } from './vocabulary.js';

export type VerificationOutcome = 'EQUAL' | 'DIFFERENT' | 'FAILED';

/** The event at which a projection stopped. */
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
 * In the streams `projection-<name>`: what maintainers do to a projection. They are here for the codec and the audit; the projection
 * engine, which knows no product, has the same as its maintenance commands.
 */
export type ProjectionMaintenanceEvent =
  /** On hold: built and kept up to date, but put in the live one's place only by a switch. */
  | MaintenanceEvent<'ProjectionRebuildStarted', { readonly hold: boolean }>
  | MaintenanceEvent<'ProjectionRebuildCancelled', { readonly generation: number }>
  /** To a generation that was built and held, or back to the former one. */
  | MaintenanceEvent<
      'ProjectionSwitched',
      {
        readonly generation: number;
        readonly fromGeneration: number | null;
        /** Reported by the worker after a rebuild; otherwise the switch is requested. */
        readonly afterRebuild?: true;
      }
    >
  | MaintenanceEvent<'ProjectionVerificationStarted'>
  | MaintenanceEvent<'ProjectionVerificationCancelled'>
  /** By the worker that compared, whatever the outcome. */
  | MaintenanceEvent<
      'ProjectionVerificationFinished',
      {
        readonly outcome: VerificationOutcome;
        /** Both were compared as of this many events. */
        readonly ordinal: number;
        readonly liveHash: string | null;
        readonly rebuiltHash: string | null;
        /** Why it failed. */
        readonly error: string | null;
        /** How many rows differ, by table; which ones is in no event, as a key may show who voted or reported. */
        readonly differing?: readonly { readonly table: string; readonly rows: number }[];
      }
    >
  | MaintenanceEvent<'ProjectionEventRetried', StoppedAt>
  /** Version: of the code that failed on the event; a later one tries it again. */
  | MaintenanceEvent<
      'ProjectionEventSkipped',
      StoppedAt & { readonly version: number; readonly reason: string }
    >;

/** Decisions depend on how the projection stands, not on its earlier events. */
export const projectionDecider: Decider<null, ProjectionMaintenanceEvent, [projection: string]> = {
  stream: projectionStream,
  initial: null,
  evolve: () => null,
};

const stoppedAt = { eventId: 'event-1', eventType: 'VoteCast', ordinal: 1001 };

const ofProjection = act(({ projection }: { readonly projection: string }) => ({ about: projection }));

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
    PROJECTION_STOPPED_ELSEWHERE: {
      category: 'CONFLICT',
      field: 'eventId',
      message: 'The projection is stopped at another event: {eventId}.',
    },
  },
  events: {
    ProjectionRebuildStarted: {
      example: { projection: 'leaderboard', hold: false },
      audit: ofProjection,
    },
    ProjectionRebuildCancelled: {
      example: { projection: 'leaderboard', generation: 2 },
      audit: act(({ projection, generation }) => ({
        about: `${projection}: ${generation}`,
      })),
    },
    ProjectionSwitched: {
      example: { projection: 'leaderboard', generation: 2, fromGeneration: 1 },
      audit: act(({ projection, generation }) => ({ about: `${projection}: ${generation}` })),
    },
    ProjectionVerificationStarted: {
      example: { projection: 'leaderboard' },
      audit: ofProjection,
    },
    ProjectionVerificationCancelled: {
      example: { projection: 'leaderboard' },
      audit: ofProjection,
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
      audit: act(({ projection, outcome }) => ({ about: `${projection}: ${outcome}` })),
    },
    ProjectionEventRetried: {
      example: { projection: 'leaderboard', ...stoppedAt },
      audit: act(({ projection, eventType, ordinal }) => ({
        about: `${projection}: ${eventType} ${ordinal}`,
      })),
    },
    ProjectionEventSkipped: {
      example: { projection: 'leaderboard', ...stoppedAt, version: 1, reason: 'Of no use' },
      audit: act(({ projection, eventType, ordinal, reason }) => ({
        about: `${projection}: ${eventType} ${ordinal}`,
        reason,
      })),
    },
  },
});
