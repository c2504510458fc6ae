import { expect, it } from '@jest/globals';
import type { EventStore } from '../port.js';
import { type ContractLog, isAbsent } from './contract-log.js';
import { appended, collect, newEvents, newStreamId } from './event-fixtures.js';

/** Must run first, while the log is empty. */
export function describeEmpty(store: () => EventStore, log: () => ContractLog): void {
  it('reads as empty and then delivers its first events', async () => {
    const head = await store().head();
    const isFresh = !isAbsent(log().startsEmpty);
    expect(head === undefined).toBe(isFresh);
    const place = head === undefined ? {} : { after: head };
    expect(await store().readAll({ ...place, limit: 10 })).toEqual([]);
    expect(await store().countAfter(head, 10)).toBe(0);
    const streamId = newStreamId();
    expect([...(await store().readStreams([streamId]))]).toEqual([[streamId, []]]);
    const events = newEvents(2);
    const [seen] = await Promise.all([
      collect(store(), { after: head, until: events.map(({ id }) => id) }),
      appended(store(), { streamId, expectedRevision: 'no-stream', events }),
    ]);
    expect(seen.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(await store().head()).toBe(seen.at(-1)?.position);
  });
}
