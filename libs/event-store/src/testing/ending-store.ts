import { InMemoryEventStore } from '../in-memory/in-memory-event-store.js';
import type { EventStore, RecordedEvent, SubscribeOptions } from '../port.js';
import type { Pool } from 'pg';

const MAX_SUBSCRIPTIONS = 1_000;

/** Its subscriptions end at once and without an error, as those of a store do that was closed under its users. */
export class EndingStore extends InMemoryEventStore implements EventStore {
  begun = 0;

  override async *subscribe({ signal }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    this.begun += 1;
    // A loop without a rest would let nobody else have a turn, the test included.
    if (this.begun < MAX_SUBSCRIPTIONS || signal.aborted) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
}

/** Turns of the event loop: whoever rests between two rounds has few rounds in them. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) await new Promise(setImmediate);
}

/** The same where a round asks the database. */
export async function someQueries(pool: Pool): Promise<void> {
  for (let query = 0; query < 150; query += 1) await pool.query('select 1');
}
