import type { RecordedEvent, Position } from '@nimo/event-store';
import type { Checkpoint } from '../bookkeeping/leases.js';
import type { ProjectedEvent } from '../projection.js';
import type { FoldedPage } from '../rebuild/generation-build.js';
import { BEGINNING } from './log-tail.js';

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

const NONE: ReadonlySet<string> = new Set();

/** Events in a row that were read once, for whoever folds them. */
export class LogPage {
  readonly #from: Checkpoint;
  readonly #recorded: readonly RecordedEvent[];
  /** As folds see them: made once for all that count the same. */
  readonly #projected: readonly ProjectedEvent[];

  constructor(from: Checkpoint, recorded: readonly RecordedEvent[]) {
    this.#from = from;
    this.#recorded = recorded;
    this.#projected = projectedBatch(from, recorded, NONE).events;
  }

  /** Of its last event. */
  get end(): Position {
    return this.#recorded.at(-1)?.position ?? this.#from.position ?? BEGINNING;
  }

  /** What of it comes after a place; undefined where nothing does, or where events between are missing. */
  after(
    { position, ordinal }: Checkpoint,
    { until, skipped }: { readonly until?: Position | undefined; readonly skipped: ReadonlySet<string> },
  ): FoldedPage | undefined {
    if ((position ?? BEGINNING) < (this.#from.position ?? BEGINNING)) return undefined;
    const begin = firstBeyond(this.#recorded, position ?? BEGINNING);
    const end = until === undefined ? this.#recorded.length : firstBeyond(this.#recorded, until);
    if (begin >= end) return undefined;
    const to = { position: this.#recorded[end - 1]?.position ?? null, ordinal: ordinal + end - begin };
    // Who counted otherwise, as a log was replaced under it, goes on counting so.
    if (this.#from.ordinal + begin !== ordinal)
      return {
        to,
        events: projectedBatch({ position, ordinal }, this.#recorded.slice(begin, end), skipped).events,
      };
    const events =
      begin === 0 && end === this.#projected.length ? this.#projected : this.#projected.slice(begin, end);
    return { to, events: skipped.size === 0 ? events : events.filter(({ id }) => !skipped.has(id)) };
  }
}

/** The index of the first event after a position. */
function firstBeyond(events: readonly RecordedEvent[], position: Position): number {
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
