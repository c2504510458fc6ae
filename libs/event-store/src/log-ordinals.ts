import type { EventStore, Position, ReadAllOptions, RecordedEvent } from './port.js';

export interface NumberedEvent extends RecordedEvent {
  /** Place in the log, counted from 1. */
  readonly ordinal: number;
}

/** Distance of the remembered positions, and the events read per call while counting. */
const SPACING = 1_000;

/**
 * Finds events of the whole log by their ordinals. Without numbered positions it reads the log once, keeps the position of every
 * thousandth event in memory, and then reads at most one interval to find an event.
 */
export class LogOrdinals {
  /** Element i is the position of event (i + 1) × 1,000. Valid forever, because the log is append-only. */
  private readonly milestones: Position[] = [];
  private reading: Promise<void> | undefined;

  constructor(private readonly log: Pick<EventStore, 'readAll' | 'head' | 'positions'>) {}

  /** Ordinal of the last event; 0 for an empty log. */
  async last(): Promise<number> {
    const head = await this.log.head();
    return head === undefined ? 0 : this.ordinalOf(head);
  }

  /** Events from one ordinal on, ascending. */
  async readFrom(ordinal: number, limit: number): Promise<NumberedEvent[]> {
    const first = Math.max(1, ordinal);
    const [start, skipped] = await this.startOf(first);
    const events = await this.readAfter(start, skipped + limit);
    return events.slice(skipped).map((event, index) => ({ ...event, ordinal: first + index }));
  }

  async ordinalOf(position: Position): Promise<number> {
    const { positions } = this.log;
    if (positions) return positions.ordinalOf(position);
    await this.readMilestones((last) => last >= position);
    const passed = this.milestones.filter((milestone) => milestone < position).length;
    const between = await this.readAfter(this.milestones[passed - 1], SPACING, position);
    return passed * SPACING + between.length;
  }

  /** A known position at or before the event, and the number of events to skip from there. */
  private async startOf(ordinal: number): Promise<readonly [after: Position | undefined, skipped: number]> {
    const before = ordinal - 1;
    const { positions } = this.log;
    if (positions) return [before === 0 ? undefined : positions.positionOf(before), 0];
    const wanted = Math.floor(before / SPACING);
    await this.readMilestones(() => this.milestones.length >= wanted);
    const passed = Math.min(wanted, this.milestones.length);
    return [this.milestones[passed - 1], before - passed * SPACING];
  }

  /** One reader at a time, so that milestones are added in order. */
  private async readMilestones(isEnough: (last: Position) => boolean): Promise<void> {
    while (!isEnough(this.milestones.at(-1) ?? '')) {
      const known = this.milestones.length;
      this.reading ??= this.readMilestone().finally(() => (this.reading = undefined));
      await this.reading;
      if (this.milestones.length === known) return;
    }
  }

  private async readMilestone(): Promise<void> {
    const next = (await this.readAfter(this.milestones.at(-1), SPACING))[SPACING - 1];
    if (next) this.milestones.push(next.position);
  }

  private readAfter(after: Position | undefined, limit: number, until?: Position): Promise<RecordedEvent[]> {
    const range: ReadAllOptions = {
      limit,
      ...(after !== undefined && { after }),
      ...(until !== undefined && { until }),
    };
    return this.log.readAll(range);
  }
}
