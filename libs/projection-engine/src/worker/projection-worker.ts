import { EventStoreUnavailableError, type RecordedEvent, type EventStore } from '@nimo/event-store';
import { actsStream } from '../maintenance/maintenance-commands.js';
import { pause, Rests } from '../scheduling.js';
import type { Projection } from '../projection.js';
import { BuildBudget, BuildPace } from '../rebuild/rebuild-throttle.js';
import { BuildPasses } from '../rebuild/rebuild-pass.js';
import { LeaseLostError, type Lease, Leases } from '../bookkeeping/leases.js';
import { Crew } from './worker-registry.js';
import { GenerationRunner, type RunnerOptions, type AppliedBatch } from './generation-runner.js';
import { type Generation, listGenerations, prepareProjections } from '../generations/generations.js';
import { LeaseWatch } from './lease-holder.js';
import { applyMaintenanceCommands, tellOfSwitches } from '../maintenance/apply-maintenance-commands.js';
import { SharedTail } from './log-tail.js';
import { shapeHash } from '../storage/table-shape.js';
import { MIN_MS, LiveLoop } from './live-loop.js';
import { Turnstile } from './turnstile.js';
import { Verification } from './verification.js';
import type { Pool } from 'pg';
import type { SwitchRefusal } from '../generations/switch-generation.js';

/**
 * Runs the projections that are this process's among all that work, carries out what maintainers asked for, and looks again and again
 * for what became free, or another's (decision 161).
 */
export class ProjectionWorker {
  readonly #options: ProjectionWorkerOptions;
  readonly #byName: ReadonlyMap<string, Projection>;
  readonly #rewriting: ReadonlySet<string>;
  readonly #crew: Crew;
  readonly #leases: Leases;
  readonly #tail: SharedTail;
  readonly #passes: BuildPasses;
  readonly #indexing = new Turnstile(INDEXING_AT_ONCE);
  /** Somebody waits for these, and nobody for the others, which are gathered for a moment. */
  readonly #awaited: LiveLoop;
  readonly #lingering: LiveLoop;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Run>();
  readonly #rests: Rests;
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
    const { pool, store, onError, pageSize, buildBytes = BUILD_BYTES } = options;
    this.#crew = new Crew({
      pool,
      projections: this.#byName,
      onError,
      isPassing: options.isPassing ?? false,
    });
    this.#leases = new Leases(pool, onError, this.#crew.name);
    this.#rests = new Rests(this.#retryMs);
    this.#passes = new BuildPasses({
      ...{ pool, store, pageSize: pageSize ?? PAGE_SIZE, budget: new BuildBudget(buildBytes) },
      ...(pageSize === undefined && { pace: new BuildPace(pool) }),
      lengthOfLog: () => this.#lengthOfLog,
    });
    this.#tail = new SharedTail({
      ...{ store, onError },
      // Where nobody waits, what is gathered is read together as well.
      gatherMs: () => (this.#awaited.isEmpty ? MIN_MS : 0),
      onEvents: (events) => this.#noticeMaintenanceCommands(events),
      onReplaced: () => this.#beginAgain(),
    });
    const loopOf = (lingers: boolean): LiveLoop => new LiveLoop({ pool, tail: this.#tail, lingers });
    this.#awaited = loopOf(false);
    this.#lingering = loopOf(true);
  }

  async start(): Promise<void> {
    const { pool, store, projections } = this.#options;
    await prepareProjections(pool, store, projections);
    await this.#tail.start();
    await this.#crew.join();
    this.#tellOthers();
    this.#applying = this.#keepApplying();
  }

  /** Finishes the batches at hand and gives the leases back, so that another process goes on at once. */
  async stop(): Promise<void> {
    await this.#crew.leave().catch(this.#options.onError);
    this.#stopping.abort();
    await this.#tail.stop();
    await this.#applying;
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
    this.#tellOthers();
  }

  /** Looks at once for what became free, or another's. */
  look(): void {
    this.#hurry.abort();
  }

  /** Whether what callers wait for is led here: whatever else follows the log for each event should do it beside that, and read with it. */
  get isPrompt(): boolean {
    return this.#crew.isPlanned && this.#crew.has('prompt');
  }

  #tellOthers(): void {
    this.#options.onChange?.();
  }

  /** On a log that was replaced: whoever is ahead of it finds that out when it begins. */
  #beginAgain(): void {
    for (const { stop } of this.#running.values()) stop.abort();
    this.#hurry.abort();
  }

  #noticeMaintenanceCommands(events: readonly RecordedEvent[]): void {
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
        if (projection) await applyMaintenanceCommands(this.#options.pool, this.#options.store, projection);
      } catch (error) {
        // The others' acts, and what there is to lead, do not wait for it.
        this.#unsettled.add(name);
        this.#options.onError(error, name);
        // It would be away for all the others too, and each would wait for it to say so.
        if (error instanceof EventStoreUnavailableError) return;
      }
    }
  }

  async #apply(): Promise<void> {
    const { pool, store } = this.#options;
    const generations = await listGenerations(pool, [...this.#byName.keys()]);
    this.#lengthOfLog = Math.max(0, ...generations.map(({ ordinal }) => ordinal));
    await this.#crew.plan(generations);
    await this.#followOrRest();
    await this.#direct(generations);
    await tellOfSwitches(pool, store, generations);
    for (const generation of generations) {
      const projection = this.#byName.get(generation.name);
      if (!projection || !this.#isFree(generation) || !isRunnable(generation, projection)) continue;
      if (!this.#crew.isFor(generation)) continue;
      const lease = await this.#leases.acquire(generation.name, generation.generation);
      if (lease) this.#start(projection, generation, lease);
    }
  }

  /** Whoever has nothing to lead does not read: otherwise each event would cost as many reads as there are workers. */
  async #followOrRest(): Promise<void> {
    const isNeeded = this.#crew.has('prompt') || this.#crew.has('lingering') || this.#running.size > 0;
    if (isNeeded === this.#tail.isFollowing) return;
    if (!isNeeded) return this.#tail.rest();
    // Acts may have passed meanwhile.
    for (const name of this.#byName.keys()) this.#unsettled.add(name);
    await this.#tail.start();
    this.#hurry.abort();
  }

  /** What is built goes along the log together. Verifications read all that serves at their end: one at a time. */
  #isFree(generation: Generation): boolean {
    const identity = identityOf(generation);
    if (!generation.isFree || this.#running.has(identity) || this.#rests.has(identity)) return false;
    return generation.status !== 'verifying' || ![...this.#running.values()].some((run) => run.isVerifying);
  }

  /** A runner that waits for events would not notice that its generation was dropped, replaced, taken over, released or is another's now. */
  async #direct(generations: readonly Generation[]): Promise<void> {
    const current = new Map(generations.map((generation) => [identityOf(generation), generation]));
    const lapsed = await this.#lapsed(current);
    const given: Run[] = [];
    for (const [identity, run] of this.#running) {
      const row = current.get(identity);
      if (row === undefined || lapsed.has(run.lease) || !run.watch.isInOffice(row)) this.#end(identity, run);
      else if (!this.#crew.isFor(row)) given.push(run);
      else if (!row.hold) run.release.abort();
    }
    this.#giveAway(given);
  }

  /** After the tick at hand. Its successor has the same plan, and takes it as soon as it is free. */
  #giveAway(given: readonly Run[]): void {
    if (given.length === 0) return;
    for (const run of given) this.#end(identityOf(run.lease), run);
    void Promise.all(given.map(({ done }) => done)).then(() => this.#tellOthers());
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
      const isHopeless = this.#rests.add(identityOf(lease), performance.now() - begunAt);
      // Losing a lease is how a switch or a change of leader looks from here: there may be something new to run at once.
      if (error instanceof LeaseLostError) run.hasLostLease = true;
      else {
        this.#options.onError(error, projection.name);
        if (isHopeless) await this.#crew.stepBack().catch(this.#options.onError);
      }
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
    // It is to be told, and may be another's from now on.
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

/** As the folds have ended by then, a processor each. */
const INDEXING_AT_ONCE = 2;

/** Between two rounds, however much hurry there is. */
const BREATH_MS = 10;
/** After it, one that was told to end is given up. */
const ENDS_WITHIN_MS = 15_000;

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
  /** Something is free, or to be given away: the others should look (see `look`), which they do by themselves every `retryMs`. */
  readonly onChange?: () => void;
  /** It stays for a moment: it takes what nobody leads where no other worker is, and nobody makes room for it. */
  readonly isPassing?: boolean;
}
