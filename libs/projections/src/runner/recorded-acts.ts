import { type EventMetadata, type ProjectionAct, projectionStream } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { Projection } from '../projection.js';
import type { SkippedEvent } from './bookkeeping.js';

/** An act as it lies in the log. */
export type RecordedAct = ProjectionAct & {
  readonly id: string;
  readonly revision: number;
  readonly metadata: EventMetadata;
};

/** Everything that was asked of a projection, oldest first. */
export interface RecordedActs {
  readonly acts: readonly RecordedAct[];
  /** Of the last one, -1 where there is none. */
  readonly revision: number;
}

export const NO_ACTS: RecordedActs = { acts: [], revision: -1 };

export async function readActs(store: EventStore, name: string): Promise<RecordedActs> {
  const events = await store.readStream(projectionStream(name));
  // The store's codec checked and lifted the events, and the stream holds acts alone.
  const acts = events as unknown as readonly RecordedAct[];
  return { acts, revision: acts.at(-1)?.revision ?? -1 };
}

/** What that code leaves out. A later version of it may know what to do with the event. */
export function skippedOf({ acts }: RecordedActs, { version }: Projection): SkippedEvent[] {
  return acts.flatMap((act) => {
    if (act.type !== 'ProjectionEventSkipped' || act.data.version !== version) return [];
    const { eventId, eventType, ordinal, reason } = act.data;
    return [{ eventId, eventType, ordinal, reason, at: act.metadata.recordedAt }];
  });
}
