import { beforeAll, describe } from '@jest/globals';
import { commandsSeed } from '@nimo/testing';
import { type ContractLog, describeEventStore } from '../contract.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { EventStoreDbDouble } from './testing/eventstoredb-double.js';

const uniqueEventIds = { absentBecause: 'EventStoreDB compares event ids only within a stream' };
const reportsDuplicates = {
  absentBecause:
    'the server reports both alike; the store infers duplicates from the highest position it has seen',
};
const emptyLog = { absentBecause: 'starting a server per sequence would take seconds' };
const tamper = { absentBecause: 'the protocol has no way to change an event' };
const holdAppend = { absentBecause: 'an append is one call without a transaction' };
const writeElsewhere = { absentBecause: 'a server has one log and no other transactions' };

describe.each([
  ['its wire-level double', true, 150],
  ['its double without batch append, like older servers', false, 50],
])('%s', (name, isBatching, sequences) => {
  describeEventStore(`EventStoreDB, over ${name}`, commandsSeed(), async (): Promise<ContractLog> => {
    const double = await EventStoreDbDouble.start({ isBatching });
    return {
      connect: () =>
        new EventStoreDbEventStore({ connectionString: double.connectionString, deadlineMs: 120_000 }),
      startsEmpty: true,
      holdAppend,
      writeElsewhere,
      cutConnections: async () => {
        double.appendSystemEvent();
        double.breakAll();
      },
      loseResponse: async (store, append) => {
        double.failAppends({ kind: 'drops-after' });
        await store.append([append]);
      },
      emptyLog,
      sequences,
      uniqueEventIds,
      reportsDuplicates,
      tamper,
      drop: () => double.stop(),
    };
  });
});

const NOT_RUN =
  'NOT TESTED AGAINST A REAL EVENTSTOREDB OR KURRENTDB: EVENTSTORE_TEST_URL is not set. Only the double was tested.';
const realServer = process.env['EVENTSTORE_TEST_URL'];
if (realServer === undefined) {
  beforeAll(() => {
    process.stderr.write(`\n${'!'.repeat(NOT_RUN.length)}\n${NOT_RUN}\n${'!'.repeat(NOT_RUN.length)}\n`);
  });
} else {
  describeEventStore('EventStoreDB, the real server', commandsSeed(), async () => ({
    connect: () => new EventStoreDbEventStore({ connectionString: realServer }),
    startsEmpty: { absentBecause: 'the server is not ours to control' },
    holdAppend,
    writeElsewhere,
    cutConnections: { absentBecause: 'the server is not ours to control' },
    loseResponse: { absentBecause: 'the server is not ours to control' },
    emptyLog,
    sequences: 150,
    uniqueEventIds,
    reportsDuplicates,
    tamper,
    drop: async () => undefined,
  }));
}
