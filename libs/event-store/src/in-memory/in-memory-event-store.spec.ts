import { commandsSeed, hasRandomSeeds } from '@nimo/testing';
import { describeEventStore } from '../contract.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

describeEventStore('in memory', commandsSeed(), async () => {
  const log = new InMemoryEventStore();
  return {
    connect: () => log.connect(),
    holdAppend: { absentBecause: 'an append is synchronous' },
    writeElsewhere: { absentBecause: 'there is no server' },
    cutConnections: { absentBecause: 'there are no connections' },
    loseResponse: { absentBecause: 'a response cannot get lost within a process' },
    startsEmpty: true,
    emptyLog: () => {
      const empty = new InMemoryEventStore();
      return [empty, empty.connect()];
    },
    sequences: hasRandomSeeds ? 10_000 : 1_000,
    uniqueEventIds: true,
    reportsDuplicates: true,
    tamper: { absentBecause: 'events are frozen' },
    drop: () => log.close(),
  };
});
