import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type Lease, newWorkerName, workerOf } from '../bookkeeping/leases.js';
import { Roster } from '../bookkeeping/roster.js';
import type { Generation } from '../generations/generations.js';
import { BackOff } from '../pause.js';
import type { Projection } from '../projection.js';
import { shapeHash } from '../storage/table-shape.js';
import { type Duty, dutyOf, holdersOf, planDuties } from './duties.js';

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
