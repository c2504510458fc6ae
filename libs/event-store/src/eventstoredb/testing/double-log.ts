import { WakeSignal } from '../../wake-signal.js';

export interface DoubleEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface DoubleRecord extends DoubleEvent {
  readonly streamId: string;
  readonly revision: number;
  readonly position: number;
}

/** Positions are file offsets, so they have gaps. */
const BYTES_BETWEEN = 137;

/** The double's log, with the idempotency rules of the real server: event ids are compared only within a stream. */
export class DoubleLog {
  readonly appended = new WakeSignal();
  private readonly records: DoubleRecord[] = [];
  private readonly streams = new Map<string, DoubleRecord[]>();
  /** Revisions by stream and id. */
  private readonly revisions = new Map<string, number>();

  get length(): number {
    return this.records.length;
  }

  append(
    streamId: string,
    expected: 'any' | number,
    events: readonly DoubleEvent[],
  ): { revision: number; position: number } | { actual: number } {
    const stream = this.streams.get(streamId) ?? [];
    const revisionOf = (id: string): number => this.revisions.get(`${streamId} ${id}`) ?? -1;
    const first = expected === 'any' ? revisionOf(events[0]?.id ?? '') : expected + 1;
    const known = knownAt(stream, first, events);
    if (known !== undefined) return known;
    const hasKnown = expected === 'any' && events.some(({ id }) => revisionOf(id) >= 0);
    if (hasKnown || (expected !== 'any' && expected !== stream.length - 1))
      return { actual: stream.length - 1 };
    for (const event of events) {
      const position = (this.records.length + 1) * BYTES_BETWEEN;
      const record = { ...event, streamId, revision: stream.length, position };
      this.revisions.set(`${streamId} ${event.id}`, stream.length);
      stream.push(record);
      this.records.push(record);
    }
    this.streams.set(streamId, stream);
    this.appended.wake();
    return { revision: stream.length - 1, position: this.records.length * BYTES_BETWEEN };
  }

  has(streamId: string): boolean {
    return this.streams.has(streamId);
  }

  stream(streamId: string, from: number): DoubleRecord[] {
    return (this.streams.get(streamId) ?? []).slice(from);
  }

  /** Like the real server: includes the event at the position when reading forwards, but not backwards. */
  all(from: number | undefined, isBackwards: boolean): DoubleRecord[] {
    if (isBackwards) {
      return this.records.filter(({ position }) => from === undefined || position < from).reverse();
    }
    return this.records.slice(Math.max(0, Math.ceil((from ?? 0) / BYTES_BETWEEN) - 1));
  }

  after(position: number): DoubleRecord[] {
    return this.records.slice(Math.max(0, Math.floor(position / BYTES_BETWEEN)));
  }
}

function knownAt(
  stream: readonly DoubleRecord[],
  first: number,
  events: readonly DoubleEvent[],
): { revision: number; position: number } | undefined {
  if (first < 0 || !events.every(({ id }, index) => stream[first + index]?.id === id)) return undefined;
  const last = stream[first + events.length - 1];
  return last && { revision: last.revision, position: last.position };
}
