import { END, type Position as GlobalPosition } from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../port.js';
import { formatGlobalPosition } from './subscription-batches.js';

/** A page of the server's log. */
export interface Page {
  /** Product events only. */
  readonly events: RecordedEvent[];
  /** Number of events read, including system events. */
  readonly count: number;
  readonly first: GlobalPosition | undefined;
  readonly last: GlobalPosition | undefined;
}

export type ReadBackwards = (from: GlobalPosition | typeof END, maxCount: number) => Promise<Page>;

const FIRST_PAGE = 32;
const MAX_PAGE_SIZE = 1_000;

/**
 * Finds the last product event by reading backwards past system events, of which there may be many. Remembers how far it has read, so
 * that a log with nothing but new system events is not scanned again.
 */
export class LogHead {
  private readonly readBackwards: ReadBackwards;
  private cached: { readonly end: Position; readonly head: Position | undefined } = {
    end: '',
    head: undefined,
  };

  constructor(readBack: ReadBackwards) {
    this.readBackwards = readBack;
  }

  async head(): Promise<Position | undefined> {
    let from: GlobalPosition | typeof END = END;
    let end: Position | undefined;
    for (let size = FIRST_PAGE; ; size = Math.min(4 * size, MAX_PAGE_SIZE)) {
      const page = await this.readBackwards(from, size);
      end = end ?? formatOptional(page.first);
      // The server was restored from an older backup.
      if ((end ?? '') < this.cached.end) this.cached = { end: '', head: undefined };
      const head = page.events[0]?.position;
      if (head !== undefined) return this.remember(end, head);
      if (page.last === undefined || page.count < size) return this.remember(end, undefined);
      if (formatGlobalPosition(page.last) <= this.cached.end) return this.remember(end, this.cached.head);
      from = page.last;
    }
  }

  private remember(end = '', head: Position | undefined): Position | undefined {
    if (end > this.cached.end) this.cached = { end, head };
    return head;
  }
}

const formatOptional = (position: GlobalPosition | undefined): Position | undefined =>
  position && formatGlobalPosition(position);
