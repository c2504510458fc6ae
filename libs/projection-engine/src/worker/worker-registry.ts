import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { EXPIRY, LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import { newWorkerName, workerOf } from '../bookkeeping/leases.js';
import type { Generation } from '../generations/generations.js';
import type { Projection } from '../projection.js';
import { BackOff } from '../scheduling.js';
import { shapeHash } from '../storage/table-shape.js';

const FIRST_ABSENCE_MS = 10_000;
const MAX_ABSENCE_MS = 300_000;

/** A row written before a clock stepped back seems valid for long: no more than this is believed. */
const IS_PRESENT = `expires_at > clock_timestamp() and expires_at < clock_timestamp() + interval '${2 * LEASE_SECONDS} s'`;

/** @returns how many workers there are, of whatever code */
export async function countWorkers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from read.projection_workers where ${IS_PRESENT}`,
  );
  return rows[0]?.count ?? 0;
}

export interface WorkerRegistryOptions {
  readonly pool: Pool;
  readonly projections: ReadonlyMap<string, Projection>;
  readonly onError: (error: unknown) => void;
  /** Not registered: the others give nothing up for it, and it leads only where there is no other worker. */
  readonly isTemporary: boolean;
}

/**
 * The workers that run the same code, by the database's clock: one that is silent for as long as a lease lasts is gone. Each derives
 * the same plan of who leads what from it; only leases say who may write.
 */
export class WorkerRegistry {
  readonly name = newWorkerName();
  private readonly options: WorkerRegistryOptions;
  private readonly code: string;
  private readonly absence = new BackOff(FIRST_ABSENCE_MS, MAX_ABSENCE_MS);
  /** By this process's clock that never steps. */
  private absentUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private renewal: Promise<void> = Promise.resolve();
  private currentPlan: ReadonlyMap<Duty, string> | undefined;

  constructor(options: WorkerRegistryOptions) {
    this.options = options;
    this.code = codeOf(options.projections);
  }

  async register(): Promise<void> {
    const { pool, onError, isTemporary } = this.options;
    if (isTemporary) return;
    await pool.query(`delete from read.projection_workers where not (${IS_PRESENT})`);
    await this.renew();
    this.timer = setInterval(
      () => {
        this.renewal = this.renew().catch(onError);
      },
      (LEASE_SECONDS * 1000) / 3,
    );
  }

  /** Another worker takes what this one leads as soon as its leases are released. */
  async unregister(): Promise<void> {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    await this.remove();
  }

  /** Leaves the work to the others for a time, as nothing goes well here. Without others this one goes on trying. */
  async stepBack(): Promise<void> {
    const absenceMs = this.absence.grow();
    if (this.timer === undefined) return;
    this.absentUntil = performance.now() + absenceMs;
    await this.remove();
  }

  async plan(generations: readonly Generation[]): Promise<void> {
    const workers = await this.present();
    const led = generations.map((generation) => ({
      status: generation.status,
      lingers: this.lingers(generation),
      worker: generation.isLed && generation.owner !== null ? workerOf(generation.owner) : undefined,
    }));
    this.currentPlan = planDuties(workers, holdersOf(led, workers));
  }

  get isPlanned(): boolean {
    return this.currentPlan !== undefined;
  }

  /** Whether this process is to lead it; any may while no worker is registered. */
  isFor(generation: Generation): boolean {
    return this.has(dutyOf({ status: generation.status, lingers: this.lingers(generation) }));
  }

  has(duty: Duty): boolean {
    return (this.currentPlan?.get(duty) ?? this.name) === this.name;
  }

  private lingers({ name }: Generation): boolean {
    return this.options.projections.get(name)?.lingers === true;
  }

  /** In the order in which they came. */
  private async present(): Promise<readonly string[]> {
    const { rows } = await this.options.pool.query<{ worker: string }>(
      `select worker from read.projection_workers where code = $1 and ${IS_PRESENT} order by joined_at, worker`,
      [this.code],
    );
    return rows.map(({ worker }) => worker);
  }

  /** One that was away for too long comes back as the last one. */
  private async renew(): Promise<void> {
    if (performance.now() < this.absentUntil) return;
    await this.options.pool.query(
      `insert into read.projection_workers as w (worker, code, joined_at, expires_at)
       values ($1, $2, clock_timestamp(), ${EXPIRY})
       on conflict (worker) do update set expires_at = excluded.expires_at,
         joined_at = case when w.expires_at > clock_timestamp() then w.joined_at else excluded.joined_at end`,
      [this.name, this.code],
    );
  }

  private async remove(): Promise<void> {
    // A renewal under way would insert the row again.
    await this.renewal;
    await this.options.pool.query('delete from read.projection_workers where worker = $1', [this.name]);
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
 * Each stays in one process, however many there are: a tick is one transaction for all live projections that callers wait for, another
 * for those that linger, and one reader goes along the log for all that is built. Split further, each vote would pay for more of them.
 */
export const DUTIES = ['prompt', 'lingering', 'building'] as const;
export type Duty = (typeof DUTIES)[number];

/** How much of a process each takes. What callers wait for should have one to itself. */
const WEIGHTS: Readonly<Record<Duty, number>> = { prompt: 3, lingering: 2, building: 1 };

export interface LedGeneration {
  readonly status: string;
  readonly lingers: boolean;
  /** Undefined where no present worker leads it. */
  readonly worker: string | undefined;
}

const dutyOf = ({ status, lingers }: Pick<LedGeneration, 'status' | 'lingers'>): Duty =>
  status === 'live' ? (lingers ? 'lingering' : 'prompt') : 'building';

/** Who has a duty now: of several who lead parts of it, the one with the most. */
export function holdersOf(
  led: readonly LedGeneration[],
  workers: readonly string[],
): ReadonlyMap<Duty, string> {
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
 * Who is to have which duty. Every process derives the same from the same rows, and planning again changes nothing: a duty moves when a
 * worker came or went, and then as few as evens out the load.
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
