import { identityOf, type Lease } from '../bookkeeping/leases.js';
import type { Generation } from '../generations/generations.js';
import type { Projection } from '../projection.js';
import { GenerationRunner, type RunnerOptions } from './generation-runner.js';
import type { LiveLoop } from './live-loop.js';
import type { LogHead } from './log-head.js';
import { Verification } from './verification.js';

/** A stopped holder is abandoned after this time. */
const STOP_TIMEOUT_MS = 15_000;

export interface LeaseHolderOptions {
  readonly runner: RunnerOptions;
  readonly logHead: LogHead;
  /** The loop that it joins once live. */
  readonly loop: LiveLoop;
  /** See `ProjectionWorkerOptions`. */
  readonly rewriting: ReadonlySet<string>;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  readonly onSwitched: () => void;
}

/** Runs one generation while this process holds its lease. */
export class LeaseHolder {
  readonly lease: Lease;
  readonly projection: Projection;
  /** Set and awaited by the worker. */
  done: Promise<void> = Promise.resolve();
  private readonly options: LeaseHolderOptions;
  private readonly generation: Generation;
  private readonly stopController = new AbortController();
  private readonly switchController = new AbortController();
  /** By `performance.now()`. */
  private stopDeadline: number | undefined;
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

  get isBuilding(): boolean {
    return this.isStillBuilding;
  }

  /** Runs until it is stopped or its verification is done. @throws LeaseLostError also after a switch */
  async run(): Promise<void> {
    const { stopping, loop, logHead } = this.options;
    const signal = AbortSignal.any([stopping, this.stopController.signal]);
    if (this.isVerifying) return this.verify(signal);
    if (this.isStillBuilding) await this.build(signal);
    const runner = await this.load();
    await runner.catchUpAndIndex(signal);
    await runner.followLive(loop, logHead, signal);
  }

  /** @returns whether it was stopped long ago and should be abandoned; without its lease it cannot write */
  stop(): boolean {
    this.stopController.abort();
    this.stopDeadline ??= performance.now() + STOP_TIMEOUT_MS;
    return performance.now() >= this.stopDeadline;
  }

  /** Lets a held generation switch. */
  allowSwitch(): void {
    this.switchController.abort();
  }

  /**
   * False if another process holds the lease, or if a crash of the server has undone commits, so that the stored checkpoint differs from
   * the one in memory. An idle generation would not notice otherwise.
   */
  isCurrent({ owner, epoch, position }: Generation): boolean {
    if (owner !== this.lease.owner || epoch !== this.lease.epoch) return false;
    const own = this.runner?.checkpoint.position;
    // They differ briefly between a commit and its answer, so only a repeated mismatch counts.
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
    await runner.switchWhenReady({ logHead, switchAllowed: this.switchController.signal }, signal);
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
