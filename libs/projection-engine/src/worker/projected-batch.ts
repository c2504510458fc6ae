import type { RecordedEvent } from '@nimo/event-store';
import type { Checkpoint } from '../bookkeeping/checkpoint.js';
import type { ProjectedEvent } from '../projection.js';

/** Events as the folds of a projection see them, and where they lead. */
export interface ProjectedBatch {
  readonly from: Checkpoint;
  readonly to: Checkpoint;
  readonly events: readonly ProjectedEvent[];
}

/** @param skipped ids of events that a maintainer decided to leave out */
export function projectedBatch(
  from: Checkpoint,
  recorded: readonly RecordedEvent[],
  skipped: ReadonlySet<string>,
): ProjectedBatch {
  const to = {
    position: recorded.at(-1)?.position ?? from.position,
    ordinal: from.ordinal + recorded.length,
  };
  const events = recorded
    .map((event, index) => projectedEvent(event, from.ordinal + index + 1))
    .filter(({ id }) => !skipped.has(id));
  return { from, to, events };
}

function projectedEvent(
  { id, type, data, metadata, streamId, undecodable }: RecordedEvent,
  ordinal: number,
): ProjectedEvent {
  const event = { id, type, data, metadata, streamId, ordinal };
  return undecodable === undefined ? event : { ...event, undecodable };
}
