import { formatPosition, parsePosition } from '../numeric-position.js';
import type { RecordedEvent } from '../port.js';
import { weightOfEvent } from '../read-page.js';
import { WakeSignal } from '../wake-signal.js';

/** @returns the events after a position; undefined if the log is unavailable */
type ReadAfter = (after: number, limit: number) => Promise<readonly RecordedEvent[] | undefined>;

const READ_LIMIT = 250;
/** Limits of the cache for slightly slower subscribers. The latest read is kept in addition. */
const MAX_CACHED_EVENTS = 1_000;
const MAX_CACHED_BYTES = 4 * 2 ** 20;

/**
 * The most recent events, read once for all subscribers of a store. A subscriber that is further behind reads by itself until it has
 * caught up. Without subscribers, nothing is read.
 */
export class LogTail {
  /** Wakes when there are new events, or may be. */
  readonly changed = new WakeSignal();
  private readonly read: ReadAfter;
  private readonly pollMs: number;
  private cached: RecordedEvent[] = [];
  private cachedBytes = 0;
  /** All events after this position and up to the head are cached. */
  private base: number | undefined;
  private head = 0;
  private announced = 0;
  /** There may be events that were not announced. */
  private mayHaveMissed = false;
  private polledAt = 0;
  private polling: Promise<boolean> | undefined;

  constructor(read: ReadAfter, pollMs: number) {
    this.read = read;
    this.pollMs = pollMs;
  }

  /** Everything up to this position is appended. Events already read wake nobody again. */
  announce(position: number): void {
    if (this.base !== undefined && position <= this.head) return;
    this.announced = Math.max(this.announced, position);
    this.changed.wake();
  }

  /** Call when notifications may have been missed or the server may have changed. */
  reset(): void {
    this.base = undefined;
    this.announced = 0;
    this.mayHaveMissed = true;
    this.changed.wake();
  }

  /** @returns how long a subscriber at this position can wait for a notification before it reads again */
  waitMs(position: number): number {
    return this.covers(position) ? this.pollInMs : this.pollMs;
  }

  /** @returns an empty array at the end of the log; undefined if the log is unavailable */
  async next(after: number, limit: number): Promise<readonly RecordedEvent[] | undefined> {
    if (after === this.head && this.covers(after) && this.mayHaveMore && !(await this.poll()))
      return undefined;
    return this.covers(after) ? this.takeCached(after, limit) : this.catchUp(after, limit);
  }

  private get pollInMs(): number {
    return Math.max(0, this.pollMs - (performance.now() - this.polledAt));
  }

  private get mayHaveMore(): boolean {
    return this.mayHaveMissed || this.announced > this.head || this.pollInMs === 0;
  }

  private covers(position: number): boolean {
    return this.base !== undefined && position >= this.base && position <= this.head;
  }

  private takeCached(after: number, limit: number): readonly RecordedEvent[] {
    const position = formatPosition(after);
    // Search from the end: most subscribers are near the head.
    const start = this.cached.findLastIndex((event) => event.position <= position) + 1;
    return this.cached.slice(start, start + limit);
  }

  /** A read that reaches the end of the log becomes the new cache. */
  private async catchUp(after: number, limit: number): Promise<readonly RecordedEvent[] | undefined> {
    const events = await this.read(after, limit);
    const last = events?.at(-1);
    if (!events || !last || events.length === limit) return events;
    const head = parsePosition(last.position);
    if (this.base !== undefined && head <= this.head) return events;
    this.cached = [];
    this.cachedBytes = 0;
    this.base = after;
    this.add(events, head);
    return events;
  }

  /** One read at a time for all subscribers at the head. */
  private poll(): Promise<boolean> {
    this.polling ??= this.pollOnce().finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async pollOnce(): Promise<boolean> {
    const [head, base, announced] = [this.head, this.base, this.announced];
    this.mayHaveMissed = false;
    const events = await this.read(head, READ_LIMIT);
    const last = events?.at(-1);
    this.mayHaveMissed ||= events === undefined || events.length === READ_LIMIT;
    if (!events) return false;
    // A reset or a faster catch-up came in between.
    if (base !== this.base || head !== this.head) return true;
    this.evict();
    this.add(events, last ? parsePosition(last.position) : head);
    // The announced event does not exist (a wrong notification, or a replaced log): stop looking for it.
    if (!this.mayHaveMissed && announced === this.announced) this.announced = Math.min(announced, this.head);
    return true;
  }

  private add(events: readonly RecordedEvent[], head: number): void {
    for (const event of events) {
      this.cached.push(event);
      this.cachedBytes += weightOfEvent(event);
    }
    this.head = head;
    this.polledAt = performance.now();
    if (events.length > 0) this.changed.wake();
  }

  /** Evicts before adding, so that the latest read is cached in full. */
  private evict(): void {
    let count = 0;
    for (const event of this.cached) {
      if (this.cached.length - count <= MAX_CACHED_EVENTS && this.cachedBytes <= MAX_CACHED_BYTES) break;
      this.cachedBytes -= weightOfEvent(event);
      count += 1;
    }
    const last = this.cached.splice(0, count).at(-1);
    if (last) this.base = parsePosition(last.position);
  }
}
