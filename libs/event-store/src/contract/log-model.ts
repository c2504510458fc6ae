import { isDeepStrictEqual } from 'node:util';
import type { Append, AppendOutcome, NewEvent, Position, RecordedEvent } from '../port.js';
import { asWritten } from './event-fixtures.js';

/** A call of `append` and its outcomes. */
export interface CompletedCall {
  readonly appends: readonly Append[];
  readonly outcomes: readonly AppendOutcome[];
}

export interface LogTraits {
  /** An event id occurs only once in the log. */
  readonly uniqueEventIds: boolean;
  /** An outcome always tells whether the events existed before. */
  readonly reportsDuplicates: boolean;
}

type Prediction =
  | { readonly kind: 'written' | 'known'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly actualRevision: number | null };

interface Pending {
  readonly append: Append;
  readonly outcome: AppendOutcome;
  /** The previous append of the same call to the same stream: these keep their order. */
  readonly after: Pending | undefined;
}

/** An event log modeled as an array. Predicts outcomes and checks that some serial order explains concurrent appends. */
export class LogModel {
  /** Position before the first event of the model. */
  readonly start: Position | undefined;
  private readonly traits: LogTraits;
  private readonly events: RecordedEvent[] = [];

  constructor(start: Position | undefined, traits: LogTraits) {
    this.start = start;
    this.traits = traits;
  }

  get log(): readonly RecordedEvent[] {
    return this.events;
  }

  get head(): Position | undefined {
    return this.events.at(-1)?.position ?? this.start;
  }

  stream(streamId: string): RecordedEvent[] {
    return this.events.filter((event) => event.streamId === streamId);
  }

  /** The position after `index` events (modulo the length of the log plus one), and the events after it. */
  place(index: number): { readonly position: Position | undefined; readonly rest: readonly RecordedEvent[] } {
    const count = index % (this.events.length + 1);
    return {
      position: count === 0 ? this.start : this.events[count - 1]?.position,
      rest: this.events.slice(count),
    };
  }

  /**
   * Adds the events written by concurrent calls.
   * @param written events of the log after the model's head
   * @throws if no serial order of the appends explains the outcomes and the log
   */
  take(calls: readonly CompletedCall[], written: readonly RecordedEvent[]): void {
    if (!this.explains(calls.flatMap(pendingOf), written))
      throw new Error(`no order explains ${JSON.stringify({ log: this.events, calls, written })}`);
  }

  private explains(pending: readonly Pending[], written: readonly RecordedEvent[]): boolean {
    // An append that writes nothing does not affect the others, so it may as well come first.
    const left = this.withoutNoOps(pending);
    if (left.length === 0) return written.length === 0;
    return left.some((one) => {
      const { events } = one.append;
      if (!this.isWritten(one, left, written)) return false;
      this.events.push(...written.slice(0, events.length));
      const rest = left.filter((other) => other !== one);
      if (this.explains(rest, written.slice(events.length))) return true;
      this.events.splice(-events.length);
      return false;
    });
  }

  private withoutNoOps(pending: readonly Pending[]): readonly Pending[] {
    const left = pending.filter((one) => !isNext(one, pending) || !this.isNoOp(one));
    return left.length === pending.length ? left : this.withoutNoOps(left);
  }

  private isNoOp({ append, outcome }: Pending): boolean {
    const isNew = outcome.kind === 'appended' && !outcome.duplicate;
    if (isNew && this.traits.reportsDuplicates) return false;
    const prediction = this.predict(append);
    if (prediction.kind === 'written') return false;
    if (prediction.kind === 'conflict') return isDeepStrictEqual(outcome, prediction);
    if (outcome.kind !== 'appended' || outcome.revision !== prediction.revision) return false;
    const last = this.stream(append.streamId)[prediction.revision];
    return outcome.position === last?.position && (outcome.duplicate || !this.traits.reportsDuplicates);
  }

  private isWritten(one: Pending, left: readonly Pending[], written: readonly RecordedEvent[]): boolean {
    const { append, outcome } = one;
    if (written[0]?.id !== append.events[0]?.id || !isNext(one, left)) return false;
    const prediction = this.predict(append);
    if (prediction.kind !== 'written' || outcome.kind !== 'appended') return false;
    const { events, streamId } = append;
    const last = written[events.length - 1];
    return (
      isDeepStrictEqual(outcome, {
        kind: 'appended',
        position: last?.position,
        revision: prediction.revision,
        duplicate: false,
      }) &&
      events.every((event, index) => {
        const at = { streamId, revision: prediction.revision - events.length + 1 + index };
        return isRecorded(written[index], event, at);
      })
    );
  }

  private predict({ streamId, expectedRevision, events }: Append): Prediction {
    const stream = this.stream(streamId);
    const last = stream.length - 1;
    const expected = expectedRevision === 'no-stream' ? -1 : expectedRevision;
    const from = expected === 'any' ? stream.findLastIndex(({ id }) => id === events[0]?.id) : expected + 1;
    if (from >= 0 && events.every(({ id }, index) => stream[from + index]?.id === id))
      return { kind: 'known', revision: from + events.length - 1 };
    if (this.isAnyKnown(streamId, events, expected) || (expected !== 'any' && expected !== last))
      return { kind: 'conflict', actualRevision: last < 0 ? null : last };
    return { kind: 'written', revision: last + events.length };
  }

  private isAnyKnown(streamId: string, events: readonly NewEvent[], expected: 'any' | number): boolean {
    const isOne = (event: RecordedEvent): boolean => events.some(({ id }) => id === event.id);
    if (this.traits.uniqueEventIds) return this.events.some(isOne);
    // A server that compares ids within a stream only does so if no revision is expected.
    return expected === 'any' && this.stream(streamId).some(isOne);
  }
}

function pendingOf({ appends, outcomes }: CompletedCall): Pending[] {
  if (appends.length !== outcomes.length)
    throw new Error('the number of outcomes differs from the number of appends');
  const lastOf = new Map<string, Pending>();
  return appends.map((append, index) => {
    const outcome = outcomes[index];
    if (!outcome) throw new Error('an append without an outcome');
    const pending = { append, outcome, after: lastOf.get(append.streamId) };
    lastOf.set(append.streamId, pending);
    return pending;
  });
}

const isNext = ({ after }: Pending, left: readonly Pending[]): boolean =>
  after === undefined || !left.includes(after);

function isRecorded(
  record: RecordedEvent | undefined,
  event: NewEvent,
  at: Pick<RecordedEvent, 'streamId' | 'revision'>,
): boolean {
  return (
    record?.streamId === at.streamId &&
    record.revision === at.revision &&
    isDeepStrictEqual(asWritten(record), event)
  );
}
