import { END, type Position as GlobalPosition } from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../port.js';
import { formatGlobalPosition } from './subscription-batches.js';

/** A part of the log as the server has it. */
export interface Page {
  /** Those of the product. */
  readonly events: RecordedEvent[];
  /** Of all that was read, the server's own events among it. */
  readonly count: number;
  readonly first: GlobalPosition | undefined;
  readonly last: GlobalPosition | undefined;
}

export type ReadBack = (from: GlobalPosition | typeof END, maxCount: number) => Promise<Page>;

const FIRST_PAGE = 32;
const MAX_PAGE_SIZE = 1_000;

/**
 * Finds the last product event: from the end back, past the server's own events, which may be many in a row. What was passed once is
 * remembered, so that a log in which only the server writes is not walked again and again.
 */
export class LogEnd {
  private readonly readBack: ReadBack;
  private known: { readonly end: Position; readonly head: Position | undefined } = {
    end: '',
    head: undefined,
  };

  constructor(readBack: ReadBack) {
    this.readBack = readBack;
  }

  async head(): Promise<Position | undefined> {
    let from: GlobalPosition | typeof END = END;
    let end: Position | undefined;
    for (let size = FIRST_PAGE; ; size = Math.min(4 * size, MAX_PAGE_SIZE)) {
      const page = await this.readBack(from, size);
      end = end ?? textOf(page.first);
      // The server was brought back with an older log.
      if ((end ?? '') < this.known.end) this.known = { end: '', head: undefined };
      const head = page.events[0]?.position;
      if (head !== undefined) return this.remember(end, head);
      if (page.last === undefined || page.count < size) return this.remember(end, undefined);
      if (formatGlobalPosition(page.last) <= this.known.end) return this.remember(end, this.known.head);
      from = page.last;
    }
  }

  private remember(end = '', head: Position | undefined): Position | undefined {
    if (end > this.known.end) this.known = { end, head };
    return head;
  }
}

const textOf = (place: GlobalPosition | undefined): Position | undefined =>
  place && formatGlobalPosition(place);
