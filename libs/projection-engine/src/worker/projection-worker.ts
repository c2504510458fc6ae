import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { actsStream } from '../generations/acts.js';
import { BackOff, pause } from '../pause.js';
import type { Projection } from '../projection.js';
import { BuildBudget } from './build-budget.js';
import { BuildPace } from './build-pace.js';
import { BuildPasses } from './build-passes.js';
import { LeaseLostError } from '../bookkeeping/checkpoint.js';
import { type AppliedBatch, GenerationRunner, type RunnerOptions } from './generation-runner.js';
import { type Generation, listGenerations, prepareProjections } from '../generations/generations.js';
import { type Lease, Leases } from '../bookkeeping/leases.js';
import { LeaseWatch } from '../bookkeeping/lease-watch.js';
import { settleActs } from '../generations/settle-acts.js';
import { SharedTail } from './shared-tail.js';
import { shapeHash } from '../storage/table-shape.js';
import type { SwitchRefusal } from '../generations/switch-generation.js';
import { tellOfSwitches } from '../generations/tell-of-switch.js';
import { LiveLoop } from './live-loop.js';
import { Turnstile } from './turnstile.js';
import { Verification } from './verification.js';

export interface ProjectionWorkerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** What went wrong and is being tried again, or stopped one projection. */
  readonly onError: (error: unknown, projection?: string) => void;
  /** Events that a live projection has just applied, one batch after the other; builds tell nothing. */
  readonly onApplied?: (batch: AppliedBatch) => void;
  /** Why no generation may take the place of another now: what is built then waits, and goes on following. */
  readonly refusal?: SwitchRefusal;
  /** Events a page of a build; otherwise as many as whatever else goes on allows. */
  readonly pageSize?: number;
  /** How much of what is built is kept in memory, in all. */
  readonly buildBytes?: number;
  /** Types of events after which those before them read otherwise: an erasure. A verification allows for them. */
  readonly rewriting?: readonly string[];
  /** How often the work that others hold is applied for. */
  readonly retryMs?: number;
}

/**
 * Runs every projection for which this process gets the lease, carries out what maintainers asked for, and applies again and again
 * for what others hold.
 */
export class ProjectionWorker {
  readonly #options: ProjectionWorkerOptions;
  readonly #byName: ReadonlyMap<string, Projection>;
  readonly #rewriting: ReadonlySet<string>;
  readonly #leases: Leases;
  readonly #tail: SharedTail;
  readonly #passes: BuildPasses;
  readonly #indexing = new Turnstile();
  /** Somebody waits for these, and nobody for the others, which are gathered for a moment. */
  readonly #awaited: LiveLoop;
  readonly #lingering: LiveLoop;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Run>();
  /** Runs that did not end as they should, and when they may begin again. */
  readonly #resting = new Map<string, Resting>();
  /** Projections of which an act may not have had its effect yet; at the start any. */
  readonly #unsettled: Set<string>;
  #hurry = new AbortController();
  /** As many events as the furthest one has passed. */
  #lengthOfLog = 0;
  #applying: Promise<void> | undefined;

  constructor(options: ProjectionWorkerOptions) {
    this.#options = options;
    this.#byName = new Map(options.projections.map((projection) => [projection.name, projection]));
    this.#rewriting = new Set(options.rewriting);
    this.#unsettled = new Set(this.#byName.keys());
    this.#leases = new Leases(options.pool, options.onError);
    const { pool, store, pageSize, buildBytes = BUILD_BYTES } = options;
    this.#passes = new BuildPasses({
      ...{ pool, store, pageSize: pageSize ?? PAGE_SIZE, budget: new BuildBudget(buildBytes) },
      ...(pageSize === undefined && { pace: new BuildPace(pool) }),
      lengthOfLog: () => this.#lengthOfLog,
    });
    this.#tail = new SharedTail({
      store: options.store,
      onError: options.onError,
      onEvents: (events) => this.#noticeActs(events),
      onReplaced: () => this.#beginAgain(),
    });
    const loopOf = (lingers: boolean): LiveLoop =>
      new LiveLoop({ pool: options.pool, tail: this.#tail, lingers });
    this.#awaited = loopOf(false);
    this.#lingering = loopOf(true);
  }

  async start(): Promise<void> {
    const { pool, store, projections } = this.#options;
    await prepareProjections(pool, store, projections);
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

  /** On a log that was replaced: whoever is ahead of it finds that out when it begins. */
  #beginAgain(): void {
    for (const { stop } of this.#running.values()) stop.abort();
    this.#hurry.abort();
  }

  #noticeActs(events: readonly RecordedEvent[]): void {
    for (const { streamId } of events) {
      if (!streamId.startsWith(ACTS)) continue;
      const name = streamId.slice(ACTS.length);
      if (!this.#byName.has(name)) continue;
      this.#unsettled.add(name);
      this.#hurry.abort();
    }
  }

  async #keepApplying(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#hurry = new AbortController();
      try {
        await this.#settle();
        await this.#apply();
      } catch (error) {
        this.#options.onError(error);
      }
      await pause(BREATH_MS, signal);
      await pause(this.#retryMs, AbortSignal.any([signal, this.#hurry.signal]));
    }
  }

  get #retryMs(): number {
    return this.#options.retryMs ?? 1000;
  }

  async #settle(): Promise<void> {
    for (const name of [...this.#unsettled]) {
      const projection = this.#byName.get(name);
      // Taken out before: an act that comes meanwhile puts it in again.
      this.#unsettled.delete(name);
      try {
        if (projection) await settleActs(this.#options.pool, this.#options.store, projection);
      } catch (error) {
        // The others' acts, and what there is to lead, do not wait for it.
        this.#unsettled.add(name);
        this.#options.onError(error, name);
      }
    }
  }

  async #apply(): Promise<void> {
    const { pool, store } = this.#options;
    const generations = await listGenerations(pool, [...this.#byName.keys()]);
    this.#lengthOfLog = Math.max(0, ...generations.map(({ ordinal }) => ordinal));
    await this.#direct(generations);
    await tellOfSwitches(pool, store, generations);
    for (const generation of generations) {
      const projection = this.#byName.get(generation.name);
      if (!projection || !this.#isFree(generation) || !isRunnable(generation, projection)) continue;
      const lease = await this.#leases.acquire(generation.name, generation.generation);
      if (lease) this.#start(projection, generation, lease);
    }
  }

  /** What is built goes along the log together. Verifications read all that serves at their end: one at a time. */
  #isFree(generation: Generation): boolean {
    const identity = identityOf(generation);
    if (this.#running.has(identity) || this.#isResting(identity)) return false;
    return generation.status !== 'verifying' || ![...this.#running.values()].some((run) => run.isVerifying);
  }

  #isResting(identity: string): boolean {
    return performance.now() < (this.#resting.get(identity)?.until ?? 0);
  }

  /** The first time it may begin again at once: a lease is lost by a switch, too. */
  #letRest(identity: string, lastedMs: number): void {
    const known = lastedMs < STEADY_MS ? this.#resting.get(identity) : undefined;
    const backOff = known?.backOff ?? new BackOff(this.#retryMs, LONGEST_REST_MS);
    this.#resting.set(identity, { backOff, until: known ? performance.now() + backOff.grow() : 0 });
  }

  /** A runner that waits for events would not notice that its generation was dropped, replaced, taken over or released. */
  async #direct(generations: readonly Generation[]): Promise<void> {
    const current = new Map(generations.map((generation) => [identityOf(generation), generation]));
    const lapsed = await this.#lapsed(current);
    for (const [identity, run] of this.#running) {
      const row = current.get(identity);
      if (row === undefined || lapsed.has(run.lease) || !run.watch.isInOffice(row)) this.#end(identity, run);
      else if (!row.hold) run.release.abort();
    }
  }

  /** Own leases that ran out, be it that nobody took them: after a quiet network nobody would lead until somebody writes. */
  async #lapsed(current: ReadonlyMap<string, Generation>): Promise<ReadonlySet<Lease>> {
    const silent = [...this.#running].filter(([identity]) => current.get(identity)?.isLed === false);
    return silent.length === 0 ? new Set() : this.#leases.lapsed(silent.map(([, { lease }]) => lease));
  }

  /** One that does not end when it is told to, as nobody answers it, is forgotten: without its lease it can write nothing. */
  #end(identity: string, run: Run): void {
    run.stop.abort();
    run.endsBy ??= performance.now() + ENDS_WITHIN_MS;
    if (performance.now() < run.endsBy || this.#running.get(identity) !== run) return;
    this.#running.delete(identity);
    this.#options.onError(new Error(`${identity} did not end and was given up`), run.lease.name);
  }

  #start(projection: Projection, generation: Generation, lease: Lease): void {
    const [stop, release] = [new AbortController(), new AbortController()];
    const signal = AbortSignal.any([this.#stopping.signal, stop.signal]);
    const run: Run = {
      lease,
      watch: new LeaseWatch(lease),
      stop,
      release,
      isBuilding: generation.status !== 'live',
      isVerifying: generation.status === 'verifying',
      hasLostLease: false,
      done: Promise.resolve(),
    };
    this.#running.set(identityOf(lease), run);
    run.done = this.#run(projection, generation, run, signal).finally(() => {
      if (this.#running.get(identityOf(lease)) === run) this.#running.delete(identityOf(lease));
      // The next build may begin, or this one anew. Not before: who looked while its lease was being given back found it at work.
      if (run.isBuilding || run.hasLostLease) this.#hurry.abort();
    });
  }

  async #run(projection: Projection, generation: Generation, run: Run, signal: AbortSignal): Promise<void> {
    const { lease } = run;
    const begunAt = performance.now();
    try {
      if (generation.status === 'verifying') await this.#verify(projection, generation, lease, signal);
      else await this.#lead(projection, run, signal);
    } catch (error) {
      this.#letRest(identityOf(lease), performance.now() - begunAt);
      // Losing a lease is how a switch or a change of leader looks from here: there may be something new to run at once.
      if (error instanceof LeaseLostError) run.hasLostLease = true;
      else this.#options.onError(error, projection.name);
    } finally {
      await this.#leases
        .release(lease)
        .catch((error: unknown) => this.#options.onError(error, projection.name));
    }
  }

  async #lead(projection: Projection, run: Run, signal: AbortSignal): Promise<void> {
    if (run.isBuilding) await this.#build(projection, run, signal);
    const runner = await GenerationRunner.load(this.#runnerOptions(), projection, run.lease);
    run.watch.follows(runner);
    await runner.build(signal);
    await runner.serve(projection.lingers === true ? this.#lingering : this.#awaited, this.#tail, signal);
  }

  async #build(projection: Projection, run: Run, signal: AbortSignal): Promise<void> {
    const runner = await GenerationRunner.load(this.#runnerOptions(), projection, run.lease);
    run.watch.follows(runner);
    await runner.build(signal);
    // Whether it takes over at once or waits for its switch.
    run.isBuilding = false;
    await runner.takeOver({ tail: this.#tail, released: run.release.signal }, signal);
    // It is to be told.
    this.#hurry.abort();
  }

  async #verify(
    projection: Projection,
    generation: Generation,
    lease: Lease,
    signal: AbortSignal,
  ): Promise<void> {
    const { pool, store } = this.#options;
    const load = (): Promise<GenerationRunner> =>
      GenerationRunner.load(this.#runnerOptions(), projection, lease);
    await new Verification(pool, store, projection, generation, lease.owner, this.#rewriting).run(
      load,
      signal,
    );
    this.#unsettled.add(projection.name);
  }

  #runnerOptions(): RunnerOptions {
    const { pool, store, onApplied, refusal, onError } = this.#options;
    return {
      ...{ pool, store, passes: this.#passes, indexing: this.#indexing },
      ...(onApplied && { onApplied }),
      ...(refusal && { refusal, onRefusal: onError }),
    };
  }
}

/** How the names of streams of acts begin. */
const ACTS = actsStream('');

/** Events a page where nothing else goes before. */
const PAGE_SIZE = 4_000;
/** As it is reckoned, which is more than it takes: parts that rows share count for each of them. */
const BUILD_BYTES = 256 * 2 ** 20;

/** Between two rounds, however much hurry there is. */
const BREATH_MS = 10;
const LONGEST_REST_MS = 2_000;
/** After it, one that was told to end is given up. */
const ENDS_WITHIN_MS = 15_000;
/** A run that lasted so long is no attempt any more. */
const STEADY_MS = 10_000;

interface Resting {
  readonly backOff: BackOff;
  /** By this process's clock that never steps. */
  readonly until: number;
}

interface Run {
  readonly lease: Lease;
  readonly watch: LeaseWatch;
  readonly stop: AbortController;
  readonly release: AbortController;
  /** Behind the log, and so at work. */
  isBuilding: boolean;
  readonly isVerifying: boolean;
  hasLostLease: boolean;
  /** By this process's clock that never steps; once it was told to end. */
  endsBy?: number;
  done: Promise<void>;
}

function identityOf({ name, generation }: Pick<Lease, 'name' | 'generation'>): string {
  return `${name}:${generation}`;
}

function isRunnable(
  { status, error, shapeHash: hash, verification }: Generation,
  projection: Projection,
): boolean {
  // A verification that stopped has a result to write.
  if (status === 'verifying') return verification !== null;
  return (status === 'live' || status === 'building') && error === null && hash === shapeHash(projection);
}
