import type { RecordedEvent } from '@nimo/event-store';
import type { BatchOptions, BatchWriter, PreparedBatch } from './batch-writer.js';
import type { Checkpoint } from './checkpoint.js';

export interface BatchPipelineOptions {
  readonly options: BatchOptions;
  readonly onCommit: (checkpoint: Checkpoint) => void;
  /** Applies by itself what failed here, from where the last commit left off, or throws. */
  readonly onFailure: (events: readonly RecordedEvent[]) => Promise<Checkpoint>;
}

/** Folds a batch while the one before it is being written. */
export class BatchPipeline {
  readonly #writer: BatchWriter;
  readonly #given: BatchPipelineOptions;
  /** Where the next batch starts, be it that what is under way arrives. */
  #from: Checkpoint;
  #flight: { readonly events: readonly RecordedEvent[]; readonly landed: Promise<void> } | undefined;

  constructor(writer: BatchWriter, from: Checkpoint, given: BatchPipelineOptions) {
    this.#writer = writer;
    this.#from = from;
    this.#given = given;
    writer.startCaching(from);
  }

  async push(events: readonly RecordedEvent[]): Promise<void> {
    const prepared = await this.#prepare(events);
    const isOnCourse = await this.#land();
    if (prepared === undefined || !isOnCourse) {
      this.#from = await this.#given.onFailure(events);
      // Without a cache the next batch would be folded upon rows that this one's successor has not written yet.
      this.#writer.startCaching(this.#from);
      return;
    }
    const landed = this.#writer.commit(prepared).then(() => this.#given.onCommit(prepared.to));
    // Awaited when it lands; a failure before that must not count as unhandled.
    landed.catch(() => undefined);
    this.#flight = { events, landed };
    this.#from = prepared.to;
  }

  async end(): Promise<void> {
    await this.#land();
    this.#writer.stopCaching();
  }

  /** Undefined where it fails: applied by itself, it will fail again and be dealt with. */
  async #prepare(events: readonly RecordedEvent[]): Promise<PreparedBatch | undefined> {
    try {
      return await this.#writer.prepare(this.#from, events, this.#given.options);
    } catch {
      return undefined;
    }
  }

  /** @returns false where the batch under way had to be applied anew, and what was folded upon it is void */
  async #land(): Promise<boolean> {
    const flight = this.#flight;
    this.#flight = undefined;
    if (flight === undefined) return true;
    try {
      await flight.landed;
      return true;
    } catch {
      this.#from = await this.#given.onFailure(flight.events);
      return false;
    }
  }
}
