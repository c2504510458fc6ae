import type { Pool } from 'pg';
import type { EventStore } from '@nimo/event-store';
import type { Projection } from '../projection.js';
import { CheckpointMoves, LeaseLostError } from './checkpoint.js';
import { GenerationRunner } from './generation-runner.js';
import { type Generation, listGenerations, prepareProjections } from './generations.js';
import { type Lease, Leases } from './leases.js';
import { pause } from '../pause.js';
import { SharedTail } from './shared-tail.js';
import { shapeHash } from './table-shape.js';

export interface ProjectionWorkerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** What went wrong and is being tried again, or stopped one projection. */
  readonly onError: (error: unknown, projection?: string) => void;
  readonly pageSize?: number;
  /** How often the work that others hold is applied for. */
  readonly retryMs?: number;
}

/** Runs every projection for which this process gets the lease, and applies again and again for the others. */
export class ProjectionWorker {
  readonly #options: ProjectionWorkerOptions;
  readonly #byName: ReadonlyMap<string, Projection>;
  readonly #leases: Leases;
  readonly #moves: CheckpointMoves;
  readonly #tail: SharedTail;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Run>();
  #hurry = new AbortController();
  #applying: Promise<void> | undefined;

  constructor(options: ProjectionWorkerOptions) {
    this.#options = options;
    this.#byName = new Map(options.projections.map((projection) => [projection.name, projection]));
    this.#leases = new Leases(options.pool, options.onError);
    this.#moves = new CheckpointMoves(options.pool);
    this.#tail = new SharedTail(options.store, options.onError);
  }

  async start(): Promise<void> {
    await prepareProjections(this.#options.pool, this.#options.projections);
    await this.#tail.start();
    this.#applying = this.#keepApplying();
  }

  /** Finishes the batches at hand and gives the leases back, so that another process goes on at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#tail.stop();
    await this.#applying;
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
  }

  async #keepApplying(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#hurry = new AbortController();
      try {
        await this.#apply();
      } catch (error) {
        this.#options.onError(error);
      }
      await pause(this.#options.retryMs ?? 1000, AbortSignal.any([signal, this.#hurry.signal]));
    }
  }

  async #apply(): Promise<void> {
    const generations = await listGenerations(this.#options.pool, [...this.#byName.keys()]);
    this.#endRunsOf(generations);
    for (const generation of generations) {
      const projection = this.#byName.get(generation.name);
      if (!projection || this.#running.has(identityOf(generation)) || !isRunnable(generation, projection))
        continue;
      const lease = await this.#leases.acquire(generation.name, generation.generation);
      if (lease) this.#start(projection, lease);
    }
  }

  /** A runner that waits for events would not notice that its generation was dropped, replaced or taken over. */
  #endRunsOf(generations: readonly Generation[]): void {
    const current = new Map(generations.map((generation) => [identityOf(generation), generation]));
    for (const [identity, { lease, stop }] of this.#running) {
      const row = current.get(identity);
      if (row?.owner !== lease.owner || row.epoch !== lease.epoch) stop.abort();
    }
  }

  #start(projection: Projection, lease: Lease): void {
    const stop = new AbortController();
    const done = this.#run(projection, lease, AbortSignal.any([this.#stopping.signal, stop.signal])).finally(
      () => this.#running.delete(identityOf(lease)),
    );
    this.#running.set(identityOf(lease), { lease, stop, done });
  }

  async #run(projection: Projection, lease: Lease, signal: AbortSignal): Promise<void> {
    try {
      const { pool, store, pageSize } = this.#options;
      const options = { pool, store, moves: this.#moves, ...(pageSize === undefined ? {} : { pageSize }) };
      const runner = await GenerationRunner.load(options, projection, lease);
      await runner.becomeLive(signal);
      await runner.follow(this.#tail, signal);
    } catch (error) {
      // Losing a lease is how a switch or a change of leader looks from here: there may be something new to run at once.
      if (error instanceof LeaseLostError) this.#hurry.abort();
      else this.#options.onError(error, projection.name);
    } finally {
      await this.#leases
        .release(lease)
        .catch((error: unknown) => this.#options.onError(error, projection.name));
    }
  }
}

interface Run {
  readonly lease: Lease;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

function identityOf({ name, generation }: Pick<Lease, 'name' | 'generation'>): string {
  return `${name}:${generation}`;
}

function isRunnable({ status, error, shapeHash: hash }: Generation, projection: Projection): boolean {
  return (status === 'live' || status === 'building') && error === null && hash === shapeHash(projection);
}
