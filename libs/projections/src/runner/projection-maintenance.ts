import type { Pool } from 'pg';
import type { EventStore } from '@nimo/event-store';
import type { Projection } from '../projection.js';
import { BEGIN_SNAPSHOT, canonicalHash, hashTables } from './canonical-hash.js';
import { CheckpointMoves, LeaseLostError } from './checkpoint.js';
import { GenerationRunner, type RunnerOptions } from './generation-runner.js';
import {
  createGeneration,
  dropGeneration,
  ensureBuilding,
  findGeneration,
  type Generation,
  listGenerations,
  setStatus,
  withProjectionLock,
} from './generations.js';
import { Leases } from './leases.js';
import { pause } from '../pause.js';
import { shapeHash } from './table-shape.js';
import { inTransaction } from './transaction.js';

export interface ProjectionMaintenanceOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  readonly onError: (error: unknown) => void;
  /** Events a batch. */
  readonly pageSize?: number;
}

export interface RebuildProgress {
  readonly generation: number;
  /** Events behind it, and all that it has to pass as far as is known. */
  readonly done: number;
  readonly total: number;
  readonly eventsPerSecond: number;
  /** Undefined until there is a rate. */
  readonly secondsLeft: number | undefined;
}

export interface RebuildOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export type RebuildOutcome = 'switched' | 'interrupted' | 'cancelled';

export interface Verification {
  readonly isEqual: boolean;
  readonly position: string | null;
  readonly liveHash: string;
  readonly rebuiltHash: string;
}

const PROGRESS_MS = 200;

/** What a maintainer can do to a projection while it serves. Any process may: the leases keep it apart from the workers. */
export class ProjectionMaintenance {
  readonly #options: ProjectionMaintenanceOptions;
  readonly #leases: Leases;
  readonly #moves: CheckpointMoves;

  constructor(options: ProjectionMaintenanceOptions) {
    this.#options = options;
    this.#leases = new Leases(options.pool, options.onError);
    this.#moves = new CheckpointMoves(options.pool);
  }

  async list(): Promise<Generation[]> {
    return listGenerations(
      this.#options.pool,
      this.#options.projections.map(({ name }) => name),
    );
  }

  /**
   * Builds a generation from nothing beside the live one, and puts it in its place. Goes on with one that was interrupted.
   * @throws Error when an event could not be digested; the live generation then stays
   */
  async rebuild(name: string, options: RebuildOptions = {}): Promise<RebuildOutcome> {
    const projection = this.#find(name);
    const generation = await withProjectionLock(this.#options.pool, name, (client) =>
      ensureBuilding(client, projection, 'nothing'),
    );
    return this.#finish(projection, generation, options);
  }

  /** Drops what was built so far. Whoever is building it stops. */
  async cancelRebuild(name: string): Promise<void> {
    this.#find(name);
    await withProjectionLock(this.#options.pool, name, async (client) => {
      const building = (await listGenerations(client, [name])).find(({ status }) => status === 'building');
      if (building) await dropGeneration(client, name, building.generation);
    });
  }

  /** The way back: brings a former generation to the head of the log and puts it in the live one's place. */
  async switchTo(name: string, generation: number, options: RebuildOptions = {}): Promise<RebuildOutcome> {
    const projection = this.#find(name);
    await withProjectionLock(this.#options.pool, name, async (client) => {
      const row = await findGeneration(client, name, generation);
      if (row?.shapeHash !== shapeHash(projection))
        throw new RangeError(`this code cannot fill ${name}:${generation}`);
      if (row.status === 'former') await setStatus(client, name, generation, 'building');
    });
    return this.#finish(projection, generation, options);
  }

  /** Folds the log into a third place, up to where the live generation is, and compares. */
  async verify(name: string, signal: AbortSignal = new AbortController().signal): Promise<Verification> {
    const projection = this.#find(name);
    const { pool } = this.#options;
    const { live, liveHash } = await this.#snapshot(projection);
    const generation = await withProjectionLock(pool, name, (client) =>
      createGeneration(client, projection, 'verifying'),
    );
    try {
      const lease = await this.#leases.acquire(name, generation);
      if (!lease) throw new LeaseLostError(`${name}:${generation} was taken`);
      try {
        const runner = await GenerationRunner.load(this.#runnerOptions(), projection, lease);
        if (live.position !== null) await runner.catchUp(signal, live.position);
      } finally {
        await this.#leases.release(lease);
      }
      signal.throwIfAborted();
      const rebuiltHash = await canonicalHash(pool, projection, generation);
      return { isEqual: rebuiltHash === liveHash, position: live.position, liveHash, rebuiltHash };
    } finally {
      await dropGeneration(pool, name, generation);
    }
  }

  /** Lets a stopped projection try its event again. */
  async retry(name: string): Promise<void> {
    this.#find(name);
    await this.#options.pool.query('update read.projection_generations set error = null where name = $1', [
      name,
    ]);
  }

  /** Lets a stopped projection leave out the event that it stopped at, for good. */
  async skip(name: string, reason: string): Promise<void> {
    this.#find(name);
    await this.#options.pool.query(
      `update read.projection_generations
       set skipped = skipped || jsonb_build_object('eventId', error ->> 'eventId', 'reason', $2::text, 'at', $3::text), error = null
       where name = $1 and error is not null`,
      [name, reason, new Date().toISOString()],
    );
  }

  async #finish(
    projection: Projection,
    generation: number,
    options: RebuildOptions,
  ): Promise<RebuildOutcome> {
    const { pool } = this.#options;
    const { name } = projection;
    const signal = options.signal ?? new AbortController().signal;
    const report = await this.#progressReport(projection, generation, options);
    while (!signal.aborted) {
      const row = await findGeneration(pool, name, generation);
      if (!row) return 'cancelled';
      if (row.status === 'live') return 'switched';
      if (row.error)
        throw new Error(`${name}:${generation} stopped at event ${row.error.eventId}: ${row.error.message}`);
      report(row.ordinal);
      if (!(await this.#runOnce(projection, generation, signal, report))) await pause(PROGRESS_MS, signal);
    }
    return 'interrupted';
  }

  /** @returns false where another process, say a worker, has it in hand */
  async #runOnce(
    projection: Projection,
    generation: number,
    signal: AbortSignal,
    report: (done: number) => void,
  ): Promise<boolean> {
    const lease = await this.#leases.acquire(projection.name, generation);
    if (!lease) return false;
    try {
      const runner = await GenerationRunner.load(
        { ...this.#runnerOptions(), onCheckpoint: ({ ordinal }) => report(ordinal) },
        projection,
        lease,
      );
      await runner.becomeLive(signal);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    } finally {
      await this.#leases.release(lease);
    }
    return true;
  }

  /** The live generation's count stands for the length of the log, which no store can tell. */
  async #progressReport(
    { name }: Projection,
    generation: number,
    { onProgress }: RebuildOptions,
  ): Promise<(done: number) => void> {
    const generations = await listGenerations(this.#options.pool, [name]);
    const known = Math.max(...generations.map(({ ordinal }) => ordinal));
    const first = generations.find((row) => row.generation === generation)?.ordinal ?? 0;
    const start = performance.now();
    return (done) => {
      const seconds = (performance.now() - start) / 1000;
      const eventsPerSecond = done > first && seconds > 0 ? (done - first) / seconds : 0;
      const total = Math.max(known, done);
      const secondsLeft = eventsPerSecond > 0 ? (total - done) / eventsPerSecond : undefined;
      onProgress?.({ generation, done, total, eventsPerSecond, secondsLeft });
    };
  }

  async #snapshot(projection: Projection): Promise<{ live: Generation; liveHash: string }> {
    return inTransaction(
      this.#options.pool,
      async (client) => {
        const live = (await listGenerations(client, [projection.name])).find(
          ({ status }) => status === 'live',
        );
        if (live?.shapeHash !== shapeHash(projection)) {
          throw new Error(`the live generation of ${projection.name} was not made by this code`);
        }
        return { live, liveHash: await hashTables(client, projection, live.generation) };
      },
      BEGIN_SNAPSHOT,
    );
  }

  #runnerOptions(): RunnerOptions {
    const { pool, store, pageSize } = this.#options;
    return { pool, store, moves: this.#moves, ...(pageSize === undefined ? {} : { pageSize }) };
  }

  #find(name: string): Projection {
    const projection = this.#options.projections.find((candidate) => candidate.name === name);
    if (!projection) throw new RangeError(`there is no projection ${name}`);
    return projection;
  }
}
