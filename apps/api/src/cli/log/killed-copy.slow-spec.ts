import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore, openEventStoreDb, type NewEvent, PostgresEventStore } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import { type CliResult, type StartedNimo, startNimo } from '../../../../../test/command-line.js';
import { createTestDatabase, eventually, faultsSeed, SeededRandom, type TestDatabase } from '@nimo/testing';

const EVENTS = 3_000;
const KILLS = 4;
const seed = faultsSeed();
const chance = new SeededRandom(seed);

interface Copied {
  readonly ordinal: number;
  readonly copied: number;
  readonly existing: number;
  readonly head: string;
}

/** Kills real `nimo log copy` processes at random points before one may finish. */
describe(`nimo log copy, killed repeatedly (NIMO_FAULTS_SEED=${seed})`, () => {
  let here: TestDatabase;
  let there: TestDatabase;
  let double: EventStoreDbDouble;
  let source: EventStore;
  let written: readonly unknown[];
  beforeAll(async () => {
    [here, there, double] = await Promise.all([
      createTestDatabase(),
      createTestDatabase(),
      EventStoreDbDouble.start(),
    ]);
    source = new PostgresEventStore({ pool: here.pool(), directUrl: here.url });
    await fill(source);
    written = await contentOf(source);
  });
  afterAll(async () => {
    await source.close();
    await double.stop();
    await Promise.all([here.drop(), there.drop()]);
  });

  const start = (from: string, to: string): StartedNimo =>
    startNimo({ NIMO_DATA_DIR: '/tmp' }, 'log', 'copy', '--from', from, '--to', to, '--yes', '--json');

  /** Signals the process as soon as the target has that many events. */
  async function endedAt(
    { process, ended }: StartedNimo,
    { events, signal, count }: { events: number; signal: NodeJS.Signals; count: () => Promise<number> },
  ): Promise<CliResult> {
    let isOver = false;
    void ended.then(() => (isOver = true));
    await eventually(
      async () => ({ isOver, count: await count() }),
      (seen) => seen.isOver || seen.count >= events,
      () => `${events} events in the target`,
    );
    process.kill(signal);
    return ended;
  }

  /** Random points, one in each section of the copy, so that every round makes progress. */
  const points = Array.from({ length: KILLS }, (_, index) =>
    Math.floor(((index + chance.next()) / (KILLS + 1)) * EVENTS),
  );

  async function killedAndFinished(from: string, to: string, count: () => Promise<number>): Promise<Copied> {
    for (const events of points) {
      const { code } = await endedAt(start(from, to), {
        events: Math.max(1, events),
        signal: 'SIGKILL',
        count,
      });
      // Null: ended by the signal. The next round checks that the target is a prefix of the source.
      expect({ code, points }).toEqual({ code: null, points });
    }
    const { code, stdout, stderr } = await start(from, to).ended;
    expect({ code, stderr, points }).toMatchObject({ code: 0 });
    return JSON.parse(stdout) as Copied;
  }

  it('neither loses, duplicates nor reorders events when copying to EventStoreDB', async () => {
    const log = await openEventStoreDb({ connectionString: double.connectionString });
    const report = await killedAndFinished(here.url, double.connectionString, () =>
      Promise.resolve(double.events),
    );
    expect(report).toMatchObject({ ordinal: EVENTS });
    expect(report.existing).toBeGreaterThanOrEqual(points.at(-1) ?? 0);
    expect(await contentOf(log)).toEqual(written);
    await log.close();
  });

  it('neither loses, duplicates nor reorders events when copying back, and exits cleanly on Ctrl-C', async () => {
    const count = async (): Promise<number> => {
      const { rows } = await there.pool().query<{ count: string }>('select count(*) from log.events');
      return Number(rows[0]?.count);
    };
    const interrupted = await endedAt(start(double.connectionString, there.url), {
      events: 1,
      signal: 'SIGINT',
      count,
    });
    expect(interrupted).toMatchObject({ code: 130, stderr: expect.stringContaining('Interrupted') });
    const report = await killedAndFinished(double.connectionString, there.url, count);
    expect(report).toMatchObject({ ordinal: EVENTS });
    const log = new PostgresEventStore({ pool: there.pool(), directUrl: there.url });
    expect(await contentOf(log)).toEqual(written);
    await log.close();
  });
});

/** Appends batches of one to four events to recurring streams, named like Nimo's because other streams are not copied. */
async function fill(log: EventStore): Promise<void> {
  const streams = Array.from({ length: 300 }, () => ({ streamId: `question-${randomUUID()}`, next: 0 }));
  let order = streams;
  for (let left = EVENTS; left > 0;) {
    const batch = [];
    for (const stream of order.slice(0, chance.between(1, 40))) {
      const events = newEvents(Math.min(left, chance.between(1, 4)));
      if (events.length === 0) break;
      const expectedRevision = stream.next === 0 ? ('no-stream' as const) : stream.next - 1;
      batch.push({ streamId: stream.streamId, expectedRevision, events });
      stream.next += events.length;
      left -= events.length;
    }
    await log.append(batch);
    order = chance.shuffled(streams);
  }
}

const newEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'ThingHappened',
    data: { text: randomUUID() },
    metadata: { recordedAt: new Date().toISOString(), commandId: randomUUID() },
  }));

async function contentOf(log: EventStore): Promise<unknown[]> {
  const events = await log.readAll({ limit: EVENTS + 1 });
  return events.map(({ id, type, data, metadata, streamId, revision }) => [
    id,
    type,
    data,
    metadata,
    streamId,
    revision,
  ]);
}
