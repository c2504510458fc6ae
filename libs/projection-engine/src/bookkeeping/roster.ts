import type { Pool } from 'pg';
import { LEASE_SECONDS } from './bookkeeping.js';

/** Who was there before a clock stepped back seems to be there for long: no more than this is believed. */
const IS_PRESENT = `expires_at > clock_timestamp() and expires_at < clock_timestamp() + interval '${2 * LEASE_SECONDS} s'`;

/** @returns how many workers there are, by whatever code */
export async function countWorkers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from read.projection_workers where ${IS_PRESENT}`,
  );
  return rows[0]?.count ?? 0;
}

export interface RosterEntry {
  /** How this process is called by the others. */
  readonly worker: string;
  /** The same for those that can lead the same. */
  readonly code: string;
}

/** Which workers of one code there are, by the database's clock: one that is silent for as long as a lease lasts is there no more. */
export class Roster {
  readonly #pool: Pool;
  readonly #own: RosterEntry;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #signing: Promise<void> = Promise.resolve();
  /** By this process's clock that never steps. */
  #absentUntil = 0;

  constructor(pool: Pool, own: RosterEntry, onError: (error: unknown) => void) {
    this.#pool = pool;
    this.#own = own;
    this.#onError = onError;
  }

  async join(): Promise<void> {
    await this.#pool.query(`delete from read.projection_workers where not (${IS_PRESENT})`);
    await this.#signIn();
    this.#timer = setInterval(
      () => {
        this.#signing = this.#signIn().catch(this.#onError);
      },
      (LEASE_SECONDS * 1000) / 3,
    );
  }

  async leave(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    // Otherwise it might come back by what is on its way.
    await this.#signing;
    await this.#signOut();
  }

  /** Is not there for a time, and then comes anew. */
  async stepBack(milliseconds: number): Promise<void> {
    if (this.#timer === undefined) return;
    this.#absentUntil = performance.now() + milliseconds;
    await this.#signing;
    await this.#signOut();
  }

  /** In the order in which they came. */
  async present(): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ worker: string }>(
      `select worker from read.projection_workers where code = $1 and ${IS_PRESENT} order by joined_at, worker`,
      [this.#own.code],
    );
    return rows.map(({ worker }) => worker);
  }

  /** Who was away for too long comes anew, as the last one. */
  async #signIn(): Promise<void> {
    if (performance.now() < this.#absentUntil) return;
    await this.#pool.query(
      `insert into read.projection_workers as w (worker, code, joined_at, expires_at)
       values ($1, $2, clock_timestamp(), clock_timestamp() + interval '${LEASE_SECONDS} s')
       on conflict (worker) do update set expires_at = excluded.expires_at,
         joined_at = case when w.expires_at > clock_timestamp() then w.joined_at else excluded.joined_at end`,
      [this.#own.worker, this.#own.code],
    );
  }

  async #signOut(): Promise<void> {
    await this.#pool.query('delete from read.projection_workers where worker = $1', [this.#own.worker]);
  }
}
