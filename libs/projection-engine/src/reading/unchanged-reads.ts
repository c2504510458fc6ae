import { type EventStore, type Position, type RecordedEvent, weightOfEvent } from '@nimo/event-store';
import type { Pool } from 'pg';

/** Beyond these limits a worker is far behind, and folding the events for each reader costs more than waiting. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 8 * 2 ** 20;

export interface RecentEventsOptions {
  readonly store: Pick<EventStore, 'readAll'>;
  /** Event types that readers fold. Other events are kept without data and metadata. */
  readonly types: ReadonlySet<string>;
  /** Maximum number of events behind a caller's position; defaults to 1,000. */
  readonly maxEvents?: number;
}

/**
 * Events after the checkpoint of a read model. Concurrent callers share one read of the store, and without callers nothing is read.
 */
export class RecentEvents {
  private readonly options: RecentEventsOptions;
  private readonly maxEvents: number;
  private events: RecordedEvent[] = [];
  private bytes = 0;
  /** All events after this position up to the head are kept. */
  private base: Position | undefined;
  private head: Position = '';
  private reading: Promise<boolean> | undefined;

  constructor(options: RecentEventsOptions) {
    this.options = options;
    this.maxEvents = options.maxEvents ?? MAX_EVENTS;
  }

  /**
   * @param after a position that the read model has reached
   * @param until a position returned by an append
   * @returns every event after `after` up to `until`, and possibly later ones; undefined if there are too many, or the store does not
   * show `until` yet
   */
  async between(after: Position, until: Position): Promise<readonly RecordedEvent[] | undefined> {
    // Nothing is kept, or only events before `after`.
    if (this.base === undefined || after > this.head) this.restartAt(after);
    while (this.reaches(after) && this.head < until) {
      // A read in progress may have started before the append of `until`.
      if (this.reading) await this.reading;
      else if (!(await this.readNext())) return undefined;
    }
    if (!this.reaches(after)) return undefined;
    const start = this.events.findLastIndex(({ position }) => position <= after) + 1;
    return this.events.length - start > this.maxEvents ? undefined : this.events.slice(start);
  }

  private reaches(after: Position): boolean {
    return this.base !== undefined && after >= this.base;
  }

  private restartAt(position: Position): void {
    this.base = this.head = position;
    this.events = [];
    this.bytes = 0;
  }

  /** @returns whether there were any events */
  private async readNext(): Promise<boolean> {
    this.reading = this.readFrom(this.head).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readFrom(head: Position): Promise<boolean> {
    const { store, types } = this.options;
    const page = await store.readAll({ ...(head !== '' && { after: head }), limit: this.maxEvents });
    const last = page.at(-1);
    // After a concurrent restart this page no longer follows the kept events.
    if (last === undefined || this.head !== head) return last !== undefined;
    for (const event of page) {
      const kept = types.has(event.type) ? event : { ...event, data: {}, metadata: {} };
      this.events.push(kept);
      this.bytes += weightOfEvent(kept);
    }
    this.head = last.position;
    this.evict();
    return true;
  }

  /** Evicts half at a time, to amortize the cost of moving the rest. */
  private evict(): void {
    const isHeavy = this.bytes > MAX_BYTES;
    if (!isHeavy && this.events.length <= 2 * this.maxEvents) return;
    const evicted = this.events.splice(0, this.events.length - (isHeavy ? 0 : this.maxEvents));
    for (const event of evicted) this.bytes -= weightOfEvent(event);
    this.base = evicted.at(-1)?.position ?? this.base;
  }
}

/** The live generation of each projection and its position, from one snapshot of the database. */
export type LivePositions = Readonly<
  Record<string, { readonly generation: number; readonly position: Position }>
>;

/** SQL expression for the live positions as JSON. Select it in the same statement as the rows to cache. */
export const livePositionsSql = (names: readonly string[]): string => `(
  select json_object_agg(g.name, json_build_object('generation', g.generation, 'position', coalesce(g.position, '')))
  from read.projection_generations g
  where g.status = 'live' and g.name in (${names.map((name) => `'${name}'`).join(', ')}))`;

export interface UnchangedReadsOptions {
  readonly pool: Pick<Pool, 'query'>;
  readonly store: Pick<EventStore, 'readAll'>;
  /** Projections of the cached rows. */
  readonly names: readonly string[];
  /** Event types that `concerns` examines; it gets other events without data. */
  readonly types: ReadonlySet<string>;
  /** See `RecentEvents`. */
  readonly maxEvents?: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Validates cached rows without reading them again. Rows of a generation only change by events and together with its checkpoint, so the
 * checkpoints and the events between them are enough.
 */
export class UnchangedReads {
  private readonly options: UnchangedReadsOptions;
  private readonly events: RecentEvents;
  private readonly statement: { readonly name: string; readonly text: string };
  private running: Promise<LivePositions | undefined> | undefined;
  private next: Promise<LivePositions | undefined> | undefined;

  constructor(options: UnchangedReadsOptions) {
    const { store, types, maxEvents, names } = options;
    this.options = options;
    this.events = new RecentEvents({ store, types, ...(maxEvents !== undefined && { maxEvents }) });
    this.statement = {
      name: `live-positions-${names.join('-')}`,
      text: `select ${livePositionsSql(names)} as positions`,
    };
  }

  /**
   * @param then positions at the time of the read
   * @param concerns whether an event may have changed the cached rows
   * @returns the current positions if the rows are unchanged; undefined if they may have changed
   */
  async since(
    then: LivePositions,
    concerns: (event: RecordedEvent) => boolean,
  ): Promise<LivePositions | undefined> {
    try {
      const now = await this.poll();
      const span = now && rangeOf(this.options.names, then, now);
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

  /** Callers share a query, but never join one in progress, so the result is never older than the call. */
  private poll(): Promise<LivePositions | undefined> {
    this.next ??= this.after(this.running);
    return this.next;
  }

  private async after(running: Promise<unknown> | undefined): Promise<LivePositions | undefined> {
    await running?.catch(() => undefined);
    this.running = this.next;
    this.next = undefined;
    const { rows } = await this.options.pool.query<{ positions: LivePositions | null }>({
      ...this.statement,
    });
    return rows[0]?.positions ?? undefined;
  }
}

/** The range of events between two reads; undefined if the live generation changed or went back. */
function rangeOf(
  names: readonly string[],
  then: LivePositions,
  now: LivePositions,
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
