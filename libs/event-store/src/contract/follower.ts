import type { EventStore, Position, RecordedEvent } from '../port.js';
import { WakeSignal } from '../wake-signal.js';

/** Generous, so that a slow machine does not fail a test. */
const TIMEOUT_MS = 200_000;

/** Subscribes until stopped, and records the events it receives. */
export class Follower {
  readonly seen: RecordedEvent[] = [];
  private readonly stopping = new AbortController();
  private readonly changed = new WakeSignal();
  private readonly done: Promise<void>;
  private error: Error | undefined;

  constructor(store: EventStore, after: Position | undefined, batchSize: number) {
    this.done = this.follow(store, after, batchSize).catch((error: unknown) => {
      this.error = error instanceof Error ? error : new Error(String(error));
      this.changed.wake();
    });
  }

  /** Waits for the event at this position or a later one. */
  async reach(position: Position): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    while ((this.seen.at(-1)?.position ?? '') < position) {
      if (this.error !== undefined) throw this.error;
      if (signal.aborted) throw new Error(`the subscriber never reached ${position}`);
      await this.changed.wait({ since: this.changed.version, signal });
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.done;
    if (this.error !== undefined) throw this.error;
  }

  private async follow(store: EventStore, after: Position | undefined, batchSize: number): Promise<void> {
    const { signal } = this.stopping;
    for await (const batch of store.subscribe({ signal, batchSize, ...(after !== undefined && { after }) })) {
      if (batch.length === 0 || batch.length > batchSize) throw new Error(`a batch of ${batch.length}`);
      this.seen.push(...batch);
      this.changed.wake();
    }
  }
}
