import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type Lease, newWorkerName, workerOf } from '../bookkeeping/leases.js';
import type { Generation } from '../generations/generations.js';
import { BackOff } from '../scheduling.js';
import type { Projection } from '../projection.js';
import { shapeHash } from '../storage/table-shape.js';
import { LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';

const FIRST_ABSENCE_MS = 10_000;
const MAX_ABSENCE_MS = 300_000;

export interface CrewOptions {
  readonly pool: Pool;
  readonly projections: ReadonlyMap<string, Projection>;
  readonly onError: (error: unknown) => void;
  /** Of those that stay nobody makes room for one that does not, and it leads only where there is nobody else. */
  readonly isPassing: boolean;
}

/** One process among those that work by the same code. Which part of the work is its own is a plan: leases alone say who may write. */
export class Crew {
  readonly name = newWorkerName();
  readonly #roster: Roster;
  readonly #options: CrewOptions;
  readonly #absence = new BackOff(FIRST_ABSENCE_MS, MAX_ABSENCE_MS);
  #plan: ReadonlyMap<Duty, string> | undefined;

  constructor(options: CrewOptions) {
    this.#options = options;
    const own = { worker: this.name, code: codeOf(options.projections) };
    this.#roster = new Roster(options.pool, own, options.onError);
  }

  async join(): Promise<void> {
    if (!this.#options.isPassing) await this.#roster.join();
  }

  /** What it leads is another's from here on, who takes it as soon as its leases are given back. */
  async leave(): Promise<void> {
    await this.#roster.leave();
  }

  /** For those that do better: nothing that it tries goes well. Where nobody else is, it goes on trying. */
  async stepBack(): Promise<void> {
    await this.#roster.stepBack(this.#absence.grow());
  }

  async plan(generations: readonly Generation[]): Promise<void> {
    const workers = await this.#roster.present();
    const led = generations.map((generation) => ({
      status: generation.status,
      lingers: this.#lingers(generation),
      worker: generation.isLed && generation.owner !== null ? workerOf(generation.owner) : undefined,
    }));
    this.#plan = planDuties(workers, holdersOf(led, workers));
  }

  get isPlanned(): boolean {
    return this.#plan !== undefined;
  }

  /** Whether this process is to lead it; any may where nobody is known to be there. */
  isFor(generation: Pick<Generation, 'name' | 'status'>): boolean {
    return this.has(dutyOf({ status: generation.status, lingers: this.#lingers(generation) }));
  }

  has(duty: Duty): boolean {
    return (this.#plan?.get(duty) ?? this.name) === this.name;
  }

  #lingers({ name }: Pick<Lease, 'name'>): boolean {
    return this.#options.projections.get(name)?.lingers === true;
  }
}

function codeOf(projections: ReadonlyMap<string, Projection>): string {
  const shapes = Array.from(
    projections.values(),
    (projection) => `${projection.name} ${shapeHash(projection)}`,
  );
  return createHash('sha256').update(shapes.sort().join('\n')).digest('hex').slice(0, 16);
}

/**
 * What stays in one process, however many there are: a tick is one transaction for all whom a caller may wait for, another for those who
 * linger, and one reader goes along the log for all that is built. Split further, each vote would pay for more of them.
 */
export const DUTIES = ['prompt', 'lingering', 'building'] as const;
export type Duty = (typeof DUTIES)[number];

/** How much of a process each takes. What callers wait for should have one to itself. */
const WEIGHTS: Readonly<Record<Duty, number>> = { prompt: 3, lingering: 2, building: 1 };

export interface Led {
  readonly status: string;
  readonly lingers: boolean;
  /** Undefined where nobody who works now leads it. */
  readonly worker: string | undefined;
}

export const dutyOf = ({ status, lingers }: Pick<Led, 'status' | 'lingers'>): Duty =>
  status === 'live' ? (lingers ? 'lingering' : 'prompt') : 'building';

/** Who has a duty now: of several who lead parts of it, the one with the most. */
export function holdersOf(led: readonly Led[], workers: readonly string[]): ReadonlyMap<Duty, string> {
  const holders = new Map<Duty, string>();
  for (const duty of DUTIES) {
    const owners = led.filter((one) => dutyOf(one) === duty).map(({ worker }) => worker);
    const shares = workers.map((worker) => owners.filter((owner) => owner === worker).length);
    const most = Math.max(0, ...shares);
    const holder = workers[shares.indexOf(most)];
    if (holder !== undefined && most > 0) holders.set(duty, holder);
  }
  return holders;
}

/**
 * Who is to have which duty. Every process finds the same from the same rows, and what was planned once is planned again, so that nothing
 * goes to and fro: a duty moves when somebody came or went, and then as few as evens out the load.
 * @param workers in the order in which they came
 */
export function planDuties(
  workers: readonly string[],
  holders: ReadonlyMap<Duty, string>,
): ReadonlyMap<Duty, string> {
  const plan = new Map([...holders].filter(([, holder]) => workers.includes(holder)));
  const loadOf = (worker: string): number =>
    DUTIES.reduce((load, duty) => load + (plan.get(duty) === worker ? WEIGHTS[duty] : 0), 0);
  const idlest = (): string | undefined => workers.toSorted((one, other) => loadOf(one) - loadOf(other))[0];
  for (const duty of DUTIES) {
    const worker = idlest();
    if (worker !== undefined && !plan.has(duty)) plan.set(duty, worker);
  }
  // What callers wait for is never moved without need; what is being built ends by itself, and has its rows in memory.
  const [holder, other] = [plan.get('lingering'), idlest()];
  if (holder !== undefined && other !== undefined && loadOf(holder) - loadOf(other) > WEIGHTS.lingering)
    plan.set('lingering', other);
  return plan;
}

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
