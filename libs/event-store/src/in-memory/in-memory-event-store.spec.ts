import { describeEventStore } from '../contract.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

describeEventStore('in memory', async () => {
  const log = new InMemoryEventStore();
  return {
    connect: () => log.connect(),
    holdAppend: { absentBecause: 'an append is one turn of the event loop' },
    writeElsewhere: { absentBecause: 'there is no server' },
    cutConnections: { absentBecause: 'there are no connections' },
    loseAnswer: { absentBecause: 'an answer cannot be lost inside a process' },
    startsEmpty: true,
    uniqueEventIds: true,
    tamper: { absentBecause: 'events are frozen' },
    drop: () => log.close(),
  };
});
