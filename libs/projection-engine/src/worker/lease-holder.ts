import { identityOf, type Lease } from '../bookkeeping/leases.js';
import type { Generation } from '../generations/generations.js';
import type { Projection } from '../projection.js';
import { GenerationRunner, type RunnerOptions } from './generation-runner.js';
import type { LiveLoop } from './live-loop.js';
import type { LogHead } from './log-head.js';
import { Verification } from './verification.js';

/** After it, a holder that was stopped is given up. */
const STOPS_WITHIN_MS = 15_000;

export interface LeaseHolderOptions {
  readonly runner: RunnerOptions;
  readonly logHead: LogHead;
  /** Where it follows the log once it is live. */
  readonly loop: LiveLoop;
  /** See `ProjectionWorkerOptions`. */
  readonly rewriting: ReadonlySet<string>;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  readonly onSwitched: () => void;
}

/** One generation while this process holds its lease. */
export class LeaseHolder {
  readonly lease: Lease;
  readonly projection: Projection;
  /** Set by the worker, which waits for it. */
  done: Promise<void> = Promise.resolve();
  private readonly options: LeaseHolderOptions;
  private readonly generation: Generation;
  private readonly stopController = new AbortController();
  private readonly releaseController = new AbortController();
  /** By this process's clock that never steps. */
  private stopsBy: number | undefined;
  private runner: GenerationRunner | undefined;
  private isStillBuilding: boolean;
  private mismatch: string | undefined;

  constructor(options: LeaseHolderOptions, projection: Projection, generation: Generation, lease: Lease) {
    this.options = options;
    this.projection = projection;
    this.generation = generation;
    this.lease = lease;
    this.isStillBuilding = generation.status !== 'live';
  }

  get identity(): string {
    return identityOf(this.lease);
  }

  get isVerifying(): boolean {
    return this.generation.status === 'verifying';
  }

  /** Behind the log, and so at work. */
  get isBuilding(): boolean {
    return this.isStillBuilding;
  }

  /** Until it is stopped, or its verification is done. @throws LeaseLostError after a switch, too */
  async run(): Promise<void> {
    const { stopping, loop, logHead } = this.options;
    const signal = AbortSignal.any([stopping, this.stopController.signal]);
    if (this.isVerifying) return this.verify(signal);
    if (this.isStillBuilding) await this.build(signal);
    const runner = await this.load();
    await runner.catchUpAndIndex(signal);
    await runner.followLive(loop, logHead, signal);
  }

  /** @returns whether it should be given up, as it was stopped long ago and somebody does not answer it: without its lease it can write nothing */
  stop(): boolean {
    this.stopController.abort();
    this.stopsBy ??= performance.now() + STOPS_WITHIN_MS;
    return performance.now() >= this.stopsBy;
  }

  /** Lets a generation that was held take the live one's place. */
  release(): void {
    this.releaseController.abort();
  }

  /**
   * False where another holds the lease, or where the stored checkpoint is another: a crash took back what was committed without the
   * disk, and what is followed from memory leaves that out. One that waits for events would not notice.
   */
  isCurrent({ owner, epoch, position }: Generation): boolean {
    if (owner !== this.lease.owner || epoch !== this.lease.epoch) return false;
    const own = this.runner?.checkpoint.position;
    // Between a commit and its answer they differ for a moment: only what stays so in two looks is wrong.
    const mismatch = own === undefined || own === position ? undefined : `${String(own)} ${String(position)}`;
    const isStale = mismatch !== undefined && mismatch === this.mismatch;
    this.mismatch = mismatch;
    return !isStale;
  }

  private async build(signal: AbortSignal): Promise<void> {
    const { logHead, onSwitched } = this.options;
    const runner = await this.load();
    await runner.catchUpAndIndex(signal);
    this.isStillBuilding = false;
    await runner.switchWhenReady({ logHead, released: this.releaseController.signal }, signal);
    onSwitched();
  }

  private async verify(signal: AbortSignal): Promise<void> {
    const { runner, rewriting } = this.options;
    const { pool, store } = runner;
    await new Verification(pool, store, this.projection, this.generation, this.lease.owner, rewriting).run(
      () => GenerationRunner.load(runner, this.projection, this.lease),
      signal,
    );
  }

  private async load(): Promise<GenerationRunner> {
    const runner = await GenerationRunner.load(this.options.runner, this.projection, this.lease);
    this.runner = runner;
    this.mismatch = undefined;
    return runner;
  }
}
