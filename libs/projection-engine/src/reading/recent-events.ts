import { type EventStore, type Position, type RecordedEvent, weightOfEvent } from '@nimo/event-store';

/** Beyond these a worker is far behind, and folding all of them for each reader would cost more than waiting does. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 2 ** 20;

export interface RecentEventsOptions {
  readonly store: Pick<EventStore, 'readAll'>;
  /** The types of events that somebody folds. Of the others only the place in the log is kept. */
  readonly types: ReadonlySet<string>;
  /** The most events between a read model and whoever asks; 1,000 unless given. */
  readonly atMost?: number;
}

/**
 * The events after what a read model has reached. They are read once for all who ask at the same time, and only while somebody asks: a
 * process that decides nothing follows nothing.
 */
export class RecentEvents {
  readonly #options: RecentEventsOptions;
  readonly #atMost: number;
  #events: RecordedEvent[] = [];
  #bytes = 0;
  /** All events after this position and up to the head are kept. */
  #base: Position | undefined;
  #head: Position = '';
  #reading: Promise<boolean> | undefined;

  constructor(options: RecentEventsOptions) {
    this.#options = options;
    this.#atMost = options.atMost ?? MAX_EVENTS;
  }

  /**
   * @param after where the read model is at least
   * @param until a position that an append was answered with
   * @returns every event after the one and up to the other, and those beyond it that are known; undefined where that is too much to keep,
   * or the store does not tell of that position yet
   */
  async between(after: Position, until: Position): Promise<readonly RecordedEvent[] | undefined> {
    // What is kept is of no use any more, or there is nothing.
    if (this.#base === undefined || after > this.#head) this.#beginAt(after);
    while (this.#reaches(after) && this.#head < until) {
      // What is on its way may have been asked for before that append.
      if (this.#reading) await this.#reading;
      else if (!(await this.#readOn())) return undefined;
    }
    if (!this.#reaches(after)) return undefined;
    const start = this.#events.findLastIndex(({ position }) => position <= after) + 1;
    return this.#events.length - start > this.#atMost ? undefined : this.#events.slice(start);
  }

  #reaches(after: Position): boolean {
    return this.#base !== undefined && after >= this.#base;
  }

  #beginAt(position: Position): void {
    this.#base = this.#head = position;
    this.#events = [];
    this.#bytes = 0;
  }

  /** @returns whether there was anything */
  async #readOn(): Promise<boolean> {
    this.#reading = this.#readFrom(this.#head).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readFrom(head: Position): Promise<boolean> {
    const { store, types } = this.#options;
    const page = await store.readAll({ ...(head !== '' && { after: head }), limit: this.#atMost });
    const last = page.at(-1);
    // Where somebody began elsewhere meanwhile, these do not follow what is kept now.
    if (last === undefined || this.#head !== head) return last !== undefined;
    for (const event of page) {
      const kept = types.has(event.type) ? event : { ...event, data: {}, metadata: {} };
      this.#events.push(kept);
      this.#bytes += weightOfEvent(kept);
    }
    this.#head = last.position;
    this.#forget();
    return true;
  }

  /** Cut in halves, so that the cost of moving what stays is spread over many events. */
  #forget(): void {
    const isHeavy = this.#bytes > MAX_BYTES;
    if (!isHeavy && this.#events.length <= 2 * this.#atMost) return;
    const gone = this.#events.splice(0, this.#events.length - (isHeavy ? 0 : this.#atMost));
    for (const event of gone) this.#bytes -= weightOfEvent(event);
    this.#base = gone.at(-1)?.position ?? this.#base;
  }
}
