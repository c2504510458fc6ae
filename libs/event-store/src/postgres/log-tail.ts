import { formatPosition, parsePosition } from '../numeric-position.js';
import type { RecordedEvent } from '../port.js';
import { weightOfEvent } from '../read-within.js';
import { WakeSignal } from '../wake-signal.js';

/** @returns the events after a position; undefined where the log cannot be reached now */
type ReadAfter = (after: number, limit: number) => Promise<readonly RecordedEvent[] | undefined>;

/** Events of one look for all. */
const LOOK = 250;
/** For who is a little behind the others; what the latest look brought comes on top. */
const KEPT_EVENTS = 1_000;
const KEPT_BYTES = 4 * 2 ** 20;

/**
 * The end of the log, read once for all subscribers of a store. Nobody reads as long as nobody follows, and who is further behind than is
 * kept reads for itself until it is not.
 */
export class LogTail {
  /** Woken when there may be more, and when there is. */
  readonly changed = new WakeSignal();
  private readonly read: ReadAfter;
  private readonly pollMs: number;
  private kept: RecordedEvent[] = [];
  private bytes = 0;
  /** All after this position and up to the head are kept. */
  private base: number | undefined;
  private head = 0;
  private announced = 0;
  /** There may be more than was announced. */
  private isUncertain = false;
  private lookedAt = 0;
  private looking: Promise<boolean> | undefined;

  constructor(read: ReadAfter, pollMs: number) {
    this.read = read;
    this.pollMs = pollMs;
  }

  /** Everything up to that position was appended. What a look found before its ring came wakes nobody again. */
  ring(position: number): void {
    if (this.base !== undefined && position <= this.head) return;
    this.announced = Math.max(this.announced, position);
    this.changed.wake();
  }

  /** Rings may have been missed, and it may be another server that is read from now on. */
  forget(): void {
    this.base = undefined;
    this.announced = 0;
    this.isUncertain = true;
    this.changed.wake();
  }

  /** @returns how long who is at that position need not look, unless somebody rings */
  restMs(position: number): number {
    return this.reaches(position) ? this.signalledRestMs : this.pollMs;
  }

  /** @returns nothing where the log ends; undefined where it cannot be reached now */
  async next(after: number, limit: number): Promise<readonly RecordedEvent[] | undefined> {
    if (after === this.head && this.reaches(after) && this.mayHaveMore && !(await this.look()))
      return undefined;
    return this.reaches(after) ? this.take(after, limit) : this.catchUp(after, limit);
  }

  private get signalledRestMs(): number {
    return Math.max(0, this.pollMs - (performance.now() - this.lookedAt));
  }

  private get mayHaveMore(): boolean {
    return this.isUncertain || this.announced > this.head || this.signalledRestMs === 0;
  }

  private reaches(position: number): boolean {
    return this.base !== undefined && position >= this.base && position <= this.head;
  }

  private take(after: number, limit: number): readonly RecordedEvent[] {
    const position = formatPosition(after);
    // From the end: who follows is near it.
    const start = this.kept.findLastIndex((event) => event.position <= position) + 1;
    return this.kept.slice(start, start + limit);
  }

  /** Who finds the end of the log so has the others look from there. */
  private async catchUp(after: number, limit: number): Promise<readonly RecordedEvent[] | undefined> {
    const events = await this.read(after, limit);
    const last = events?.at(-1);
    if (!events || !last || events.length === limit) return events;
    const head = parsePosition(last.position);
    if (this.base !== undefined && head <= this.head) return events;
    this.kept = [];
    this.bytes = 0;
    this.base = after;
    this.add(events, head);
    return events;
  }

  /** One at a time, for everybody who waits at the head. */
  private look(): Promise<boolean> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookOnce(): Promise<boolean> {
    const [head, base, announced] = [this.head, this.base, this.announced];
    this.isUncertain = false;
    const events = await this.read(head, LOOK);
    const last = events?.at(-1);
    this.isUncertain ||= events === undefined || events.length === LOOK;
    if (!events) return false;
    // It was forgotten, or somebody who caught up was faster.
    if (base !== this.base || head !== this.head) return true;
    this.makeRoom();
    this.add(events, last ? parsePosition(last.position) : head);
    // Who announced more than there is was wrong, or the log was replaced: nobody looks for it for ever.
    if (!this.isUncertain && announced === this.announced) this.announced = Math.min(announced, this.head);
    return true;
  }

  private add(events: readonly RecordedEvent[], head: number): void {
    for (const event of events) {
      this.kept.push(event);
      this.bytes += weightOfEvent(event);
    }
    this.head = head;
    this.lookedAt = performance.now();
    if (events.length > 0) this.changed.wake();
  }

  /** Before more comes, so that whoever looked finds all of it. */
  private makeRoom(): void {
    let count = 0;
    for (const event of this.kept) {
      if (this.kept.length - count <= KEPT_EVENTS && this.bytes <= KEPT_BYTES) break;
      this.bytes -= weightOfEvent(event);
      count += 1;
    }
    const last = this.kept.splice(0, count).at(-1);
    if (last) this.base = parsePosition(last.position);
  }
}
