import type { EventStore, JsonObject } from '@nimo/event-store';
import type { TableDifference } from '../storage/compare-tables.js';

/** Each projection has a stream of what maintainers ask of it and what the worker did by itself. */
export const maintenanceStream = (projection: string) => `projection-${projection}`;

/** As of the product's other events. Times are ISO 8601 in UTC with milliseconds. */
export type CommandMetadata = {
  readonly occurredAt: string;
  readonly recordedAt: string;
  /** Its shape is the product's. */
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

type Command<Type extends string, Data = unknown> = {
  readonly type: Type;
  readonly data: { readonly projection: string } & Data;
};

/** The events in the stream of a projection. */
export type MaintenanceCommand =
  | Command<'ProjectionRebuildStarted', { readonly hold: boolean }>
  | Command<'ProjectionRebuildCancelled', { readonly generation: number }>
  | ProjectionSwitched
  | Command<'ProjectionVerificationStarted'>
  | Command<'ProjectionVerificationCancelled'>
  | ProjectionVerificationFinished
  | Command<'ProjectionEventRetried', StoppedAt>
  | Command<'ProjectionEventSkipped', StoppedAt & { readonly version: number; readonly reason: string }>;

/** Requested by a maintainer, or reported by the worker that had switched at the end of a rebuild. */
export type ProjectionSwitched = Command<
  'ProjectionSwitched',
  {
    readonly generation: number;
    readonly fromGeneration: number | null;
    readonly afterRebuild?: true;
  }
>;

export type ProjectionVerificationFinished = Command<
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

/** A maintenance command as it is in the log. */
export type RecordedCommand<Metadata = CommandMetadata> = MaintenanceCommand & {
  readonly id: string;
  readonly revision: number;
  readonly metadata: Metadata;
};

/** All commands of a projection, oldest first. */
export interface RecordedCommands<Metadata = CommandMetadata> {
  readonly commands: readonly RecordedCommand<Metadata>[];
  /** Of the last one; -1 without any. */
  readonly revision: number;
}

export const NO_COMMANDS: RecordedCommands = { commands: [], revision: -1 };

/** @typeParam Metadata as the product's codec leaves it */
export async function readMaintenanceCommands<Metadata = CommandMetadata>(
  store: EventStore,
  name: string,
): Promise<RecordedCommands<Metadata>> {
  const events = await store.readStream(maintenanceStream(name));
  // The store's codec checked and lifted the events, and the stream holds nothing else.
  const commands = events as unknown as readonly RecordedCommand<Metadata>[];
  return { commands, revision: commands.at(-1)?.revision ?? -1 };
}
