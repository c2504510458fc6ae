import { type EventStore, EventStoreUnavailableError, type RecordedEvent } from '@nimo/event-store';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { identityOf, type Lease, LeaseLostError, Leases } from '../bookkeeping/leases.js';
import { type Generation, listGenerations } from '../generations/generations.js';
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
  /** What went wrong and is being tried again, or stopped one projection. */
  readonly onError: (error: unknown, projection?: string) => void;
  /** Events that a live projection has just applied, one batch after the other; rebuilds report nothing. */
  readonly onApplied?: (batch: AppliedBatch) => void;
  /** Why no generation may be switched to now: one that is ready then waits, and goes on following. */
  readonly refusal?: SwitchRefusal;
  /** Events per page of a rebuild; otherwise as many as the load allows. */
  readonly pageSize?: number;
  /** Memory for rows that are not flushed, for all rebuilds together. */
  readonly buildBytes?: number;
  /** Types of events after which those before them read differently, as an erasure. A verification allows for them. */
  readonly rewriting?: readonly string[];
  /** How often it looks for free leases. */
  readonly retryMs?: number;
  /** A lease is free, or to be released: the other workers should `look`, which they do by themselves every `retryMs`. */
  readonly onChange?: () => void;
  /** It stays for a moment: it leads only what no other worker does, and the others give nothing up for it. */
  readonly isTemporary?: boolean;
}

/** Events per page without a throttle. */
const PAGE_SIZE = 4_000;
/** As estimated, which is more than they take: parts that rows share count for each of them. */
const BUILD_BYTES = 256 * 2 ** 20;
/** Folding is over by then: one for each of two processors. */
const CONCURRENT_INDEXING = 2;
/** Between two rounds, however urgent the next one is. */
const MIN_ROUND_MS = 10;

/**
 * Runs the projections that fall to this process, applies maintenance commands, and looks again and again for leases that became free
 * or should be another worker's.
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
  /** Callers wait for the projections of the one, and nobody for those of the other. */
  private readonly loops: { readonly prompt: LiveLoop; readonly lingering: LiveLoop };
  private readonly stopping = new AbortController();
  private readonly holders = new Map<string, LeaseHolder>();
  private readonly restarts: RestartThrottle;
  /** Projections with maintenance commands that may not be applied yet; at the start any. */
  private readonly unapplied: Set<string>;
  /** Aborts when the next round should start at once. */
  private wake = new AbortController();
  /** As many events as the furthest generation has passed. */
  private lengthOfLog = 0;
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
      // Where nobody waits, events that arrive together are read together as well.
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
      lengthOfLog: () => this.lengthOfLog,
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

  /** Finishes the current batches and releases the leases, so that another process goes on at once. */
  async stop(): Promise<void> {
    await this.registry.unregister().catch(this.options.onError);
    this.stopping.abort();
    await this.logHead.stop();
    await this.rounds;
    await Promise.all(Array.from(this.holders.values(), ({ done }) => done));
    this.notifyOthers();
  }

  /** Starts the next round at once. */
  look(): void {
    this.wake.abort();
  }

  /** Whether this process leads what callers wait for: other work that follows the log for each event should run beside it. */
  get isPrompt(): boolean {
    return this.registry.isPlanned && this.registry.has('prompt');
  }

  private notifyOthers(): void {
    this.options.onChange?.();
  }

  /** On a log that was replaced: a generation that is ahead of it finds that out when it starts. */
  private restart(): void {
    for (const holder of this.holders.values()) holder.stop();
    this.look();
  }

  private noticeMaintenanceCommands(events: readonly RecordedEvent[]): void {
    for (const { streamId } of events) {
      if (!streamId.startsWith(STREAM_PREFIX)) continue;
      const name = streamId.slice(STREAM_PREFIX.length);
      if (!this.byName.has(name)) continue;
      this.unapplied.add(name);
      this.look();
    }
  }

  private async runRounds(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.wake = new AbortController();
      try {
        await this.applyCommands();
        await this.takeWork();
      } catch (error) {
        this.options.onError(error);
      }
      await pause(MIN_ROUND_MS, signal);
      await pause(this.retryMs, AbortSignal.any([signal, this.wake.signal]));
    }
  }

  private async applyCommands(): Promise<void> {
    const { pool, store, onError } = this.options;
    for (const name of [...this.unapplied]) {
      const projection = this.byName.get(name);
      // Removed first: a command that arrives meanwhile adds it again.
      this.unapplied.delete(name);
      try {
        if (projection) await applyMaintenanceCommands(pool, store, projection);
      } catch (error) {
        // The commands of other projections, and their leases, do not wait for it.
        this.unapplied.add(name);
        onError(error, name);
        // It would be unavailable for the others too, and each would wait for its timeout.
        if (error instanceof EventStoreUnavailableError) return;
      }
    }
  }

  private async takeWork(): Promise<void> {
    const { pool, store } = this.options;
    const generations = await listGenerations(pool, [...this.byName.keys()]);
    this.lengthOfLog = Math.max(0, ...generations.map(({ ordinal }) => ordinal));
    await this.registry.plan(generations);
    await this.followOrRest();
    await this.reviewHolders(generations);
    await reportSwitches(pool, store, generations);
    for (const generation of generations) {
      const projection = this.byName.get(generation.name);
      if (!projection || !this.isFree(generation) || !isRunnable(generation, projection)) continue;
      if (!this.registry.isFor(generation)) continue;
      const lease = await this.leases.acquire(generation.name, generation.generation);
      if (lease) this.startHolder(projection, generation, lease);
    }
  }

  /** A worker that leads nothing does not read: otherwise each event would cost as many reads as there are workers. */
  private async followOrRest(): Promise<void> {
    const isNeeded = this.registry.has('prompt') || this.registry.has('lingering') || this.holders.size > 0;
    if (isNeeded === this.logHead.isFollowing) return;
    if (!isNeeded) return this.logHead.rest();
    // Maintenance commands may have passed meanwhile.
    for (const name of this.byName.keys()) this.unapplied.add(name);
    await this.logHead.start();
    this.look();
  }

  /** All that is being rebuilt shares a pass. Verifications read whole live tables at their end: one at a time. */
  private isFree(generation: Generation): boolean {
    const identity = identityOf(generation);
    if (!generation.isFree || this.holders.has(identity) || this.restarts.isDelayed(identity)) return false;
    return generation.status !== 'verifying' || ![...this.holders.values()].some((one) => one.isVerifying);
  }

  /** Stops holders whose generation was dropped, replaced, taken over or should be led elsewhere, and lets go those that were held. */
  private async reviewHolders(generations: readonly Generation[]): Promise<void> {
    const current = new Map(generations.map((generation) => [identityOf(generation), generation]));
    const lapsed = await this.lapsedLeases(current);
    const handedOver: LeaseHolder[] = [];
    for (const holder of this.holders.values()) {
      const row = current.get(holder.identity);
      if (row === undefined || lapsed.has(holder.lease) || !holder.isCurrent(row)) this.stopHolder(holder);
      else if (!this.registry.isFor(row)) handedOver.push(holder);
      else if (!row.hold) holder.release();
    }
    if (handedOver.length === 0) return;
    for (const holder of handedOver) this.stopHolder(holder);
    // Their next holder has the same plan, and acquires the leases as soon as they are free.
    void Promise.all(handedOver.map(({ done }) => done)).then(() => this.notifyOthers());
  }

  /** Own leases that ran out, even if nobody took them: after a quiet network nobody would lead until something is written. */
  private async lapsedLeases(current: ReadonlyMap<string, Generation>): Promise<ReadonlySet<Lease>> {
    const silent = [...this.holders.values()].filter(
      ({ identity }) => current.get(identity)?.isLed === false,
    );
    return silent.length === 0 ? new Set() : this.leases.lapsed(silent.map(({ lease }) => lease));
  }

  private stopHolder(holder: LeaseHolder): void {
    const { identity, projection } = holder;
    if (!holder.stop() || this.holders.get(identity) !== holder) return;
    this.holders.delete(identity);
    this.options.onError(new Error(`${identity} did not end and was given up`), projection.name);
  }

  private startHolder(projection: Projection, generation: Generation, lease: Lease): void {
    const options = {
      ...{ runner: this.runner, logHead: this.logHead, rewriting: this.rewriting },
      loop: projection.lingers === true ? this.loops.lingering : this.loops.prompt,
      stopping: this.stopping.signal,
      // The switch is to be reported, and the generation may fall to another worker from now on.
      onSwitched: () => this.look(),
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
      const isHopeless = this.restarts.recordFailure(identity, performance.now() - startedAt);
      hasLostLease = error instanceof LeaseLostError;
      if (!hasLostLease) {
        this.options.onError(error, projection.name);
        if (isHopeless) await this.registry.stepBack().catch(this.options.onError);
      }
    } finally {
      await this.leases
        .release(lease)
        .catch((error: unknown) => this.options.onError(error, projection.name));
    }
    if (this.holders.get(identity) === holder) this.holders.delete(identity);
    // The next rebuild may start, or this one again: a lost lease is how a switch or another leader looks from here.
    if (holder.isBuilding || hasLostLease) this.look();
  }
}

const STREAM_PREFIX = maintenanceStream('');

function isRunnable(
  { status, error, shapeHash: hash, verification }: Generation,
  projection: Projection,
): boolean {
  // A verification that stopped has a result to store.
  if (status === 'verifying') return verification !== null;
  return (status === 'live' || status === 'building') && error === null && hash === shapeHash(projection);
}
