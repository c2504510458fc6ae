import type { EventStore, Position } from '@nimo/event-store';

/**
 * The log ends before what was read of it: it was brought back from an older copy than the read side. What is appended now lies before the
 * checkpoint and would never be folded.
 */
export class LogEndsBeforeError extends Error {
  override readonly name = 'LogEndsBeforeError';
  constructor(projection: string, ordinal: number) {
    super(
      `${projection} is ahead of the log: it has read ${ordinal} events, and the log ends before the last of them. ` +
        'Bring back the log and the database from copies of one time, or rebuild the projection from the log that there is.',
    );
  }
}

/** Whether the log has nothing at the place or after it. Asks the store, so not for every batch. */
export async function endsBefore(store: Pick<EventStore, 'head'>, place: Position | null): Promise<boolean> {
  if (place === null) return false;
  const head = await store.head();
  return head === undefined || head < place;
}
