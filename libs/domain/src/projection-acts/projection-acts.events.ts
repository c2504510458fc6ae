import { act } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `projection-<name>`.

/** What maintainers do to a projection. Folds of the product pass these by: they are about the read side, not in it. */
export type ProjectionRebuildStarted = {
  readonly type: 'ProjectionRebuildStarted';
  readonly data: {
    readonly projection: string;
    /** Built and kept up to date, but put in the live one's place only by a switch. */
    readonly hold: boolean;
  };
};
export type ProjectionRebuildCancelled = {
  readonly type: 'ProjectionRebuildCancelled';
  readonly data: { readonly projection: string; readonly generation: number };
};
/** To a generation that was built and held, or back to the former one. */
export type ProjectionSwitched = {
  readonly type: 'ProjectionSwitched';
  readonly data: {
    readonly projection: string;
    readonly generation: number;
    readonly fromGeneration: number | null;
    /** Told by the worker when it had switched at the end of a rebuild; otherwise the switch is asked for. */
    readonly afterRebuild?: true;
  };
};
export type ProjectionVerificationStarted = {
  readonly type: 'ProjectionVerificationStarted';
  readonly data: { readonly projection: string };
};
export type ProjectionVerificationCancelled = {
  readonly type: 'ProjectionVerificationCancelled';
  readonly data: { readonly projection: string };
};
export type VerificationOutcome = 'EQUAL' | 'DIFFERENT' | 'FAILED';
/** By the worker that compared, whatever came of it. */
export type ProjectionVerificationFinished = {
  readonly type: 'ProjectionVerificationFinished';
  readonly data: {
    readonly projection: string;
    readonly outcome: VerificationOutcome;
    /** Both were compared as of this many events. */
    readonly ordinal: number;
    readonly liveHash: string | null;
    readonly rebuiltHash: string | null;
    /** Why it failed. */
    readonly error: string | null;
    /** How many rows differ, by table; which ones is in no event, as a key may tell who voted or reported. */
    readonly differing?: readonly { readonly table: string; readonly rows: number }[];
  };
};
/** Where a projection stopped. */
export type StoppedAt = {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
};
export type ProjectionEventRetried = {
  readonly type: 'ProjectionEventRetried';
  readonly data: StoppedAt & { readonly projection: string };
};
export type ProjectionEventSkipped = {
  readonly type: 'ProjectionEventSkipped';
  readonly data: StoppedAt & {
    readonly projection: string;
    /** Of the code that could not digest the event; a later one tries it again. */
    readonly version: number;
    readonly reason: string;
  };
};
export type ProjectionActEvent =
  | ProjectionRebuildStarted
  | ProjectionRebuildCancelled
  | ProjectionSwitched
  | ProjectionVerificationStarted
  | ProjectionVerificationCancelled
  | ProjectionVerificationFinished
  | ProjectionEventRetried
  | ProjectionEventSkipped;

const stoppedAt = { eventId: 'event-1', eventType: 'VoteCast', ordinal: 1001 };

const ofProjection = act(({ projection }: { readonly projection: string }) => ({ about: projection }));

export const projectionEvents = slice<ProjectionActEvent>()({
  streams: ['projection-'],
  errors: {
    PROJECTION_NOT_FOUND: { category: 'NOT_FOUND', field: 'name', message: 'No projection is named {name}.' },
    PROJECTION_GENERATION_NOT_FOUND: {
      category: 'NOT_FOUND',
      field: 'generation',
      message: 'You cannot switch to generation {generation}.',
    },
    PROJECTION_REBUILDING: {
      category: 'CONFLICT',
      message: 'A rebuild is under way. Cancel it first, or wait for it.',
    },
    PROJECTION_NOT_REBUILDING: { category: 'CONFLICT', message: 'Nothing is being rebuilt.' },
    PROJECTION_NOT_VERIFYING: { category: 'CONFLICT', message: 'Nothing is being verified.' },
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
