import { randomUUID } from 'node:crypto';
import {
  type CommandMetadata,
  maintenanceStream,
  type MaintenanceCommand,
  type ProjectionStanding,
  type StoppedAt,
  readMaintenanceCommands,
} from './maintenance-commands.js';
import type { EventStore } from '@nimo/event-store';
import type { Pool } from 'pg';
import { pause } from '../scheduling.js';
import type { Projection } from '../projection.js';
import type { VerificationResult } from '../bookkeeping/bookkeeping.js';
import { type Generation, listGenerations } from '../generations/generations.js';
import { projectionStatus, type ProjectionStatus, type WorkProgress } from './projection-status.js';
import { appliedRevision, applyMaintenanceCommands } from './apply-maintenance-commands.js';
import { shapeHash } from '../storage/table-shape.js';

export interface ProjectionMaintenanceOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** The actor where nobody is signed in. */
  readonly operator?: string;
  /** How often it looks at what it watches. */
  readonly lookMs?: number;
}

export interface WatchOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: WorkProgress) => void;
}

export type RebuildOutcome = 'switched' | 'held' | 'interrupted' | 'cancelled';

/** How it ended, or the event that it failed on; the live generation then stays. */
export interface RebuildEnd {
  readonly name: string;
  readonly outcome: RebuildOutcome | 'stopped';
  readonly error?: string;
}

/** How far those are that go along the log together. */
export interface PassProgress extends Omit<WorkProgress, 'generation'> {
  /** How many need no more watching. */
  readonly ended: number;
  readonly of: number;
}

export interface WatchPassOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PassProgress) => void;
}

const LOOK_MS = 100;
const LOOK_AT_ALL_MS = 250;
const NEVER = new AbortController().signal;
/** A worker sees a command at once, but may be folding a batch. */
const APPLIED_WITHIN_MS = 3_000;
const APPLIED_LOOK_MS = 20;

/** Requests of maintainers, which the workers carry out, and a view on how they go. */
export class ProjectionMaintenance {
  readonly #options: ProjectionMaintenanceOptions;

  constructor(options: ProjectionMaintenanceOptions) {
    this.#options = options;
  }

  /** The facts for a decision, with all commands in the log applied. */
  async standing(name: string): Promise<ProjectionStanding> {
    const projection = this.find(name);
    await this.applyCommands(name);
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
   * Applies the commands in the log. A process that may only read the read side, as the api, waits for a worker to do so; without one
   * they stay in the log until one runs.
   */
  async applyCommands(name: string): Promise<void> {
    const { pool, store } = this.#options;
    const projection = this.find(name);
    if (await this.#mayWrite()) return applyMaintenanceCommands(pool, store, projection);
    const { revision } = await readMaintenanceCommands(store, name);
    const end = performance.now() + APPLIED_WITHIN_MS;
    while ((await appliedRevision(pool, name)) < revision && performance.now() < end)
      await pause(APPLIED_LOOK_MS, NEVER);
  }

  async #mayWrite(): Promise<boolean> {
    const { rows } = await this.#options.pool.query<{ may: boolean }>(
      `select has_table_privilege('read.projection_acts', 'UPDATE') as may`,
    );
    return rows[0]?.may === true;
  }

  async status(name: string): Promise<ProjectionStatus> {
    const [status] = await projectionStatus({ ...this.#options, projections: [this.find(name)] });
    if (!status) throw new RangeError(`there is no projection ${name}`);
    return status;
  }

  /** Appends a command to the log as an operator, who may do everything, and applies it. */
  async request(event: MaintenanceCommand): Promise<void> {
    const name = event.data.projection;
    this.find(name);
    const [id, now] = [randomUUID(), new Date().toISOString()];
    const { operator, store } = this.#options;
    const metadata: CommandMetadata = {
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
        streamId: maintenanceStream(name),
        expectedRevision: 'any',
        events: [{ id, type: event.type, data: event.data, metadata }],
      },
    ]);
    await this.applyCommands(name);
  }

  /** Asks for a rebuild and looks on. Some worker must run, here or elsewhere. */
  async rebuild(name: string, options: WatchOptions = {}): Promise<RebuildOutcome> {
    await this.request({ type: 'ProjectionRebuildStarted', data: { projection: name, hold: false } });
    return this.watchRebuild(name, options);
  }

  async verify(name: string, options: WatchOptions = {}): Promise<VerificationResult | undefined> {
    const before = (await this.status(name)).lastVerification;
    await this.request({ type: 'ProjectionVerificationStarted', data: { projection: name } });
    return this.watchVerification(name, { ...options, before });
  }

  /**
   * Until the generation that is being built is live, dropped, or built and held.
   * @throws Error when it failed on an event; the live generation then stays
   */
  async watchRebuild(name: string, { signal, onProgress }: WatchOptions = {}): Promise<RebuildOutcome> {
    const watch = new RebuildWatch(name);
    while (signal?.aborted !== true) {
      const status = await this.status(name);
      const end = watch.look(status);
      if (end) return endOrThrow(end);
      if (status.rebuild) onProgress?.(status.rebuild);
      await pause(this.#options.lookMs ?? LOOK_MS, signal ?? NEVER);
    }
    return 'interrupted';
  }

  /** The same for several, which go along the log together. One that stops at an event does not end the others' way. */
  async watchRebuilds(
    names: readonly string[],
    { signal, onProgress }: WatchPassOptions = {},
  ): Promise<readonly RebuildEnd[]> {
    const projections = names.map((name) => this.find(name));
    const watches = new Map(names.map((name) => [name, new RebuildWatch(name)]));
    const ends = new Map<string, RebuildEnd>();
    while (ends.size < watches.size && signal?.aborted !== true) {
      const statuses = await projectionStatus({ ...this.#options, projections });
      for (const status of statuses) {
        const end = ends.has(status.name) ? undefined : watches.get(status.name)?.look(status);
        if (end) ends.set(status.name, end);
      }
      const left = statuses.filter(({ name }) => !ends.has(name));
      if (left.length === 0) break;
      onProgress?.({ ...passOf(left), ended: ends.size, of: watches.size });
      await pause(this.#options.lookMs ?? LOOK_AT_ALL_MS, signal ?? NEVER);
    }
    return names.map((name) => ends.get(name) ?? { name, outcome: 'interrupted' });
  }

  /** @param options.before the last result when it was asked for. Undefined where it was cancelled, or nobody looks any more. */
  async watchVerification(
    name: string,
    { signal, onProgress, before }: WatchOptions & { readonly before: VerificationResult | null },
  ): Promise<VerificationResult | undefined> {
    const stop = signal ?? NEVER;
    while (!stop.aborted) {
      const { verification, lastVerification } = await this.status(name);
      if (verification === null)
        return lastVerification?.finishedAt === before?.finishedAt
          ? undefined
          : (lastVerification ?? undefined);
      onProgress?.(verification);
      await pause(this.#options.lookMs ?? LOOK_MS, stop);
    }
    return undefined;
  }

  find(name: string): Projection {
    const projection = this.#options.projections.find((candidate) => candidate.name === name);
    if (!projection) throw new RangeError(`there is no projection ${name}`);
    return projection;
  }
}

/** Finds out by repeated looks how a rebuild ended. */
class RebuildWatch {
  readonly #name: string;
  #watched: number | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  look({ rebuild, live }: ProjectionStatus): RebuildEnd | undefined {
    const name = this.#name;
    const watched = this.#watched;
    if (rebuild === null || (watched !== undefined && rebuild.generation !== watched))
      return {
        name,
        outcome: watched === undefined || live?.generation === watched ? 'switched' : 'cancelled',
      };
    this.#watched = rebuild.generation;
    if (rebuild.error) {
      const { eventId, message } = rebuild.error;
      const error = `${name}:${rebuild.generation} stopped at event ${eventId}: ${message}`;
      return { name, outcome: 'stopped', error };
    }
    return rebuild.isHeld && rebuild.isReady ? { name, outcome: 'held' } : undefined;
  }
}

function endOrThrow({ outcome, error }: RebuildEnd): RebuildOutcome {
  if (outcome === 'stopped') throw new Error(error);
  return outcome;
}

/** Of the one that is furthest behind: the others wait for it, or are further on. */
function passOf(statuses: readonly ProjectionStatus[]): Omit<WorkProgress, 'generation'> {
  const building = statuses.flatMap(({ rebuild }) => rebuild ?? []);
  const [last] = building.toSorted((one, other) => one.done - other.done);
  const total = Math.max(0, ...building.map((each) => each.total));
  const { done = total, eventsPerSecond = 0, secondsLeft = null } = last ?? {};
  return { done, total, eventsPerSecond, secondsLeft };
}

function stopsOf(generations: readonly Generation[]): StoppedAt[] {
  return generations
    .toSorted((a, b) => Number(b.status === 'live') - Number(a.status === 'live'))
    .flatMap(({ status, error }) => {
      if (error === null || error.isAheadOfLog || status === 'verifying') return [];
      const { eventId, eventType, ordinal } = error;
      return [{ eventId, eventType, ordinal }];
    });
}
