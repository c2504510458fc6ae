import type { EventStore, JsonObject } from '@nimo/event-store';
import type { TableDifference } from '../storage/compare-tables.js';

/** The stream of a projection's maintenance: commands of maintainers, and switches and results reported by workers. */
export const maintenanceStream = (projection: string) => `projection-${projection}`;

/** Same metadata as the product's other events. Times are ISO 8601 in UTC with milliseconds. */
export type CommandMetadata = {
  readonly occurredAt: string;
  readonly recordedAt: string;
  /** Defined by the product. */
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

/** Requested by a maintainer, or reported by a worker after the switch at the end of a rebuild. */
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
    /** Both copies were compared after this many events. */
    readonly ordinal: number;
    readonly liveHash: string | null;
    readonly rebuiltHash: string | null;
    /** Why the verification failed. */
    readonly error: string | null;
    /** Number of differing rows by table. */
    readonly differing?: readonly TableDifference[];
  }
>;

/** The state of a projection for deciding on a maintenance command. */
export interface MaintenanceState {
  readonly projection: string;
  /** Version of the running code. */
  readonly version: number;
  readonly live: number | null;
  readonly building: number | null;
  readonly isVerifying: boolean;
  /** Generations that the running code can make live. */
  readonly switchable: readonly number[];
  /** Events at which its generations stopped, starting with the live one. */
  readonly stoppedAt: readonly StoppedAt[];
}

/** A maintenance command as stored in the log. */
export type RecordedCommand<Metadata = CommandMetadata> = MaintenanceCommand & {
  readonly id: string;
  readonly revision: number;
  readonly metadata: Metadata;
};

/** All commands of a projection, oldest first. */
export interface RecordedCommands<Metadata = CommandMetadata> {
  readonly commands: readonly RecordedCommand<Metadata>[];
  /** Revision of the last command, or -1. */
  readonly revision: number;
}

export const NO_COMMANDS: RecordedCommands = { commands: [], revision: -1 };

/** @typeParam Metadata metadata as decoded by the product's codec */
export async function readMaintenanceCommands<Metadata = CommandMetadata>(
  store: EventStore,
  name: string,
): Promise<RecordedCommands<Metadata>> {
  const events = await store.readStream(maintenanceStream(name));
  // The stream holds nothing else, and the store's codec has validated and upcast the events.
  const commands = events as unknown as readonly RecordedCommand<Metadata>[];
  return { commands, revision: commands.at(-1)?.revision ?? -1 };
}
