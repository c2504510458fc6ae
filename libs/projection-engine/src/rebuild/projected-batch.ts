import type { Position, RecordedEvent } from '@nimo/event-store';
import type { Checkpoint } from '../bookkeeping/leases.js';
import type { ProjectedEvent } from '../projection.js';

/** Before all other positions, which compare as strings. */
export const BEGINNING: Position = '';

export const positionOf = ({ position }: Pick<Checkpoint, 'position'>): Position => position ?? BEGINNING;

/** Events between two checkpoints, as folds see them. */
export interface ProjectedBatch {
  readonly from: Checkpoint;
  readonly to: Checkpoint;
  readonly events: readonly ProjectedEvent[];
}

/** @param skipped ids of skipped events */
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

const NO_SKIPS: ReadonlySet<string> = new Set();

/** A page of the log, shared by all generations that fold it. */
export class LogPage {
  private readonly from: Checkpoint;
  private readonly recorded: readonly RecordedEvent[];
  /** Shared by all generations with the same ordinals. */
  private readonly projected: readonly ProjectedEvent[];

  constructor(from: Checkpoint, recorded: readonly RecordedEvent[]) {
    this.from = from;
    this.recorded = recorded;
    this.projected = projectedBatch(from, recorded, NO_SKIPS).events;
  }

  /** The position of its last event. */
  get end(): Position {
    return this.recorded.at(-1)?.position ?? positionOf(this.from);
  }

  /** The batch after a checkpoint; undefined if it is empty, or if the page starts after the checkpoint. */
  after(
    from: Checkpoint,
    { until, skipped }: { readonly until?: Position | undefined; readonly skipped: ReadonlySet<string> },
  ): ProjectedBatch | undefined {
    if (positionOf(from) < positionOf(this.from)) return undefined;
    const begin = indexAfter(this.recorded, positionOf(from));
    const end = until === undefined ? this.recorded.length : indexAfter(this.recorded, until);
    if (begin >= end) return undefined;
    // After a replacement of the log a generation may have other ordinals; it keeps counting from its own.
    if (this.from.ordinal + begin !== from.ordinal)
      return projectedBatch(from, this.recorded.slice(begin, end), skipped);
    const to = { position: this.recorded[end - 1]?.position ?? null, ordinal: from.ordinal + end - begin };
    const events =
      begin === 0 && end === this.projected.length ? this.projected : this.projected.slice(begin, end);
    return { from, to, events: skipped.size === 0 ? events : events.filter(({ id }) => !skipped.has(id)) };
  }
}

/** The index of the first event after a position. */
export function indexAfter(events: readonly RecordedEvent[], position: Position): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = events[middle];
    if (event !== undefined && event.position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
