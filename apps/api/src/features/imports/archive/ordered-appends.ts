import type { Append, EventStore, NewEvent } from '@nimo/event-store';
import { ImportError } from '../import-error.js';

/** What one call may hold so that a store keeps its order. */
const MOST_APPENDS = 64;
const MOST_BYTES = 750_000;

/**
 * Brings events into the log in the order given, each behind those before it in its stream. Ids and revisions are the same however often
 * it runs, so what an earlier run wrote is found written.
 */
export class OrderedAppends {
  private readonly revisions = new Map<string, number>();
  private waiting: Append[] = [];
  private readonly streams = new Set<string>();
  private bytes = 0;

  /** @param isQueued the log keeps the order of what is handed over in one call */
  constructor(
    private readonly store: EventStore,
    private readonly isQueued: boolean,
  ) {}

  async push(streamId: string, event: NewEvent, bytes: number): Promise<void> {
    const isFull =
      this.waiting.length >= (this.isQueued ? MOST_APPENDS : 1) || this.bytes + bytes > MOST_BYTES;
    if (isFull || this.streams.has(streamId)) await this.flush();
    const revision = this.revisions.get(streamId) ?? 0;
    this.revisions.set(streamId, revision + 1);
    this.streams.add(streamId);
    this.bytes += bytes;
    this.waiting.push({
      streamId,
      expectedRevision: revision === 0 ? 'no-stream' : revision - 1,
      events: [event],
    });
  }

  async flush(): Promise<void> {
    const appends = this.waiting;
    this.waiting = [];
    this.streams.clear();
    this.bytes = 0;
    if (appends.length === 0) return;
    const outcomes = await this.store.append(appends);
    const index = outcomes.findIndex(({ kind }) => kind === 'conflict');
    if (index >= 0)
      throw new ImportError(
        `Somebody changed the space while it was imported (${appends[index]?.streamId ?? ''}). Import the file under another name with --space.`,
      );
  }
}
