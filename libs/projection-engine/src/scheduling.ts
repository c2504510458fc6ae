import { setImmediate } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
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

/** Exponential back-off between attempts, until one succeeds. */
export class BackOff {
  private readonly first: number;
  private readonly longest: number;
  private next: number;

  constructor(firstMs: number, longestMs: number) {
    this.first = this.next = firstMs;
    this.longest = longestMs;
  }

  async rest(signal: AbortSignal): Promise<void> {
    await pause(this.grow(), signal);
  }

  /** The next delay, for callers that do not wait in place. */
  grow(): number {
    const rest = this.next;
    this.next = Math.min(2 * rest, this.longest);
    return rest;
  }

  reset(): void {
    this.next = this.first;
  }
}

/** A task in a shared loop, until it leaves. */
export interface Member<Task, Outcome> {
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly leave: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** Rounds for tasks that go along the log together, for as long as there are any. A task that leaves or fails does not hold up the others. */
export abstract class SharedLoop<Task, Outcome> {
  protected readonly members = new Set<Member<Task, Outcome>>();
  private changed = new AbortController();
  private isRunning = false;

  /** @param changed aborts when a task joins, or the signal of one aborts */
  protected abstract round(changed: AbortSignal): Promise<void>;

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  /** Until it leaves, never in the middle of a round. @throws what concerns this task: a lost lease, a lost connection */
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
            // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passed on as it came
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
/** A run that lasted this long starts with a clean record. */
const STEADY_MS = 10_000;

/** Delays the restart of runs that fail again and again. */
export class RestartThrottle {
  private readonly firstMs: number;
  /** Until: by this process's clock that never steps. */
  private readonly failures = new Map<string, { readonly backOff: BackOff; readonly until: number }>();

  constructor(firstMs: number) {
    this.firstMs = firstMs;
  }

  isDelayed(run: string): boolean {
    return performance.now() < (this.failures.get(run)?.until ?? 0);
  }

  /**
   * The first restart is not delayed: a lease is lost by a switch, too.
   * @returns whether it has failed so often in a row that another process should try
   */
  recordFailure(run: string, lastedMs: number): boolean {
    const known = lastedMs < STEADY_MS ? this.failures.get(run) : undefined;
    const backOff = known?.backOff ?? new BackOff(this.firstMs, MAX_RESTART_DELAY_MS);
    const delayMs = known ? backOff.grow() : 0;
    this.failures.set(run, { backOff, until: performance.now() + delayMs });
    return delayMs >= MAX_RESTART_DELAY_MS;
  }
}

const SLICE_MS = 5;

/** The time for which long work holds the event loop before requests get their share. */
export class TimeSlice {
  private startedAt = performance.now();
  private yielding: Promise<void> | undefined;

  get isOver(): boolean {
    return performance.now() - this.startedAt > SLICE_MS;
  }

  /** Lets the event loop run. Work that shares a slice yields together, and then shares the next. */
  async yield(): Promise<void> {
    this.yielding ??= setImmediate().then(() => {
      this.startedAt = performance.now();
      this.yielding = undefined;
    });
    await this.yielding;
  }
}
