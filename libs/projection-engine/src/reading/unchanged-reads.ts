import { type EventStore, type Position, type RecordedEvent, weightOfEvent } from '@nimo/event-store';
import type { Pool } from 'pg';

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
  private readonly options: RecentEventsOptions;
  private readonly atMost: number;
  private events: RecordedEvent[] = [];
  private bytes = 0;
  /** All events after this position and up to the head are kept. */
  private base: Position | undefined;
  private head: Position = '';
  private reading: Promise<boolean> | undefined;

  constructor(options: RecentEventsOptions) {
    this.options = options;
    this.atMost = options.atMost ?? MAX_EVENTS;
  }

  /**
   * @param after where the read model is at least
   * @param until a position that an append was answered with
   * @returns every event after the one and up to the other, and those beyond it that are known; undefined where that is too much to keep,
   * or the store does not tell of that position yet
   */
  async between(after: Position, until: Position): Promise<readonly RecordedEvent[] | undefined> {
    // What is kept is of no use any more, or there is nothing.
    if (this.base === undefined || after > this.head) this.beginAt(after);
    while (this.reaches(after) && this.head < until) {
      // What is on its way may have been asked for before that append.
      if (this.reading) await this.reading;
      else if (!(await this.readOn())) return undefined;
    }
    if (!this.reaches(after)) return undefined;
    const start = this.events.findLastIndex(({ position }) => position <= after) + 1;
    return this.events.length - start > this.atMost ? undefined : this.events.slice(start);
  }

  private reaches(after: Position): boolean {
    return this.base !== undefined && after >= this.base;
  }

  private beginAt(position: Position): void {
    this.base = this.head = position;
    this.events = [];
    this.bytes = 0;
  }

  /** @returns whether there was anything */
  private async readOn(): Promise<boolean> {
    this.reading = this.readFrom(this.head).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readFrom(head: Position): Promise<boolean> {
    const { store, types } = this.options;
    const page = await store.readAll({ ...(head !== '' && { after: head }), limit: this.atMost });
    const last = page.at(-1);
    // Where somebody began elsewhere meanwhile, these do not follow what is kept now.
    if (last === undefined || this.head !== head) return last !== undefined;
    for (const event of page) {
      const kept = types.has(event.type) ? event : { ...event, data: {}, metadata: {} };
      this.events.push(kept);
      this.bytes += weightOfEvent(kept);
    }
    this.head = last.position;
    this.forget();
    return true;
  }

  /** Cut in halves, so that the cost of moving what stays is spread over many events. */
  private forget(): void {
    const isHeavy = this.bytes > MAX_BYTES;
    if (!isHeavy && this.events.length <= 2 * this.atMost) return;
    const gone = this.events.splice(0, this.events.length - (isHeavy ? 0 : this.atMost));
    for (const event of gone) this.bytes -= weightOfEvent(event);
    this.base = gone.at(-1)?.position ?? this.base;
  }
}

/** Which generation of each projection is live, and how far it has come: by one snapshot of the database. */
export type LivePlaces = Readonly<
  Record<string, { readonly generation: number; readonly position: Position }>
>;

/** SQL for `LivePlaces` as JSON: to be read by the same statement as the rows that are remembered. */
export const livePlacesSql = (names: readonly string[]): string => `(
  select json_object_agg(g.name, json_build_object('generation', g.generation, 'position', coalesce(g.position, '')))
  from read.projection_generations g
  where g.status = 'live' and g.name in (${names.map((name) => `'${name}'`).join(', ')}))`;

export interface UnchangedReadsOptions {
  readonly pool: Pick<Pool, 'query'>;
  readonly store: Pick<EventStore, 'readAll'>;
  /** Projections of which rows are remembered. */
  readonly names: readonly string[];
  /** The types of events that are looked at; of others only the place is known. */
  readonly types: ReadonlySet<string>;
  /** The most events since; see `RecentEvents`. */
  readonly atMost?: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Tells whether rows that were read earlier are still what would be read now, without reading them. Rows of a generation change with its
 * checkpoint alone, in one transaction, and by events alone: so it is enough to look at the checkpoints, and at what came in between.
 */
export class UnchangedReads {
  private readonly options: UnchangedReadsOptions;
  private readonly events: RecentEvents;
  private readonly statement: { readonly name: string; readonly text: string };
  private running: Promise<LivePlaces | undefined> | undefined;
  private next: Promise<LivePlaces | undefined> | undefined;

  constructor(options: UnchangedReadsOptions) {
    const { store, types, atMost, names } = options;
    this.options = options;
    this.events = new RecentEvents({ store, types, ...(atMost !== undefined && { atMost }) });
    this.statement = {
      name: `live-places-${names.join('-')}`,
      text: `select ${livePlacesSql(names)} as places`,
    };
  }

  /**
   * @param concerns whether an event may have changed what was read
   * @returns where the read side is now, if nothing that was read has changed since; undefined where it may have
   */
  async since(
    then: LivePlaces,
    concerns: (event: RecordedEvent) => boolean,
  ): Promise<LivePlaces | undefined> {
    try {
      const now = await this.look();
      const span = now && spanOf(this.options.names, then, now);
      if (!span) return undefined;
      if (span.after === span.until) return now;
      const between = await this.events.between(span.after, span.until);
      if (!between) return undefined;
      const hasChanged = between.some(
        (event) => event.position <= span.until && (event.undecodable !== undefined || concerns(event)),
      );
      return hasChanged ? undefined : now;
    } catch (error) {
      this.options.onError(error);
      return undefined;
    }
  }

  /** One look at a time for all who ask. Whoever comes while one is on its way has the next: the answer is never older than the question. */
  private look(): Promise<LivePlaces | undefined> {
    this.next ??= this.after(this.running);
    return this.next;
  }

  private async after(running: Promise<unknown> | undefined): Promise<LivePlaces | undefined> {
    await running?.catch(() => undefined);
    this.running = this.next;
    this.next = undefined;
    const { rows } = await this.options.pool.query<{ places: LivePlaces | null }>({ ...this.statement });
    return rows[0]?.places ?? undefined;
  }
}

/** All events that may lie between; undefined where another generation serves, or one that was put back. */
function spanOf(
  names: readonly string[],
  then: LivePlaces,
  now: LivePlaces,
): { readonly after: Position; readonly until: Position } | undefined {
  let [after, until]: [Position | undefined, Position] = [undefined, ''];
  for (const name of names) {
    const [before, current] = [then[name], now[name]];
    if (!before || !current || before.generation !== current.generation) return undefined;
    if (current.position < before.position) return undefined;
    if (before.position === current.position) continue;
    if (after === undefined || before.position < after) after = before.position;
    if (current.position > until) until = current.position;
  }
  return { after: after ?? until, until };
}
