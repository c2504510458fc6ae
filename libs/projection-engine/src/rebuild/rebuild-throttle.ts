import type { Pool } from 'pg';
import { pause } from '../scheduling.js';

const QUIET_PAGE = 2000;
const BUSY_PAGE = 400;
/** Weight of the last sample against those before it. */
const FADING = 0.2;
/** Below this load nobody waits. */
const QUIET = 0.02;
/** Of the time that a page took: however busy it is, a rebuild gets on. */
const MAX_REST = 3;
const MAX_REST_MS = 1000;

/**
 * Slows a rebuild down beside live work: full speed while nobody else works in the database, otherwise small pages and a rest after each
 * that grows with the load.
 */
export class RebuildThrottle {
  private readonly pool: Pool;
  private busy = 0;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** Events per page: a small one frees the event loop and the locks of the database soon. */
  get pageSize(): number {
    return this.busy > QUIET ? BUSY_PAGE : QUIET_PAGE;
  }

  async giveWay(tookMs: number, signal: AbortSignal): Promise<void> {
    this.busy += FADING * (Math.min(4, await this.othersAtWork()) - this.busy);
    if (this.busy <= QUIET) return;
    await pause(Math.min(MAX_REST_MS, tookMs * Math.min(MAX_REST, 1 + 2 * this.busy)), signal);
  }

  /**
   * Statements of other programs, such as the api, that run now. A name that begins with this process's name and a space is the process
   * itself, reading the log or listening. All workers have one name: two that rebuild must not wait for each other.
   */
  private async othersAtWork(): Promise<number> {
    const { rows } = await this.pool.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and state = 'active' and backend_type = 'client backend'
         and application_name <> current_setting('application_name')
         and not starts_with(application_name, current_setting('application_name') || ' ')`,
    );
    return rows[0]?.others ?? 0;
  }
}

/** Less per generation is not worth a transaction. */
const WORTH_A_FLUSH = 12 * 2 ** 20;

/** Memory for rows that are not flushed yet, shared by all rebuilds of a process. */
export class RebuildBudget {
  private readonly share: number;
  private readonly users = new Set<{ readonly bytes: number }>();
  private kept = 0;

  /** A third each for rows that were folded, are being flushed, and were flushed last. */
  constructor(bytes: number) {
    this.share = bytes / 3;
  }

  add(user: { readonly bytes: number }): void {
    this.users.add(user);
  }

  remove(user: { readonly bytes: number }): void {
    this.users.delete(user);
  }

  private get bytes(): number {
    let bytes = 0;
    for (const user of this.users) bytes += user.bytes;
    return bytes;
  }

  get isFull(): boolean {
    return this.bytes >= this.share;
  }

  /** Keeps the database busy: rows flushed early need no wait at the end of the log. */
  get isWorthAFlush(): boolean {
    return this.bytes >= Math.min(this.share, WORTH_A_FLUSH * this.users.size);
  }

  /** Before a flush. @returns whether there is no room to keep rows of earlier flushes */
  forgets(): boolean {
    const bytes = this.bytes;
    const forgets = this.kept + bytes > this.share;
    this.kept = forgets ? bytes : this.kept + bytes;
    return forgets;
  }
}
