import type { EventStore } from '@nimo/event-store';
import { type CommandMetadata, actsStream, type ProjectionAct } from './maintenance-commands.js';
import type { Projection } from '../projection.js';
import type { SkippedEvent } from '../bookkeeping/bookkeeping.js';

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
