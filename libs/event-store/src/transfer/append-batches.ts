import type { StoredEvent } from '../chain/event-chain.js';
import type { Append, EventStore, NewEvent } from '../port.js';
import { LogDiffersError } from './log-file.js';

/** What one call may hold so that the store keeps its order: see AppendQueue, and the limits of an append. */
const MAX_STREAMS = 64;
const MAX_BYTES = 750_000;
const MAX_EVENTS = 1_000;

interface Run {
  readonly streamId: string;
  readonly firstRevision: number;
  readonly events: NewEvent[];
}

/** Brings events into a log in exactly the order given. */
export class AppendBatches {
  readonly #log: EventStore;
  readonly #isOrdered: boolean;
  #runs = new Map<string, Run>();
  #lastStream: string | undefined;
  #bytes = 0;
  #events = 0;
  #written: Promise<void> = Promise.resolve();

  /** @param isOrdered whether the store keeps the order of appends to several streams that are made in one call */
  constructor(log: EventStore, isOrdered: boolean) {
    this.#log = log;
    this.#isOrdered = isOrdered;
  }

  async push({ streamId, revision, id, type, data, metadata }: StoredEvent, bytes: number): Promise<void> {
    const run = this.#runs.get(streamId);
    const continues = run !== undefined && this.#lastStream === streamId;
    const isFull = this.#bytes + bytes > MAX_BYTES || this.#events >= MAX_EVENTS;
    // A stream that comes back later would be put off or put forward, so what is there goes first.
    if (isFull || (run && !continues) || (!run && this.#runs.size >= this.#mostStreams())) await this.flush();
    const open = this.#runs.get(streamId) ?? { streamId, firstRevision: revision, events: [] };
    this.#runs.set(streamId, open);
    open.events.push({ id, type, data, metadata });
    this.#lastStream = streamId;
    this.#bytes += bytes;
    this.#events += 1;
  }

  /** Starts writing what is there, after what was started before. */
  async flush(): Promise<void> {
    const appends = [...this.#runs.values()].map(appendOf);
    this.#runs = new Map();
    this.#bytes = 0;
    this.#events = 0;
    await this.#written;
    if (appends.length > 0) {
      this.#written = this.#write(appends);
      // Awaited by the next flush; a failure before that must not count as unhandled.
      this.#written.catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await this.flush();
    await this.#written;
  }

  #mostStreams(): number {
    return this.#isOrdered ? MAX_STREAMS : 1;
  }

  async #write(appends: readonly Append[]): Promise<void> {
    const outcomes = await this.#log.append(appends);
    const index = outcomes.findIndex(({ kind }) => kind === 'conflict');
    if (index < 0) return;
    throw new LogDiffersError(
      `${appends[index]?.streamId} is not at the revision that is expected: somebody else writes to this log. Run it again to see what differs.`,
    );
  }
}

function appendOf({ streamId, firstRevision, events }: Run): Append {
  return { streamId, expectedRevision: firstRevision === 0 ? 'no-stream' : firstRevision - 1, events };
}
