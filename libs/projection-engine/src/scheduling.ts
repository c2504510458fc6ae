import { setImmediate } from 'node:timers/promises';

/** Resolves after a delay, or as soon as the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** Exponential backoff: each delay doubles the last, up to a maximum. */
export class BackOff {
  private readonly first: number;
  private readonly max: number;
  private next: number;

  constructor(firstMs: number, maxMs: number) {
    this.first = this.next = firstMs;
    this.max = maxMs;
  }

  async wait(signal: AbortSignal): Promise<void> {
    await pause(this.nextDelay(), signal);
  }

  /** @returns milliseconds */
  nextDelay(): number {
    const delay = this.next;
    this.next = Math.min(2 * delay, this.max);
    return delay;
  }

  reset(): void {
    this.next = this.first;
  }
}

/** A task in a shared loop. */
export interface Member<Task, Outcome> {
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly leave: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** Runs rounds for all tasks that follow the log together. A task that leaves or fails does not delay the others. */
export abstract class SharedLoop<Task, Outcome> {
  protected readonly members = new Set<Member<Task, Outcome>>();
  private changed = new AbortController();
  private isRunning = false;

  /** @param changed aborts when a task joins or a task's signal aborts */
  protected abstract round(changed: AbortSignal): Promise<void>;

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  /** Resolves once the task leaves, always between rounds. @throws errors of this task, such as a lost lease or connection */
  protected async join(task: Task, signal: AbortSignal): Promise<Outcome> {
    const change = (): void => this.changed.abort();
    signal.addEventListener('abort', change, { once: true });
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const member: Member<Task, Outcome> = {
          ...{ task, signal },
          leave: (outcome) => {
            this.members.delete(member);
            resolve(outcome);
          },
          fail: (error) => {
            this.members.delete(member);
            // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passed on unchanged
            reject(error);
          },
        };
        this.members.add(member);
        change();
        if (!this.isRunning) void this.runShared();
      });
    } finally {
      signal.removeEventListener('abort', change);
    }
  }

  private async runShared(): Promise<void> {
    this.isRunning = true;
    while (!this.isEmpty) {
      this.changed = new AbortController();
      try {
        await this.round(this.changed.signal);
      } catch (error) {
        for (const member of this.members) member.fail(error);
      }
    }
    this.isRunning = false;
  }
}

const MAX_RESTART_DELAY_MS = 2_000;
/** Earlier failures no longer count after a run of this length. */
const STABLE_AFTER_MS = 10_000;

/** Delays the restart of runs that keep failing. */
export class RestartThrottle {
  private readonly firstMs: number;
  /** `until` is by `performance.now()`. */
  private readonly failures = new Map<string, { readonly backOff: BackOff; readonly until: number }>();

  constructor(firstMs: number) {
    this.firstMs = firstMs;
  }

  isDelayed(run: string): boolean {
    return performance.now() < (this.failures.get(run)?.until ?? 0);
  }

  /**
   * The first restart is not delayed, because a switch ends a lease as well.
   * @returns whether the run has failed so often in a row that another process should try
   */
  recordFailure(run: string, lastedMs: number): boolean {
    const known = lastedMs < STABLE_AFTER_MS ? this.failures.get(run) : undefined;
    const backOff = known?.backOff ?? new BackOff(this.firstMs, MAX_RESTART_DELAY_MS);
    const delayMs = known ? backOff.nextDelay() : 0;
    this.failures.set(run, { backOff, until: performance.now() + delayMs });
    return delayMs >= MAX_RESTART_DELAY_MS;
  }
}

const SLICE_MS = 5;

/** Limits how long work holds the event loop before other tasks get a turn. */
export class TimeSlice {
  private startedAt = performance.now();
  private yielding: Promise<void> | undefined;

  get isOver(): boolean {
    return performance.now() - this.startedAt > SLICE_MS;
  }

  /** Lets the event loop run. Tasks that share a slice yield together and share the next one. */
  async yield(): Promise<void> {
    this.yielding ??= setImmediate().then(() => {
      this.startedAt = performance.now();
      this.yielding = undefined;
    });
    await this.yielding;
  }
}
