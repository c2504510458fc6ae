import type { Pool } from 'pg';
import { pause } from '../scheduling.js';

const IDLE_PAGE = 2000;
const BUSY_PAGE = 400;
/** Weight of the latest sample in the moving average. */
const SAMPLE_WEIGHT = 0.2;
/** Below this load a rebuild is not delayed. */
const IDLE_LOAD = 0.02;
/** Maximum delay relative to the time of a page, so that a rebuild always progresses. */
const MAX_DELAY_RATIO = 3;
const MAX_DELAY_MS = 1000;

/**
 * Throttles rebuilds during live work: full speed while the database is otherwise idle, else small pages and a delay after each that
 * grows with the load.
 */
export class RebuildThrottle {
  private readonly pool: Pool;
  private load = 0;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** Events per page. Small pages release the event loop and database locks sooner. */
  get pageSize(): number {
    return this.load > IDLE_LOAD ? BUSY_PAGE : IDLE_PAGE;
  }

  /** Delays the next page. @param tookMs duration of the last page */
  async delay(tookMs: number, signal: AbortSignal): Promise<void> {
    this.load += SAMPLE_WEIGHT * (Math.min(4, await this.activeStatements()) - this.load);
    if (this.load <= IDLE_LOAD) return;
    await pause(Math.min(MAX_DELAY_MS, tookMs * Math.min(MAX_DELAY_RATIO, 1 + 2 * this.load)), signal);
  }

  /**
   * Running statements of other programs, such as the API. Application names that start with this one's and a space are connections of the
   * same program, such as log readers. All workers share a name, so two that rebuild do not slow each other down.
   */
  private async activeStatements(): Promise<number> {
    const { rows } = await this.pool.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and state = 'active' and backend_type = 'client backend'
         and application_name <> current_setting('application_name')
         and not starts_with(application_name, current_setting('application_name') || ' ')`,
    );
    return rows[0]?.others ?? 0;
  }
}

/** Per generation; less is not worth a transaction. */
const MIN_FLUSH_BYTES = 12 * 2 ** 20;

/** Memory for unflushed rows, shared by all rebuilds of a process. */
export class RebuildBudget {
  private readonly share: number;
  private readonly users = new Set<{ readonly bytes: number }>();
  private kept = 0;

  /** @param bytes split evenly between changed rows, rows being flushed and flushed rows */
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

  /** Flushing early keeps the database busy and shortens the last flush. */
  get shouldFlush(): boolean {
    return this.bytes >= Math.min(this.share, MIN_FLUSH_BYTES * this.users.size);
  }

  /** Call it before each flush. @returns whether rows of earlier flushes must be evicted */
  shouldEvict(): boolean {
    const bytes = this.bytes;
    const evict = this.kept + bytes > this.share;
    this.kept = evict ? bytes : this.kept + bytes;
    return evict;
  }
}
