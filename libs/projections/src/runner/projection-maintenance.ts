import { randomUUID } from 'node:crypto';
import {
  type EventMetadata,
  type ProjectionAct,
  type ProjectionStanding,
  projectionStream,
  type StoppedAt,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { Pool } from 'pg';
import { pause } from '../pause.js';
import type { Projection } from '../projection.js';
import type { VerificationResult } from './bookkeeping.js';
import { type Generation, listGenerations } from './generations.js';
import { projectionStatus, type ProjectionStatus, type WorkProgress } from './projection-status.js';
import { readActs } from './recorded-acts.js';
import { settleActs } from './settle-acts.js';
import { shapeHash } from './table-shape.js';

export interface ProjectionMaintenanceOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** Who acts where nobody is signed in. */
  readonly operator?: string;
}

export interface WatchOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: WorkProgress) => void;
}

export type RebuildOutcome = 'switched' | 'held' | 'interrupted' | 'cancelled';

const LOOK_MS = 100;
/** A worker hears of an act at once, and may be folding a batch. */
const SETTLED_WITHIN_MS = 3_000;
const SETTLED_LOOK_MS = 20;

/** What maintainers ask of projections. The workers do it; whoever asked may look on. */
export class ProjectionMaintenance {
  readonly #options: ProjectionMaintenanceOptions;

  constructor(options: ProjectionMaintenanceOptions) {
    this.#options = options;
  }

  /** What a decision has to know. Acts that are in the log have had their effect. */
  async standing(name: string): Promise<ProjectionStanding> {
    const projection = this.find(name);
    await this.settle(name);
    const generations = await listGenerations(this.#options.pool, [name]);
    const numberOf = (status: Generation['status']): number | null =>
      generations.find((row) => row.status === status)?.generation ?? null;
    const hash = shapeHash(projection);
    return {
      projection: name,
      version: projection.version,
      live: numberOf('live'),
      building: numberOf('building'),
      isVerifying: generations.some(({ verification }) => verification !== null),
      switchable: generations
        .filter((row) => (row.status === 'former' || row.status === 'building') && row.shapeHash === hash)
        .map(({ generation }) => generation),
      stoppedAt: stopsOf(generations),
    };
  }

  /**
   * Gives the acts in the log their effect on the bookkeeping. A process that only reads the read side, as the api, waits for a worker to
   * do so; where none runs, the acts stay in the log until one does.
   */
  async settle(name: string): Promise<void> {
    const { pool, store } = this.#options;
    const projection = this.find(name);
    if (await this.#mayWrite()) return settleActs(pool, store, projection);
    const { revision } = await readActs(store, name);
    const end = performance.now() + SETTLED_WITHIN_MS;
    while ((await this.#settledUpTo(name)) < revision && performance.now() < end)
      await pause(SETTLED_LOOK_MS, new AbortController().signal);
  }

  async #mayWrite(): Promise<boolean> {
    const { rows } = await this.#options.pool.query<{ may: boolean }>(
      `select has_table_privilege('read.projection_acts', 'UPDATE') as may`,
    );
    return rows[0]?.may === true;
  }

  async #settledUpTo(name: string): Promise<number> {
    const { rows } = await this.#options.pool.query<{ revision: string }>(
      'select revision from read.projection_acts where name = $1',
      [name],
    );
    return Number(rows[0]?.revision ?? -1);
  }

  async status(name: string): Promise<ProjectionStatus> {
    const [status] = await projectionStatus({ ...this.#options, projections: [this.find(name)] });
    if (!status) throw new RangeError(`there is no projection ${name}`);
    return status;
  }

  /** Puts an act into the log as an operator, who may everything, and settles it. */
  async act(event: ProjectionAct): Promise<void> {
    const name = event.data.projection;
    this.find(name);
    const [id, now] = [randomUUID(), new Date().toISOString()];
    const { operator, store } = this.#options;
    const metadata: EventMetadata = {
      occurredAt: now,
      recordedAt: now,
      actor: { kind: 'operator', ...(operator !== undefined && { operator }) },
      commandId: id,
      correlationId: id,
      causationId: id,
      schemaVersion: 1,
    };
    await store.append([
      {
        streamId: projectionStream(name),
        expectedRevision: 'any',
        events: [{ id, type: event.type, data: event.data, metadata }],
      },
    ]);
    await this.settle(name);
  }

  /** Asks for a rebuild and looks on. Some worker must run, here or elsewhere. */
  async rebuild(name: string, options: WatchOptions = {}): Promise<RebuildOutcome> {
    await this.act({ type: 'ProjectionRebuildStarted', data: { projection: name, hold: false } });
    return this.watchRebuild(name, options);
  }

  async verify(name: string, options: WatchOptions = {}): Promise<VerificationResult | undefined> {
    const before = (await this.status(name)).lastVerification;
    await this.act({ type: 'ProjectionVerificationStarted', data: { projection: name } });
    return this.watchVerification(name, { ...options, before });
  }

  /**
   * Until the generation that is being built is live, dropped, or built and held.
   * @throws Error when an event could not be digested; the live generation then stays
   */
  async watchRebuild(name: string, { signal, onProgress }: WatchOptions = {}): Promise<RebuildOutcome> {
    const stop = signal ?? new AbortController().signal;
    let watched: number | undefined;
    while (!stop.aborted) {
      const { rebuild, live } = await this.status(name);
      if (rebuild === null || (watched !== undefined && rebuild.generation !== watched))
        return watched === undefined || live?.generation === watched ? 'switched' : 'cancelled';
      watched = rebuild.generation;
      if (rebuild.error)
        throw new Error(
          `${name}:${watched} stopped at event ${rebuild.error.eventId}: ${rebuild.error.message}`,
        );
      onProgress?.(rebuild);
      if (rebuild.isHeld && rebuild.isReady) return 'held';
      await pause(LOOK_MS, stop);
    }
    return 'interrupted';
  }

  /** @param options.before the last result when it was asked for. Undefined where it was cancelled, or nobody looks any more. */
  async watchVerification(
    name: string,
    { signal, onProgress, before }: WatchOptions & { readonly before: VerificationResult | null },
  ): Promise<VerificationResult | undefined> {
    const stop = signal ?? new AbortController().signal;
    while (!stop.aborted) {
      const { verification, lastVerification } = await this.status(name);
      if (verification === null)
        return lastVerification?.finishedAt === before?.finishedAt
          ? undefined
          : (lastVerification ?? undefined);
      onProgress?.(verification);
      await pause(LOOK_MS, stop);
    }
    return undefined;
  }

  find(name: string): Projection {
    const projection = this.#options.projections.find((candidate) => candidate.name === name);
    if (!projection) throw new RangeError(`there is no projection ${name}`);
    return projection;
  }
}

function stopsOf(generations: readonly Generation[]): StoppedAt[] {
  return generations
    .toSorted((a, b) => Number(b.status === 'live') - Number(a.status === 'live'))
    .flatMap(({ status, error }) => {
      if (error === null || status === 'verifying') return [];
      const { eventId, eventType, ordinal } = error;
      return [{ eventId, eventType, ordinal }];
    });
}
