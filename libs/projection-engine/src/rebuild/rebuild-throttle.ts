import type { Pool } from 'pg';
import { pause } from '../scheduling.js';

const QUIET_PAGE = 2000;
const BUSY_PAGE = 400;
/** How much of the last look counts against those before it. */
const FADING = 0.2;
/** Below this somebody may have passed by, but nobody waits. */
const QUIET = 0.02;
/** Of the time that a page took: however busy it is, a build gets on. */
const MAX_REST = 3;
const MAX_REST_MS = 1000;

/**
 * How fast something may be built beside what serves: at full speed while nobody else works in the database, and otherwise in
 * small pages, with a rest after each that is the longer the more is going on.
 */
export class BuildPace {
  readonly #pool: Pool;
  #busy = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Events a page: in a small one the loop of the process and the locks of the database are free again soon. */
  get pageSize(): number {
    return this.#busy > QUIET ? BUSY_PAGE : QUIET_PAGE;
  }

  async giveWay(tookMs: number, signal: AbortSignal): Promise<void> {
    this.#busy += FADING * (Math.min(4, await this.#othersAtWork()) - this.#busy);
    if (this.#busy <= QUIET) return;
    await pause(Math.min(MAX_REST_MS, tookMs * Math.min(MAX_REST, 1 + 2 * this.#busy)), signal);
  }

  /**
   * Statements of other programs (the api, say) that run at this moment. Whose name begins with this process's name and a space is the process
   * itself, reading the log or listening. Several workers have one name: whoever they all serve is counted by what it asks itself, and two that
   * build must not both wait for each other.
   */
  async #othersAtWork(): Promise<number> {
    const { rows } = await this.#pool.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and state = 'active' and backend_type = 'client backend'
         and application_name <> current_setting('application_name')
         and not starts_with(application_name, current_setting('application_name') || ' ')`,
    );
    return rows[0]?.others ?? 0;
  }
}

/** Of each that is built: less is not worth a transaction. */
const WORTH_A_FLUSH = 12 * 2 ** 20;

/** How much all that a process builds may keep in memory of what is not written yet. */
export class BuildBudget {
  readonly #share: number;
  readonly #users = new Set<{ readonly bytes: number }>();
  #kept = 0;

  /** A third is for what was folded, one for what is on its way to the database, and one for what was written last. */
  constructor(bytes: number) {
    this.#share = bytes / 3;
  }

  add(user: { readonly bytes: number }): void {
    this.#users.add(user);
  }

  remove(user: { readonly bytes: number }): void {
    this.#users.delete(user);
  }

  get #bytes(): number {
    let bytes = 0;
    for (const user of this.#users) bytes += user.bytes;
    return bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#share;
  }

  /** The database need not stand idle: what is written by the end of the log delays nobody then. */
  get isWorthAFlush(): boolean {
    return this.#bytes >= Math.min(this.#share, WORTH_A_FLUSH * this.#users.size);
  }

  /** Before a flush. @returns whether there is no room left for what was written before it, too */
  forgets(): boolean {
    const bytes = this.#bytes;
    const forgets = this.#kept + bytes > this.#share;
    this.#kept = forgets ? bytes : this.#kept + bytes;
    return forgets;
  }
}
