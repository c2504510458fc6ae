import { randomUUID } from 'node:crypto';
import {
  type CommandMetadata,
  maintenanceStream,
  type MaintenanceCommand,
  type MaintenanceState,
  type StoppedAt,
  readMaintenanceCommands,
} from '../bookkeeping/maintenance-commands.js';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { pause } from '../scheduling.js';
import type { Projection } from '../projection.js';
import type { ProjectionError, VerificationResult } from '../bookkeeping/bookkeeping.js';
import { type Generation, listGenerations } from '../generations/generations.js';
import { projectionStatus, type ProjectionStatus, type WorkProgress } from './projection-status.js';
import { appliedRevision, applyMaintenanceCommands } from './apply-maintenance-commands.js';
import { shapeHash } from '../storage/table-shape.js';

export interface ProjectionMaintenanceOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** Interval of status checks while watching. */
  readonly pollMs?: number;
}

export interface WatchOptions<Progress> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type RebuildOutcome = 'switched' | 'held' | 'interrupted' | 'cancelled';

/** The outcome of a rebuild. After a stop at an event, the old generation stays live. */
export interface RebuildEnd {
  readonly name: string;
  readonly outcome: RebuildOutcome | 'stopped';
  readonly error?: string;
}

/** Combined progress of several rebuilds. */
export interface PassProgress extends Omit<WorkProgress, 'generation'> {
  /** Rebuilds that have ended, out of `of`. */
  readonly ended: number;
  readonly of: number;
}

/** An event at which projections are stopped. */
export interface StoppedEvent extends StoppedAt {
  readonly projections: readonly string[];
  /** Null if the log no longer has it there. */
  readonly event: RecordedEvent | null;
}

const POLL_MS = 100;
const NEVER = new AbortController().signal;
/** Events per read on the way from a checkpoint to the event that stopped it, which is usually the next one. */
const EVENT_PAGE_SIZE = 500;
/** Workers see a command immediately, but may be in the middle of a batch. */
const APPLY_TIMEOUT_MS = 3_000;
const APPLIED_POLL_MS = 20;

/** Requests maintenance, which the workers carry out, and reports its progress. */
export class ProjectionMaintenance {
  private readonly options: ProjectionMaintenanceOptions;

  constructor(options: ProjectionMaintenanceOptions) {
    this.options = options;
  }

  /** The current state, with all commands in the log applied. */
  async maintenanceState(name: string): Promise<MaintenanceState> {
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
   * Applies the commands in the log. A process with read-only access to `read`, such as the API, waits a few seconds for a worker to do so.
   * Without a worker the commands stay in the log until one runs.
   */
  async applyCommands(name: string): Promise<void> {
    const { pool, store } = this.options;
    const projection = this.find(name);
    if (await this.mayWrite()) return applyMaintenanceCommands(pool, store, projection);
    const { revision } = await readMaintenanceCommands(store, name);
    const end = performance.now() + APPLY_TIMEOUT_MS;
    while ((await appliedRevision(pool, name)) < revision && performance.now() < end)
      await pause(APPLIED_POLL_MS, NEVER);
  }

  private async mayWrite(): Promise<boolean> {
    const { rows } = await this.options.pool.query<{ may: boolean }>(
      `select has_table_privilege('read.projection_maintenance', 'UPDATE') as may`,
    );
    return rows[0]?.may === true;
  }

  async status(name: string): Promise<ProjectionStatus> {
    const [status] = await projectionStatus({ ...this.options, projections: [this.find(name)] });
    if (!status) throw new RangeError(`unknown projection ${name}`);
    return status;
  }

  /** Appends a command to the log as an operator, who has all permissions, and applies it. */
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

  /** Requests a rebuild and waits for it. Requires a running worker. @throws like `watchRebuild` */
  async rebuild(name: string): Promise<RebuildOutcome> {
    await this.request({ type: 'ProjectionRebuildStarted', data: { projection: name, hold: false } });
    return this.watchRebuild(name);
  }

  async verify(name: string): Promise<VerificationResult | undefined> {
    const before = (await this.status(name)).lastVerification;
    await this.request({ type: 'ProjectionVerificationStarted', data: { projection: name } });
    return this.watchVerification(name, { before });
  }

  /** @throws Error if the rebuild stopped at an event; the old generation stays live */
  async watchRebuild(name: string, options: WatchOptions<PassProgress> = {}): Promise<RebuildOutcome> {
    const [end] = await this.watchRebuilds([name], options);
    if (end === undefined || end.outcome === 'stopped') throw new Error(end?.error);
    return end.outcome;
  }

  /** Waits until each building generation is live, dropped, stopped, or ready and held. */
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
      await pause(this.options.pollMs ?? POLL_MS, signal);
    }
    return names.map((name) => ends.get(name) ?? { name, outcome: 'interrupted' });
  }

  /** @param options.before the last result before the request @returns undefined if it was cancelled or the signal aborted */
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
      await pause(this.options.pollMs ?? POLL_MS, signal);
    }
    return undefined;
  }

  /** All events at which generations are stopped, in log order. */
  async stoppedEvents(): Promise<readonly StoppedEvent[]> {
    const { pool, projections } = this.options;
    const generations = await listGenerations(
      pool,
      projections.map(({ name }) => name),
    );
    const stopped = generations.filter(
      ({ status, error }) => status !== 'verifying' && error !== null && error.isAheadOfLog !== true,
    );
    const errors = new Map(stopped.flatMap(({ error }) => (error ? [[error.eventId, error] as const] : [])));
    const found: StoppedEvent[] = [];
    for (const error of errors.values()) {
      const { eventId, eventType, ordinal } = error;
      const here = stopped.filter((generation) => generation.error?.eventId === eventId);
      const names = [...new Set(here.map(({ name }) => name))];
      const event = await this.readStop(error, here);
      found.push({ eventId, eventType, ordinal, projections: names, event });
    }
    return found.toSorted((one, other) => one.ordinal - other.ordinal);
  }

  /** Reads from the nearest checkpoint, because a store cannot read an event by its ID. */
  private async readStop(
    { eventId, position: until }: ProjectionError,
    stopped: readonly Generation[],
  ): Promise<RecordedEvent | null> {
    const positions = stopped.map(({ position }) => position).filter((position) => position !== null);
    let after = positions
      .filter((position) => position < until)
      .toSorted()
      .at(-1);
    for (;;) {
      const page = await this.options.store.readAll({
        ...(after !== undefined && { after }),
        until,
        limit: EVENT_PAGE_SIZE,
      });
      const event = page.find(({ id }) => id === eventId);
      const last = page.at(-1);
      if (event || !last || page.length < EVENT_PAGE_SIZE) return event ?? null;
      after = last.position;
    }
  }

  find(name: string): Projection {
    const projection = this.options.projections.find((candidate) => candidate.name === name);
    if (!projection) throw new RangeError(`unknown projection ${name}`);
    return projection;
  }
}

/** @param watched generations that were building at earlier checks, by projection */
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
    const { ordinal, eventType, eventId, message } = rebuild.error;
    const error = `generation ${rebuild.generation} stopped at event ${ordinal} (${eventType}, ${eventId}): ${message}`;
    return { name, outcome: 'stopped', error };
  }
  return rebuild.isHeld && rebuild.isReady ? { name, outcome: 'held' } : undefined;
}

/** The progress of the rebuild that is furthest behind, because the others wait for it or are ahead. */
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
