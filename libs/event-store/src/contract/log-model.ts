import { isDeepStrictEqual } from 'node:util';
import type { Append, AppendOutcome, NewEvent, Position, RecordedEvent } from '../port.js';
import { asWritten } from './event-fixtures.js';

/** One call of `append`, and what it was answered. */
export interface AnsweredCall {
  readonly appends: readonly Append[];
  readonly outcomes: readonly AppendOutcome[];
}

export interface LogTraits {
  /** One event id can only be in one stream. */
  readonly uniqueEventIds: boolean;
  /** An answer always tells whether the events were there before. */
  readonly tellsDuplicates: boolean;
}

type Verdict =
  | { readonly kind: 'written' | 'known'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly actualRevision: number | null };

interface Pending {
  readonly append: Append;
  readonly outcome: AppendOutcome;
  /** Appends of one call to one stream are taken in the order given. */
  readonly after: Pending | undefined;
}

/** What a log is, as an array: what each append comes to, and whether what many came to at once has an order that explains it. */
export class LogModel {
  /** Before the first event of the model. */
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

  /** Of the event at an index, or before all of them: there are as many places as events and one more. */
  place(index: number): { readonly position: Position | undefined; readonly rest: readonly RecordedEvent[] } {
    const count = index % (this.events.length + 1);
    return {
      position: count === 0 ? this.start : this.events[count - 1]?.position,
      rest: this.events.slice(count),
    };
  }

  /**
   * Takes what calls made at once have written.
   * @param written what the log has after what the model knew
   * @throws where no order of the appends explains the answers and the log
   */
  take(calls: readonly AnsweredCall[], written: readonly RecordedEvent[]): void {
    if (!this.explains(calls.flatMap(pendingOf), written))
      throw new Error(`no order explains ${JSON.stringify({ log: this.events, calls, written })}`);
  }

  private explains(pending: readonly Pending[], written: readonly RecordedEvent[]): boolean {
    // What writes nothing changes nothing for the others: it may as well be first.
    const left = this.withoutIdle(pending);
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

  private withoutIdle(pending: readonly Pending[]): readonly Pending[] {
    const left = pending.filter((one) => !isNext(one, pending) || !this.isIdle(one));
    return left.length === pending.length ? left : this.withoutIdle(left);
  }

  private isIdle({ append, outcome }: Pending): boolean {
    const isNew = outcome.kind === 'appended' && !outcome.duplicate;
    if (isNew && this.traits.tellsDuplicates) return false;
    const verdict = this.judge(append);
    if (verdict.kind === 'written') return false;
    if (verdict.kind === 'conflict') return isDeepStrictEqual(outcome, verdict);
    if (outcome.kind !== 'appended' || outcome.revision !== verdict.revision) return false;
    const last = this.stream(append.streamId)[verdict.revision];
    return outcome.position === last?.position && (outcome.duplicate || !this.traits.tellsDuplicates);
  }

  private isWritten(one: Pending, left: readonly Pending[], written: readonly RecordedEvent[]): boolean {
    const { append, outcome } = one;
    if (written[0]?.id !== append.events[0]?.id || !isNext(one, left)) return false;
    const verdict = this.judge(append);
    if (verdict.kind !== 'written' || outcome.kind !== 'appended') return false;
    const { events, streamId } = append;
    const last = written[events.length - 1];
    return (
      isDeepStrictEqual(outcome, {
        kind: 'appended',
        position: last?.position,
        revision: verdict.revision,
        duplicate: false,
      }) &&
      events.every((event, index) => {
        const at = { streamId, revision: verdict.revision - events.length + 1 + index };
        return isRecordOf(written[index], event, at);
      })
    );
  }

  private judge({ streamId, expectedRevision, events }: Append): Verdict {
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
    // A server that compares ids in one stream alone does it only where it does not know the place to look at.
    return expected === 'any' && this.stream(streamId).some(isOne);
  }
}

function pendingOf({ appends, outcomes }: AnsweredCall): Pending[] {
  if (appends.length !== outcomes.length) throw new Error('not as many outcomes as appends');
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

function isRecordOf(
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
