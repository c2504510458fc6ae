import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { RecentEvents } from './recent-events.js';

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
  readonly #options: UnchangedReadsOptions;
  readonly #events: RecentEvents;
  readonly #statement: { readonly name: string; readonly text: string };
  #running: Promise<LivePlaces | undefined> | undefined;
  #next: Promise<LivePlaces | undefined> | undefined;

  constructor(options: UnchangedReadsOptions) {
    const { store, types, atMost, names } = options;
    this.#options = options;
    this.#events = new RecentEvents({ store, types, ...(atMost !== undefined && { atMost }) });
    this.#statement = {
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
      const now = await this.#look();
      const span = now && spanOf(this.#options.names, then, now);
      if (!span) return undefined;
      if (span.after === span.until) return now;
      const between = await this.#events.between(span.after, span.until);
      if (!between) return undefined;
      const hasChanged = between.some(
        (event) => event.position <= span.until && (event.undecodable !== undefined || concerns(event)),
      );
      return hasChanged ? undefined : now;
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }

  /** One look at a time for all who ask. Whoever comes while one is on its way has the next: the answer is never older than the question. */
  #look(): Promise<LivePlaces | undefined> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<unknown> | undefined): Promise<LivePlaces | undefined> {
    await running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    const { rows } = await this.#options.pool.query<{ places: LivePlaces | null }>({ ...this.#statement });
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
