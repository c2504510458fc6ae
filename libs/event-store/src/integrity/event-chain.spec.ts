import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbDouble } from '../eventstoredb/testing/eventstoredb-double.js';
import { InMemoryEventStore } from '../in-memory/in-memory-event-store.js';
import type { Append, EventStore } from '../port.js';
import {
  canonicalEvent,
  CHAIN_NAME,
  EMPTY_CHAIN,
  leafOf,
  linksOf,
  nextHead,
  type StoredEvent,
} from './event-chain.js';
import { chainedHead, oddAppends } from './testing/odd-events.js';

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

const EVENT: StoredEvent = {
  id: '6f2f6e0e-52b6-4c61-8d7a-0a6ecf1c1b11',
  type: 'QuestionAsked',
  streamId: 'question-1',
  revision: 0,
  data: { title: 'Why?', body: '<p>é</p>' },
  metadata: { occurredAt: '2026-01-01T00:00:00.000Z', actor: { kind: 'student', studentId: 's' } },
};

const TEXT =
  '{"data":{"body":"<p>é</p>","title":"Why?"},"id":"6f2f6e0e-52b6-4c61-8d7a-0a6ecf1c1b11",' +
  '"metadata":{"actor":{"kind":"student","studentId":"s"},"occurredAt":"2026-01-01T00:00:00.000Z"},' +
  '"ordinal":7,"revision":0,"stream":"question-1","type":"QuestionAsked"}';

describe('the chain', () => {
  it('starts with the hash of its name', () => {
    expect(EMPTY_CHAIN.head.toString('hex')).toBe(sha256(CHAIN_NAME));
  });

  it('hashes canonical JSON of everything but the position into a leaf', () => {
    expect(canonicalEvent(7, EVENT)).toBe(TEXT);
    expect(leafOf(TEXT).toString('hex')).toBe(sha256(Uint8Array.of(0), TEXT));
  });

  it('hashes the previous head and the leaf into a head', () => {
    const leaf = leafOf(TEXT);
    expect(nextHead(EMPTY_CHAIN.head, leaf).toString('hex')).toBe(
      sha256(Uint8Array.of(1), EMPTY_CHAIN.head, leaf),
    );
  });

  it.each<[string, Partial<StoredEvent>]>([
    ['data', { data: { title: 'Why not?', body: '<p>é</p>' } }],
    ['metadata', { metadata: {} }],
    ['type', { type: 'QuestionEdited' }],
    ['stream', { streamId: 'question-2' }],
    ['revision', { revision: 1 }],
    ['id', { id: '6f2f6e0e-52b6-4c61-8d7a-0a6ecf1c1b12' }],
  ])('changes with the %s', (_, change) => {
    const [before] = linksOf(EMPTY_CHAIN, [EVENT]);
    const [after] = linksOf(EMPTY_CHAIN, [{ ...EVENT, ...change }]);
    expect(after?.head).not.toEqual(before?.head);
  });

  it('changes with the order', () => {
    const other = { ...EVENT, id: '6f2f6e0e-52b6-4c61-8d7a-0a6ecf1c1b13' };
    const [, forth] = linksOf(EMPTY_CHAIN, [EVENT, other]);
    const [, back] = linksOf(EMPTY_CHAIN, [other, EVENT]);
    expect(forth?.head).not.toEqual(back?.head);
  });
});

describe('the chain of the same log', () => {
  it('is identical in memory and in EventStoreDB for unusual JSON', async () => {
    const appends = oddAppends();
    const double = await EventStoreDbDouble.start();
    const eventStoreDb = new EventStoreDbEventStore({ connectionString: double.connectionString });
    try {
      double.appendSystemEvent();
      const heads = await Promise.all(
        [new InMemoryEventStore(), eventStoreDb].map((log) => headAfter(log, appends)),
      );
      expect(new Set(heads).size).toBe(1);
    } finally {
      await eventStoreDb.close();
      await double.stop();
    }
  });
});

async function headAfter(log: EventStore, appends: readonly Append[]): Promise<string> {
  for (const append of appends) await log.append([append]);
  return chainedHead(log);
}
