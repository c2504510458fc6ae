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

/** SQL: an expiry far in the future was set before the clock stepped back, and does not count. */
const IS_PRESENT = `expires_at > clock_timestamp() and expires_at < clock_timestamp() + interval '${2 * LEASE_SECONDS} s'`;

/** @returns the number of running workers, of any code version */
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
  /** Not registered, so other workers hand nothing over to it, and it only runs what no other worker does. */
  readonly isTemporary: boolean;
}

/**
 * The workers that run the same code. A worker expires like a lease, by the database's clock. All workers derive the same assignment of
 * roles from the registry; only leases decide who may write.
 */
export class WorkerRegistry {
  readonly name = newWorkerName();
  private readonly options: WorkerRegistryOptions;
  private readonly code: string;
  private readonly absence = new BackOff(FIRST_ABSENCE_MS, MAX_ABSENCE_MS);
  /** By `performance.now()`. */
  private absentUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private renewal: Promise<void> = Promise.resolve();
  private currentPlan: ReadonlyMap<Role, string> | undefined;

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

  /** Other workers take over as soon as the leases are released. */
  async unregister(): Promise<void> {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    await this.remove();
  }

  /** Leaves the work to other workers for a while after repeated failures. Without other workers this one keeps trying. */
  async stepBack(): Promise<void> {
    const absenceMs = this.absence.nextDelay();
    if (this.timer === undefined) return;
    this.absentUntil = performance.now() + absenceMs;
    await this.remove();
  }

  async plan(generations: readonly Generation[]): Promise<void> {
    const workers = await this.present();
    const assigned = generations.map((generation) => ({
      status: generation.status,
      lingers: this.lingers(generation),
      worker: generation.isLed && generation.owner !== null ? workerOf(generation.owner) : undefined,
    }));
    this.currentPlan = planRoles(workers, currentHolders(assigned, workers));
  }

  get isPlanned(): boolean {
    return this.currentPlan !== undefined;
  }

  /** Whether this process should hold the lease. Every process should while no worker is registered. */
  shouldHold(generation: Generation): boolean {
    return this.hasRole(roleOf({ status: generation.status, lingers: this.lingers(generation) }));
  }

  hasRole(role: Role): boolean {
    return (this.currentPlan?.get(role) ?? this.name) === this.name;
  }

  private lingers({ name }: Generation): boolean {
    return this.options.projections.get(name)?.lingers === true;
  }

  /** In the order of registration. */
  private async present(): Promise<readonly string[]> {
    const { rows } = await this.options.pool.query<{ worker: string }>(
      `select worker from read.projection_workers where code = $1 and ${IS_PRESENT} order by joined_at, worker`,
      [this.code],
    );
    return rows.map(({ worker }) => worker);
  }

  /** An expired worker registers again as the last one. */
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
    // A renewal in progress would insert the row again.
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
 * Each role is held by one process: a tick is one transaction for all live projections that callers wait for, and another for those that
 * linger, and one reader of the log serves all rebuilds. Splitting them further would cost more transactions per event.
 */
export const ROLES = ['prompt', 'lingering', 'building'] as const;
export type Role = (typeof ROLES)[number];

/** Relative load of each role. The prompt role should have a process of its own. */
const WEIGHTS: Readonly<Record<Role, number>> = { prompt: 3, lingering: 2, building: 1 };

export interface AssignedGeneration {
  readonly status: string;
  readonly lingers: boolean;
  /** The lease holder, if any. */
  readonly worker: string | undefined;
}

const roleOf = ({ status, lingers }: Pick<AssignedGeneration, 'status' | 'lingers'>): Role =>
  status === 'live' ? (lingers ? 'lingering' : 'prompt') : 'building';

/** The worker that holds each role now: the one with the most of its generations. */
export function currentHolders(
  generations: readonly AssignedGeneration[],
  workers: readonly string[],
): ReadonlyMap<Role, string> {
  const holders = new Map<Role, string>();
  for (const role of ROLES) {
    const owners = generations.filter((one) => roleOf(one) === role).map(({ worker }) => worker);
    const shares = workers.map((worker) => owners.filter((owner) => owner === worker).length);
    const largest = Math.max(0, ...shares);
    const holder = workers[shares.indexOf(largest)];
    if (holder !== undefined && largest > 0) holders.set(role, holder);
  }
  return holders;
}

/**
 * Assigns roles to workers. Deterministic and stable: roles only move when workers join or leave, and then as few as balance the load.
 * @param workers in the order of registration
 */
export function planRoles(
  workers: readonly string[],
  holders: ReadonlyMap<Role, string>,
): ReadonlyMap<Role, string> {
  const plan = new Map([...holders].filter(([, holder]) => workers.includes(holder)));
  const loadOf = (worker: string): number =>
    ROLES.reduce((load, role) => load + (plan.get(role) === worker ? WEIGHTS[role] : 0), 0);
  const idlest = (): string | undefined => workers.toSorted((one, other) => loadOf(one) - loadOf(other))[0];
  for (const role of ROLES) {
    const worker = idlest();
    if (worker !== undefined && !plan.has(role)) plan.set(role, worker);
  }
  // Never moves the prompt role to balance the load, nor the building role, which has rows in memory and ends soon.
  const [holder, other] = [plan.get('lingering'), idlest()];
  if (holder !== undefined && other !== undefined && loadOf(holder) - loadOf(other) > WEIGHTS.lingering)
    plan.set('lingering', other);
  return plan;
}
