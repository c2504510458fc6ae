import type { JsonObject, EventStore } from '@nimo/event-store';
import type { TableDifference } from '../storage/compare-tables.js';
import type { Projection } from '../projection.js';
import type { SkippedEvent } from '../bookkeeping/bookkeeping.js';

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

/** An act as it lies in the log. */
export type RecordedCommand<Metadata = CommandMetadata> = ProjectionAct & {
  readonly id: string;
  readonly revision: number;
  readonly metadata: Metadata;
};

/** Everything that was asked of a projection, oldest first. */
export interface RecordedCommands<Metadata = CommandMetadata> {
  readonly acts: readonly RecordedCommand<Metadata>[];
  /** Of the last one, -1 where there is none. */
  readonly revision: number;
}

export const NO_COMMANDS: RecordedCommands = { acts: [], revision: -1 };

/** @typeParam Metadata as the product's codec leaves it */
export async function readMaintenanceCommands<Metadata = CommandMetadata>(
  store: EventStore,
  name: string,
): Promise<RecordedCommands<Metadata>> {
  const events = await store.readStream(actsStream(name));
  // The store's codec checked and lifted the events, and the stream holds acts alone.
  const acts = events as unknown as readonly RecordedCommand<Metadata>[];
  return { acts, revision: acts.at(-1)?.revision ?? -1 };
}

/** What that code leaves out. A later version of it may know what to do with the event. */
export function skippedOf({ acts }: RecordedCommands, { version }: Projection): SkippedEvent[] {
  return acts.flatMap((act) => {
    if (act.type !== 'ProjectionEventSkipped' || act.data.version !== version) return [];
    const { eventId, eventType, ordinal, reason } = act.data;
    return [{ eventId, eventType, ordinal, reason, at: act.metadata.recordedAt }];
  });
}
