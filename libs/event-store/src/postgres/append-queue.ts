import type { AppendOutcome } from '../port.js';
import type { PreparedAppend } from '../prepare-append.js';

const MAX_GROUP_APPENDS = 64;
const MAX_GROUP_BYTES = 4_000_000;

interface Waiting {
  readonly append: PreparedAppend;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export type AppendGroup = (appends: readonly PreparedAppend[]) => Promise<AppendOutcome[]>;

/**
 * Group commit: what arrives while a group is being written shares the next one, so that one lock and one fsync carry many appends.
 * Within a group streams and event ids are distinct; a second append to a stream waits for the next group.
 */
export class AppendQueue {
  readonly #appendGroup: AppendGroup;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(appendGroup: AppendGroup) {
    this.#appendGroup = appendGroup;
  }

  async push(appends: readonly PreparedAppend[]): Promise<AppendOutcome[]> {
    const outcomes = appends.map(
      (append) =>
        new Promise<AppendOutcome>((resolve, reject) => {
          this.#waiting.push({ append, resolve, reject });
        }),
    );
    this.#draining ??= this.#drain();
    return Promise.all(outcomes);
  }

  /** Resolves when nothing is in flight any more. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Appends made in the same turn of the event loop belong together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        const outcomes = await this.#appendGroup(group.map(({ append }) => append));
        group.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome === undefined) reject(new Error('the log answered fewer outcomes than appends'));
          else resolve(outcome);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#draining = undefined;
  }

  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    const streams = new Set<string>();
    const ids = new Set<string>();
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const { streamId, events, bytes: size } = waiting.append;
      const isFull =
        group.length > 0 && (group.length === MAX_GROUP_APPENDS || bytes + size > MAX_GROUP_BYTES);
      // A stream once put off stays put off: its appends keep their order.
      if (isFull || streams.has(streamId) || events.some(({ id }) => ids.has(id))) later.push(waiting);
      else {
        group.push(waiting);
        bytes += size;
        for (const { id } of events) ids.add(id);
      }
      streams.add(streamId);
    }
    this.#waiting = later;
    return group;
  }
}
