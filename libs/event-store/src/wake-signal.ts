export interface WaitOptions {
  /** The version seen before looking for work: what happened since is not waited for. */
  readonly since: number;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Wakes those who wait for something new. Counting the wakes closes the gap between looking and waiting. */
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

  /** Resolves at the next wake, when the time is over or when the signal aborts, whichever is first. */
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
