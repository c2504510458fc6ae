import { type EventStore, EventStoreUnavailableError, type RecordedEvent } from '@nimo/event-store';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { identityOf, type Lease, LeaseLostError, Leases } from '../bookkeeping/leases.js';
import { findGeneration, type Generation, listGenerations } from '../generations/generations.js';
import { prepareProjections } from '../generations/prepare-projections.js';
import type { SwitchRefusal } from '../generations/switch-generation.js';
import { applyMaintenanceCommands, reportSwitches } from '../maintenance/apply-maintenance-commands.js';
import { maintenanceStream } from '../bookkeeping/maintenance-commands.js';
import type { Projection } from '../projection.js';
import { RebuildPasses } from '../rebuild/rebuild-pass.js';
import { RebuildBudget, RebuildThrottle } from '../rebuild/rebuild-throttle.js';
import { pause, RestartThrottle } from '../scheduling.js';
import { shapeHash } from '../storage/table-shape.js';
import type { AppliedBatch, RunnerOptions } from './generation-runner.js';
import { LeaseHolder } from './lease-holder.js';
import { LiveLoop, MIN_LINGER_MS } from './live-loop.js';
import { LogHead } from './log-head.js';
import { WorkerRegistry } from './worker-registry.js';

export interface ProjectionWorkerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** Called with errors that are retried or have stopped a projection. */
  readonly onError: (error: unknown, projection?: string) => void;
  /** Called after each batch of a live projection, not for rebuilds. */
  readonly onApplied?: (batch: AppliedBatch) => void;
  /** Can refuse switches for now; ready generations then wait and keep following the log. */
  readonly refusal?: SwitchRefusal;
  /** Events per page of a rebuild; defaults to as many as the load allows. */
  readonly pageSize?: number;
  /** Memory for unflushed rows of all rebuilds. */
  readonly buildBytes?: number;
  /** Event types that change how earlier events read, such as erasures. Verifications allow for them. */
  readonly rewriting?: readonly string[];
  /** Interval of attempts to acquire free leases. */
  readonly retryMs?: number;
  /** Called when leases are or should become free. Wake the other workers, so that they need not wait for `retryMs`. */
  readonly onChange?: () => void;
  /** A short-lived worker that only runs what no other worker does. */
  readonly isTemporary?: boolean;
}

/** Events per page without a throttle. */
const PAGE_SIZE = 4_000;
/** Estimated size, which is too high: values shared by rows are counted for each row. */
const BUILD_BYTES = 256 * 2 ** 20;
/** One per core of a small machine; folding has ended by then. */
const CONCURRENT_INDEXING = 2;
/** Minimum delay between two rounds. */
const MIN_ROUND_MS = 10;

/**
 * Runs the projections assigned to this process, applies maintenance commands, and regularly acquires free leases and hands over those
 * that another worker should hold.
 */
export class ProjectionWorker {
  private readonly options: ProjectionWorkerOptions;
  private readonly retryMs: number;
  private readonly byName: ReadonlyMap<string, Projection>;
  private readonly rewriting: ReadonlySet<string>;
  private readonly registry: WorkerRegistry;
  private readonly leases: Leases;
  private readonly logHead: LogHead;
  private readonly runner: RunnerOptions;
  /** Callers wait for prompt projections only. */
  private readonly loops: { readonly prompt: LiveLoop; readonly lingering: LiveLoop };
  private readonly stopping = new AbortController();
  private readonly holders = new Map<string, LeaseHolder>();
  private readonly restarts: RestartThrottle;
  /** Projections that may have unapplied maintenance commands; initially all. */
  private readonly unapplied: Set<string>;
  /** Aborts to start the next round immediately. */
  private wakeController = new AbortController();
  /** Ordinal of the furthest generation. */
  private logLength = 0;
  private rounds: Promise<void> | undefined;

  constructor(options: ProjectionWorkerOptions) {
    this.options = options;
    const { pool, store, onError, pageSize, buildBytes = BUILD_BYTES, retryMs = 1000 } = options;
    this.retryMs = retryMs;
    this.byName = new Map(options.projections.map((projection) => [projection.name, projection]));
    this.rewriting = new Set(options.rewriting);
    this.unapplied = new Set(this.byName.keys());
    this.registry = new WorkerRegistry({
      ...{ pool, projections: this.byName, onError, isTemporary: options.isTemporary ?? false },
    });
    this.leases = new Leases(pool, onError, this.registry.name);
    this.restarts = new RestartThrottle(retryMs);
    this.logHead = new LogHead({
      ...{ store, onError },
      // Without callers waiting, events are read in larger batches.
      gatherMs: () => (this.loops.prompt.isEmpty ? MIN_LINGER_MS : 0),
      onEvents: (events) => this.noticeMaintenanceCommands(events),
      onReplaced: () => this.restart(),
    });
    this.loops = {
      prompt: new LiveLoop({ pool, logHead: this.logHead, lingers: false }),
      lingering: new LiveLoop({ pool, logHead: this.logHead, lingers: true }),
    };
    const passes = new RebuildPasses({
      ...{ pool, store, pageSize: pageSize ?? PAGE_SIZE, budget: new RebuildBudget(buildBytes) },
      ...(pageSize === undefined && { throttle: new RebuildThrottle(pool) }),
      logLength: () => this.logLength,
    });
    this.runner = {
      ...{ pool, store, passes, indexing: pLimit(CONCURRENT_INDEXING) },
      ...{ onApplied: options.onApplied, refusal: options.refusal, onRefusal: onError },
    };
  }

  async start(): Promise<void> {
    const { pool, store, projections } = this.options;
    await prepareProjections(pool, store, projections);
    await this.logHead.start();
    await this.registry.register();
    this.notifyOthers();
    this.rounds = this.runRounds();
  }

  /** Finishes the current batches and releases the leases, so that another process can take over immediately. */
  async stop(): Promise<void> {
    await this.registry.unregister().catch(this.options.onError);
    this.stopping.abort();
    await this.logHead.stop();
    await this.rounds;
    await Promise.all(Array.from(this.holders.values(), ({ done }) => done));
    this.notifyOthers();
  }

  /** Starts the next round immediately. */
  wake(): void {
    this.wakeController.abort();
  }

  /** Whether this process runs the projections that callers wait for. Other work for each event should run in the same process. */
  get hasPromptRole(): boolean {
    return this.registry.isPlanned && this.registry.hasRole('prompt');
  }

  private notifyOthers(): void {
    this.options.onChange?.();
  }

  /** For a log that was replaced: generations ahead of it detect that when they start. */
  private restart(): void {
    for (const holder of this.holders.values()) holder.stop();
    this.wake();
  }

  private noticeMaintenanceCommands(events: readonly RecordedEvent[]): void {
    for (const { streamId } of events) {
      if (!streamId.startsWith(STREAM_PREFIX)) continue;
      const name = streamId.slice(STREAM_PREFIX.length);
      if (!this.byName.has(name)) continue;
      this.unapplied.add(name);
      this.wake();
    }
  }

  private async runRounds(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.wakeController = new AbortController();
      try {
        await this.applyCommands();
        await this.acquireLeases();
      } catch (error) {
        this.options.onError(error);
      }
      await pause(MIN_ROUND_MS, signal);
      await pause(this.retryMs, AbortSignal.any([signal, this.wakeController.signal]));
    }
  }

  private async applyCommands(): Promise<void> {
    const { pool, store, onError } = this.options;
    for (const name of [...this.unapplied]) {
      const projection = this.byName.get(name);
      // Removed first, because a command that arrives while others are applied adds it again.
      this.unapplied.delete(name);
      try {
        if (projection) await applyMaintenanceCommands(pool, store, projection);
      } catch (error) {
        // The commands and leases of other projections must not wait.
        this.unapplied.add(name);
        onError(error, name);
        // The others would time out too.
        if (error instanceof EventStoreUnavailableError) return;
      }
    }
  }

  private async acquireLeases(): Promise<void> {
    const { pool, store } = this.options;
    const generations = await listGenerations(pool, [...this.byName.keys()]);
    this.logLength = Math.max(0, ...generations.map(({ ordinal }) => ordinal));
    await this.registry.plan(generations);
    await this.followIfNeeded();
    await this.reviewHolders(generations);
    await reportSwitches(pool, store, generations);
    for (const generation of generations) {
      const projection = this.byName.get(generation.name);
      if (!projection || !this.isFree(generation) || !isRunnable(generation, projection)) continue;
      if (!this.registry.shouldHold(generation)) continue;
      const lease = await this.leases.acquire(generation.name, generation.generation);
      if (lease) this.startHolder(projection, generation, lease);
    }
  }

  /** An idle worker does not follow the log, which would cost a read per event and worker. */
  private async followIfNeeded(): Promise<void> {
    const isNeeded =
      this.registry.hasRole('prompt') || this.registry.hasRole('lingering') || this.holders.size > 0;
    if (isNeeded === this.logHead.isFollowing) return;
    if (!isNeeded) return this.logHead.suspend();
    // Maintenance commands may have been missed while suspended.
    for (const name of this.byName.keys()) this.unapplied.add(name);
    await this.logHead.start();
    this.wake();
  }

  /** Verifications run one at a time, because they read whole live tables. */
  private isFree(generation: Generation): boolean {
    const identity = identityOf(generation);
    if (!generation.isFree || this.holders.has(identity) || this.restarts.isDelayed(identity)) return false;
    return generation.status !== 'verifying' || ![...this.holders.values()].some((one) => one.isVerifying);
  }

  /** Stops holders whose generation was dropped or whose lease is lost or should move, and lets held generations switch. */
  private async reviewHolders(generations: readonly Generation[]): Promise<void> {
    const current = new Map(generations.map((generation) => [identityOf(generation), generation]));
    const expired = await this.expiredLeases(current);
    const handedOver: LeaseHolder[] = [];
    for (const holder of this.holders.values()) {
      const row = current.get(holder.identity);
      if (row === undefined || expired.has(holder.lease) || !holder.isCurrent(row)) this.stopHolder(holder);
      else if (!this.registry.shouldHold(row)) handedOver.push(holder);
      else if (!row.hold) holder.allowSwitch();
    }
    if (handedOver.length === 0) return;
    for (const holder of handedOver) this.stopHolder(holder);
    // The next holder has the same plan and acquires the leases as soon as they are free.
    void Promise.all(handedOver.map(({ done }) => done)).then(() => this.notifyOthers());
  }

  /** Own expired leases, even if unclaimed: after a network outage an idle generation would otherwise stay without a holder. */
  private async expiredLeases(current: ReadonlyMap<string, Generation>): Promise<ReadonlySet<Lease>> {
    const candidates = [...this.holders.values()].filter(
      ({ identity }) => current.get(identity)?.isLed === false,
    );
    return candidates.length === 0 ? new Set() : this.leases.expired(candidates.map(({ lease }) => lease));
  }

  private stopHolder(holder: LeaseHolder): void {
    const { identity, projection } = holder;
    if (!holder.stop() || this.holders.get(identity) !== holder) return;
    this.holders.delete(identity);
    this.options.onError(new Error(`${identity} did not stop in time and was abandoned`), projection.name);
  }

  private startHolder(projection: Projection, generation: Generation, lease: Lease): void {
    const options = {
      ...{ runner: this.runner, logHead: this.logHead, rewriting: this.rewriting },
      loop: projection.lingers === true ? this.loops.lingering : this.loops.prompt,
      stopping: this.stopping.signal,
      // The switch must be reported, and the generation may now belong to another worker.
      onSwitched: () => this.wake(),
    };
    const holder = new LeaseHolder(options, projection, generation, lease);
    this.holders.set(holder.identity, holder);
    holder.done = this.run(holder);
  }

  private async run(holder: LeaseHolder): Promise<void> {
    const { identity, lease, projection } = holder;
    const startedAt = performance.now();
    let hasLostLease = false;
    try {
      await holder.run();
      if (holder.isVerifying) this.unapplied.add(projection.name);
    } catch (error) {
      const keepsFailing = this.restarts.recordFailure(identity, performance.now() - startedAt);
      // The tables of a verification disappear when it is cancelled, or when another holder has finished it.
      hasLostLease = error instanceof LeaseLostError || (await this.wasDropped(lease));
      if (!hasLostLease) {
        this.options.onError(error, projection.name);
        if (keepsFailing) await this.registry.stepBack().catch(this.options.onError);
      }
    } finally {
      await this.leases
        .release(lease)
        .catch((error: unknown) => this.options.onError(error, projection.name));
    }
    if (this.holders.get(identity) === holder) this.holders.delete(identity);
    // Another rebuild may start, or this generation again: a switch also shows up as a lost lease.
    if (holder.isBuilding || hasLostLease) this.wake();
  }

  /** False if that is unknown. */
  private wasDropped({ name, generation }: Lease): Promise<boolean> {
    return findGeneration(this.options.pool, name, generation).then(
      (found) => found === undefined,
      () => false,
    );
  }
}

const STREAM_PREFIX = maintenanceStream('');

function isRunnable(
  { status, error, shapeHash: hash, verification }: Generation,
  projection: Projection,
): boolean {
  // A stopped verification still has to store its result.
  if (status === 'verifying') return verification !== null;
  return (status === 'live' || status === 'building') && error === null && hash === shapeHash(projection);
}
