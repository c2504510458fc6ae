import { InMemoryEventStore } from '../in-memory/in-memory-event-store.js';
import type { EventStore, RecordedEvent, SubscribeOptions } from '../port.js';
import type { Pool } from 'pg';

const MAX_SUBSCRIPTIONS = 1_000;

/** Subscriptions end immediately and without an error, as if the store had been closed. */
export class EndingStore extends InMemoryEventStore implements EventStore {
  subscriptionCount = 0;

  override async *subscribe({ signal }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    this.subscriptionCount += 1;
    // A subscriber that resubscribes in a tight loop would starve the event loop, including the test.
    if (this.subscriptionCount < MAX_SUBSCRIPTIONS || signal.aborted) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
}

/** Waits 300 turns of the event loop: enough to tell a tight loop from one with pauses. */
export async function waitEventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) await new Promise(setImmediate);
}

/** Like `waitEventLoopTurns`, for loops that query the database. */
export async function waitForQueries(pool: Pool): Promise<void> {
  for (let query = 0; query < 150; query += 1) await pool.query('select 1');
}
