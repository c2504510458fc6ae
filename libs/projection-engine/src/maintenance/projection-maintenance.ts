import { randomUUID } from 'node:crypto';
import {
  type CommandMetadata,
  maintenanceStream,
  type MaintenanceCommand,
  type ProjectionStanding,
  type StoppedAt,
  readMaintenanceCommands,
} from '../bookkeeping/maintenance-commands.js';
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
  /** How often it looks at what it watches. */
  readonly lookMs?: number;
}

export interface WatchOptions<Progress> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type RebuildOutcome = 'switched' | 'held' | 'interrupted' | 'cancelled';

/** How it ended, or the event that it stopped at; the live generation then stays. */
export interface RebuildEnd {
  readonly name: string;
  readonly outcome: RebuildOutcome | 'stopped';
  readonly error?: string;
}

/** Progress of rebuilds that go along the log together. */
export interface PassProgress extends Omit<WorkProgress, 'generation'> {
  /** How many need no more watching. */
  readonly ended: number;
  readonly of: number;
}

const LOOK_MS = 100;
const NEVER = new AbortController().signal;
/** A worker sees a command at once, but may be folding a batch. */
const APPLIED_WITHIN_MS = 3_000;
const APPLIED_LOOK_MS = 20;

/** Requests of maintainers, which the workers carry out, and a view on how they go. */
export class ProjectionMaintenance {
  private readonly options: ProjectionMaintenanceOptions;

  constructor(options: ProjectionMaintenanceOptions) {
    this.options = options;
  }

  /** The facts for a decision, with all commands in the log applied. */
  async standing(name: string): Promise<ProjectionStanding> {
    const projection = this.find(name);
    await this.applyCommands(name);
    const generations = await listGenerations(this.options.pool, [name]);
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
    const { pool, store } = this.options;
    const projection = this.find(name);
    if (await this.mayWrite()) return applyMaintenanceCommands(pool, store, projection);
    const { revision } = await readMaintenanceCommands(store, name);
    const end = performance.now() + APPLIED_WITHIN_MS;
    while ((await appliedRevision(pool, name)) < revision && performance.now() < end)
      await pause(APPLIED_LOOK_MS, NEVER);
  }

  private async mayWrite(): Promise<boolean> {
    const { rows } = await this.options.pool.query<{ may: boolean }>(
      `select has_table_privilege('read.projection_acts', 'UPDATE') as may`,
    );
    return rows[0]?.may === true;
  }

  async status(name: string): Promise<ProjectionStatus> {
    const [status] = await projectionStatus({ ...this.options, projections: [this.find(name)] });
    if (!status) throw new RangeError(`there is no projection ${name}`);
    return status;
  }

  /** Appends a command to the log as an operator, who may do everything, and applies it. */
  async request(event: MaintenanceCommand): Promise<void> {
    const name = event.data.projection;
    this.find(name);
    const [id, now] = [randomUUID(), new Date().toISOString()];
    const metadata: CommandMetadata = {
      occurredAt: now,
      recordedAt: now,
      actor: { kind: 'operator' },
      commandId: id,
      correlationId: id,
      causationId: id,
      schemaVersion: 1,
    };
    await this.options.store.append([
      {
        streamId: maintenanceStream(name),
        expectedRevision: 'any',
        events: [{ id, type: event.type, data: event.data, metadata }],
      },
    ]);
    await this.applyCommands(name);
  }

  /** Some worker must run, here or elsewhere. @throws as `watchRebuild` */
  async rebuild(name: string): Promise<RebuildOutcome> {
    await this.request({ type: 'ProjectionRebuildStarted', data: { projection: name, hold: false } });
    return this.watchRebuild(name);
  }

  async verify(name: string): Promise<VerificationResult | undefined> {
    const before = (await this.status(name)).lastVerification;
    await this.request({ type: 'ProjectionVerificationStarted', data: { projection: name } });
    return this.watchVerification(name, { before });
  }

  /** @throws Error where it stopped at an event; the live generation then stays */
  async watchRebuild(name: string, options: WatchOptions<PassProgress> = {}): Promise<RebuildOutcome> {
    const [end] = await this.watchRebuilds([name], options);
    if (end === undefined || end.outcome === 'stopped') throw new Error(end?.error);
    return end.outcome;
  }

  /** Until each generation that is building is live, dropped, stopped, or built and held. */
  async watchRebuilds(
    names: readonly string[],
    { signal = NEVER, onProgress }: WatchOptions<PassProgress> = {},
  ): Promise<readonly RebuildEnd[]> {
    const projections = names.map((name) => this.find(name));
    const watched = new Map<string, number>();
    const ends = new Map<string, RebuildEnd>();
    while (ends.size < names.length && !signal.aborted) {
      const statuses = await projectionStatus({ ...this.options, projections });
      for (const status of statuses) {
        const end = ends.has(status.name) ? undefined : endOf(status, watched);
        if (end) ends.set(status.name, end);
      }
      const left = statuses.filter(({ name }) => !ends.has(name));
      if (left.length === 0) break;
      onProgress?.({ ...passOf(left), ended: ends.size, of: names.length });
      await pause(this.options.lookMs ?? LOOK_MS, signal);
    }
    return names.map((name) => ends.get(name) ?? { name, outcome: 'interrupted' });
  }

  /** @param options.before the last result at the request @returns undefined where it was cancelled, or the signal aborted */
  async watchVerification(
    name: string,
    {
      signal = NEVER,
      onProgress,
      before,
    }: WatchOptions<WorkProgress> & { readonly before: VerificationResult | null },
  ): Promise<VerificationResult | undefined> {
    while (!signal.aborted) {
      const { verification, lastVerification } = await this.status(name);
      if (verification === null)
        return lastVerification?.finishedAt === before?.finishedAt
          ? undefined
          : (lastVerification ?? undefined);
      onProgress?.(verification);
      await pause(this.options.lookMs ?? LOOK_MS, signal);
    }
    return undefined;
  }

  find(name: string): Projection {
    const projection = this.options.projections.find((candidate) => candidate.name === name);
    if (!projection) throw new RangeError(`there is no projection ${name}`);
    return projection;
  }
}

/** @param watched generations that were building at earlier looks, by projection */
function endOf(
  { name, rebuild, live }: ProjectionStatus,
  watched: Map<string, number>,
): RebuildEnd | undefined {
  const before = watched.get(name);
  if (rebuild === null || (before !== undefined && rebuild.generation !== before))
    return {
      name,
      outcome: before === undefined || live?.generation === before ? 'switched' : 'cancelled',
    };
  watched.set(name, rebuild.generation);
  if (rebuild.error) {
    const { eventId, message } = rebuild.error;
    const error = `${name}:${rebuild.generation} stopped at event ${eventId}: ${message}`;
    return { name, outcome: 'stopped', error };
  }
  return rebuild.isHeld && rebuild.isReady ? { name, outcome: 'held' } : undefined;
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
