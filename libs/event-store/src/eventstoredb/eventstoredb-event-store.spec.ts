import { describe, expect, it } from '@jest/globals';
import { type ContractLog, describeEventStore } from '../contract.js';
import { appended, newEvents, newStreamId, readFrom } from '../contract/event-fixtures.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { EventStoreDbDouble } from './testing/eventstoredb-double.js';

const uniqueEventIds = { absentBecause: 'EventStoreDB compares event ids inside one stream only' };
const tamper = { absentBecause: 'the protocol has no way to change an event' };
const holdAppend = { absentBecause: 'an append is one call without a transaction' };
const writeElsewhere = { absentBecause: 'a server has one log and no transactions beside it' };

describeEventStore('EventStoreDB, over its double on the wire', async (): Promise<ContractLog> => {
  const double = await EventStoreDbDouble.start();
  return {
    connect: () => new EventStoreDbEventStore({ connectionString: double.connectionString }),
    holdAppend,
    writeElsewhere,
    cutConnections: async () => {
      double.appendSystemEvent();
      double.breakReads();
    },
    loseAnswer: async (store, append) => {
      double.loseNextAnswer();
      await store.append([append]);
    },
    uniqueEventIds,
    tamper,
    drop: () => double.stop(),
  };
});

const realServer = process.env['EVENTSTORE_URL'];
if (realServer !== undefined) {
  describeEventStore('EventStoreDB, the real server', async () => ({
    connect: () => new EventStoreDbEventStore({ connectionString: realServer }),
    holdAppend,
    writeElsewhere,
    cutConnections: { absentBecause: 'the server belongs to somebody else' },
    loseAnswer: { absentBecause: 'the server belongs to somebody else' },
    uniqueEventIds,
    tamper,
    drop: async () => undefined,
  }));
}

describe('EventStoreDB beside events of its own', () => {
  it('shows no system event, counts none against a limit and finds the head before them', async () => {
    const double = await EventStoreDbDouble.start();
    const store = new EventStoreDbEventStore({ connectionString: double.connectionString });
    for (let n = 0; n < 100; n++) double.appendSystemEvent();
    expect(await store.head()).toBeUndefined();
    const { position } = await appended(store, {
      streamId: newStreamId(),
      expectedRevision: 'no-stream',
      events: newEvents(3),
    });
    for (let n = 0; n < 100; n++) double.appendSystemEvent();
    expect(await store.head()).toBe(position);
    expect(await readFrom(store, undefined, 2)).toHaveLength(3);
    await store.close();
    await double.stop();
  });
});
