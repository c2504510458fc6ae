export interface WaitOptions {
  /** The version seen before looking for work. Resolves immediately if it has changed since. */
  readonly since: number;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Wakes waiting consumers. The version closes the race between looking for work and waiting. */
export class WakeSignal {
  private currentVersion = 0;
  private readonly waiting = new Set<() => void>();

  get version(): number {
    return this.currentVersion;
  }

  wake(): void {
    this.currentVersion++;
    for (const resume of [...this.waiting]) resume();
  }

  /** Resolves on the next wake, on timeout or when the signal aborts. */
  wait({ since, signal, timeoutMs }: WaitOptions): Promise<void> {
    if (signal.aborted || since !== this.currentVersion) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', resume);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(resume, timeoutMs);
      signal.addEventListener('abort', resume);
      this.waiting.add(resume);
    });
  }
}
