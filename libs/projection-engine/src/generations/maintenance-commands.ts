import type { JsonObject } from '@nimo/event-store';
import type { TableDifference } from '../storage/differing-rows.js';

/** What maintainers ask of a projection, and what the worker did by itself, lies in the log in a stream a projection. */
export const actsStream = (projection: string) => `projection-${projection}`;

/** What every act says of itself, as the product's other events do. Times are ISO 8601 in UTC with milliseconds. */
export type CommandMetadata = {
  readonly occurredAt: string;
  readonly recordedAt: string;
  /** Who did it; its shape is the product's. */
  readonly actor: JsonObject;
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly schemaVersion: number;
};

export type VerificationOutcome = 'EQUAL' | 'DIFFERENT' | 'FAILED';

/** An event that stopped a projection. */
export type StoppedAt = {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
};

type Act<Type extends string, Data = unknown> = {
  readonly type: Type;
  readonly data: { readonly projection: string } & Data;
};

/** All that stands in the stream of a projection. */
export type ProjectionAct =
  | Act<'ProjectionRebuildStarted', { readonly hold: boolean }>
  | Act<'ProjectionRebuildCancelled', { readonly generation: number }>
  | ProjectionSwitched
  | Act<'ProjectionVerificationStarted'>
  | Act<'ProjectionVerificationCancelled'>
  | ProjectionVerificationFinished
  | Act<'ProjectionEventRetried', StoppedAt>
  | Act<'ProjectionEventSkipped', StoppedAt & { readonly version: number; readonly reason: string }>;

/** Asked for by a maintainer, or told by the worker that had switched at the end of a rebuild. */
export type ProjectionSwitched = Act<
  'ProjectionSwitched',
  {
    readonly generation: number;
    readonly fromGeneration: number | null;
    readonly afterRebuild?: true;
  }
>;

export type ProjectionVerificationFinished = Act<
  'ProjectionVerificationFinished',
  {
    readonly outcome: VerificationOutcome;
    /** Both were compared as of this many events. */
    readonly ordinal: number;
    readonly liveHash: string | null;
    readonly rebuiltHash: string | null;
    /** Why it failed. */
    readonly error: string | null;
    /** How many rows differ, by table. */
    readonly differing?: readonly TableDifference[];
  }
>;

/** How a projection stands, as the read side's bookkeeping says. */
export interface ProjectionStanding {
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
}
