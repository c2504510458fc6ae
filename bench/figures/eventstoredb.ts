import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { openEventStoreDb } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import type { BenchContext } from '../bench-context.js';
import { startBenchProgram } from '../programs/children.js';
import { atMost, type Measurement } from '../report.js';
import { closedLoop, median } from '../sampling.js';
import { voteEvent } from './vote-event.js';

const CLIENTS = [1, 8, 32, 128];
const NOTE =
  'The EventStoreDB figures are measured against a double that keeps its log in memory: they compare the adapter with its client library and say nothing about a real server.';

const LIBRARY_KEEP_ALIVE = '&keepAliveInterval=10000&keepAliveTimeout=10000';
const MAX_FROZEN_SECONDS = 9;

interface Result {
  readonly perSecond: number;
  /** CPU time of this process per append; a busy machine affects it little. */
  readonly processorMicroseconds: number;
}

/** Appends one event per stream, each client waiting for its own, through the adapter and through the bare client library. */
export async function measureEventStoreDb(context: BenchContext): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  const double = await startBenchProgram('eventstoredb-double', []);
  const url = `esdb://127.0.0.1:${double.port}?tls=false`;
  try {
    // The first contestant would pay for JIT compilation.
    for (const warmUp of [adapterAppends, libraryAppends]) await warmUp(url, 8, context.seconds);
    for (const clients of CLIENTS) {
      context.log(`EventStoreDB appends with ${clients} clients`);
      measurements.push(...(await measureWith(context, url, clients)));
    }
  } finally {
    await double.stop();
  }
  context.log('EventStoreDB with a frozen leader');
  measurements.push(await measureFrozenLeader());
  context.note(NOTE);
  return measurements;
}

async function measureWith(
  { repeats, seconds }: BenchContext,
  url: string,
  clients: number,
): Promise<Measurement[]> {
  const adapter: Result[] = [];
  const library: Result[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    adapter.push(await adapterAppends(url, clients, seconds));
    library.push(await libraryAppends(url, clients, seconds));
  }
  const medianOf = (results: readonly Result[], what: keyof Result): number =>
    median(results.map((one) => one[what]));
  const figure = `EventStoreDB appends, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
  const limit = (what: keyof Result): { what: string; value: number } => ({
    what: 'its client library alone',
    value: medianOf(library, what),
  });
  return [
    {
      figure,
      what: 'adapter, against the double',
      value: medianOf(adapter, 'perSecond'),
      unit: 'appends/s',
      limit: limit('perSecond'),
    },
    {
      figure,
      what: 'CPU time per append',
      value: medianOf(adapter, 'processorMicroseconds'),
      unit: 'µs',
      limit: limit('processorMicroseconds'),
    },
  ];
}

/** Time until the successor writes the next append after the leader froze with its connections open. */
async function measureFrozenLeader(): Promise<Measurement> {
  const value = await frozenLeaderSeconds('');
  return {
    figure: 'EventStoreDB, frozen leader',
    what: 'until its successor writes the next append',
    value,
    unit: 's',
    limit: {
      what: "with the client library's own keep-alive",
      value: await frozenLeaderSeconds(LIBRARY_KEEP_ALIVE),
    },
    goal: atMost(value, MAX_FROZEN_SECONDS, 's'),
  };
}

async function frozenLeaderSeconds(options: string): Promise<number> {
  const leader = await EventStoreDbDouble.start({ isFreezable: true });
  const successor = await leader.startNode();
  successor.follow(leader);
  const nodes = `esdb://127.0.0.1:${leader.port},127.0.0.1:${successor.port}?tls=false${options}`;
  const store = await openEventStoreDb({ connectionString: nodes, deadlineMs: 60_000 });
  const append = (): Promise<unknown> =>
    store.append([
      { streamId: `vote-${randomUUID()}`, expectedRevision: 'no-stream', events: [voteEvent()] },
    ]);
  try {
    await append();
    leader.freeze();
    successor.follow(undefined);
    const startedAt = performance.now();
    await append();
    return (performance.now() - startedAt) / 1000;
  } finally {
    leader.thaw();
    await store.close();
    await Promise.all([leader.stop(), successor.stop()]);
  }
}

async function adapterAppends(url: string, clients: number, seconds: number): Promise<Result> {
  const store = await openEventStoreDb({ connectionString: url });
  const results = await take(clients, seconds, async () => {
    const streamId = `vote-${randomUUID()}`;
    const [outcome] = await store.append([
      { streamId, expectedRevision: 'no-stream', events: [voteEvent()] },
    ]);
    if (outcome?.kind !== 'appended') throw new Error('conflict on append to a new stream');
  });
  await store.close();
  return results;
}

async function libraryAppends(url: string, clients: number, seconds: number): Promise<Result> {
  const client = EventStoreDBClient.connectionString(url);
  const results = await take(clients, seconds, async () => {
    const { id, type, data, metadata } = voteEvent();
    await client.appendToStream(`vote-${randomUUID()}`, jsonEvent({ id, type, data, metadata }), {
      expectedRevision: 'no_stream',
    });
  });
  await client.dispose();
  return results;
}

async function take(clients: number, seconds: number, append: () => Promise<void>): Promise<Result> {
  const before = process.cpuUsage();
  let appends = 0;
  const { perSecond } = await closedLoop({
    clients,
    seconds,
    work: async () => {
      await append();
      appends += 1;
    },
  });
  const { user, system } = process.cpuUsage(before);
  return { perSecond, processorMicroseconds: (user + system) / appends };
}
