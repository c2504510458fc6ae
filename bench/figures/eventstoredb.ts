import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { EventStoreDbEventStore } from '@nimo/event-store';
import type { BenchContext } from '../bench-context.js';
import { startBenchProgram } from '../programs/children.js';
import type { Measurement } from '../report.js';
import { closedLoop, mediansOf } from '../sampling.js';
import { voteEvent } from './vote-event.js';

const CLIENTS = [1, 8, 32, 128];
const NOTE =
  'The EventStoreDB figures are taken against a double that keeps its log in memory: they compare the adapter with its client library and say nothing about a server.';

/** One event a stream, each client waiting for its own, over the adapter and over nothing but its client library. */
export async function measureEventStoreDb({
  log,
  note,
  repeats,
  seconds,
}: BenchContext): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  const double = await startBenchProgram('eventstoredb-double', []);
  const url = `esdb://127.0.0.1:${double.port}?tls=false`;
  try {
    for (const clients of CLIENTS) {
      log(`EventStoreDB appends with ${clients} clients`);
      const { adapter, library } = await mediansOf(repeats, {
        adapter: () => adapterAppends(url, clients, seconds),
        library: () => libraryAppends(url, clients, seconds),
      });
      measurements.push({
        figure: `EventStoreDB appends, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
        what: 'adapter, against the double',
        value: adapter,
        unit: 'appends/s',
        limit: { what: 'its client library alone', value: library },
      });
    }
  } finally {
    await double.stop();
  }
  note(NOTE);
  return measurements;
}

async function adapterAppends(url: string, clients: number, seconds: number): Promise<number> {
  const store = new EventStoreDbEventStore({ connectionString: url });
  const { perSecond } = await closedLoop({
    clients,
    seconds,
    work: async () => {
      const streamId = `vote-${randomUUID()}`;
      const [outcome] = await store.append([
        { streamId, expectedRevision: 'no-stream', events: [voteEvent()] },
      ]);
      if (outcome?.kind !== 'appended') throw new Error('an append into a new stream met a conflict');
    },
  });
  await store.close();
  return perSecond;
}

async function libraryAppends(url: string, clients: number, seconds: number): Promise<number> {
  const client = EventStoreDBClient.connectionString(url);
  const { perSecond } = await closedLoop({
    clients,
    seconds,
    work: async () => {
      const { id, type, data, metadata } = voteEvent();
      await client.appendToStream(`vote-${randomUUID()}`, jsonEvent({ id, type, data, metadata }), {
        expectedRevision: 'no_stream',
      });
    },
  });
  await client.dispose();
  return perSecond;
}
