import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventStore, openPool } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { workerOf } from '../bookkeeping/leases.js';
import { type Generation, listGenerations } from '../generations/generations.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import type { Projection } from '../projection.js';
import { allEvents, caughtUp, liveHash, maintainerOf, replay } from '../testing.js';
import { appendOf, type NoteEvent, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import { ProjectionWorker, type ProjectionWorkerOptions } from './projection-worker.js';

const prompt = ['questions', 'news', 'spaces'].map((name) => notesProjection({ name }));
const lingering = ['scores', 'notices', 'traces'].map((name) => ({
  ...notesProjection({ name }),
  lingers: true,
}));
const projections: readonly Projection[] = [...prompt, ...lingering];

/** A worker with its own connections, like a separate process. */
class Process {
  readonly pool: Pool;
  readonly worker: ProjectionWorker;
  readonly errors: unknown[] = [];
  applied: string[] = [];
  /** Open subscriptions to the log. */
  subscriptions = 0;
  /** Subscriptions started so far. */
  started = 0;
  private isDisconnected = false;

  constructor(database: TestDatabase, store: EventStore, options: Partial<ProjectionWorkerOptions> = {}) {
    this.pool = openPool({ connectionString: database.url, max: 6, pipeline: true });
    const unlessDisconnected = <Work extends (...args: never[]) => Promise<unknown>>(work: Work): Work =>
      (async (...args: Parameters<Work>) => {
        if (this.isDisconnected) throw new Error('Connection terminated');
        return work(...args);
      }) as unknown as Work;
    this.worker = new ProjectionWorker({
      pool: Object.create(this.pool, {
        query: { value: unlessDisconnected(this.pool.query.bind(this.pool)) },
        connect: { value: unlessDisconnected(this.pool.connect.bind(this.pool)) },
      }) as Pool,
      store: this.watched(store),
      projections,
      onError: (error) => this.errors.push(error),
      onApplied: ({ projection, events }) =>
        this.applied.push(...events.map(({ id }) => `${projection} ${id}`)),
      retryMs: 50,
      ...options,
    });
  }

  private watched(store: EventStore): EventStore {
    return {
      append: (appends) => store.append(appends),
      readStream: (streamId, options) => store.readStream(streamId, options),
      readStreams: (streamIds, from) => store.readStreams(streamIds, from),
      readAll: (options) => store.readAll(options),
      subscribe: (options) => this.counted(store.subscribe(options)),
      head: () => store.head(),
      countAfter: (after, atMost) => store.countAfter(after, atMost),
      close: () => store.close(),
    };
  }

  private async *counted<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    this.started += 1;
    this.subscriptions += 1;
    try {
      yield* batches;
    } finally {
      this.subscriptions -= 1;
    }
  }

  /** Cuts the connections after the current tick. The worker still believes that it holds its leases. */
  disconnect(): void {
    this.isDisconnected = true;
  }

  async end(): Promise<void> {
    await this.worker.stop();
    await this.pool.end();
  }
}

describe('several workers', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let processes: Process[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end()));
    await store.close();
    await database.drop();
  });

  async function join(options: Partial<ProjectionWorkerOptions> = {}): Promise<Process> {
    const onChange = (): void => {
      for (const other of processes) other.worker.wake();
    };
    const process = new Process(database, store, { onChange, ...options });
    processes.push(process);
    await process.worker.start();
    return process;
  }

  async function leave(process: Process): Promise<void> {
    processes = processes.filter((other) => other !== process);
    await process.end();
  }

  const append = async (...notes: readonly NoteEvent[]): Promise<void> => {
    await store.append(notes.map(appendOf));
  };

  const live = async (): Promise<readonly Generation[]> =>
    (
      await listGenerations(
        pool,
        projections.map(({ name }) => name),
      )
    ).filter(({ status }) => status === 'live');

  /** Projections by lease holder. */
  async function holders(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = (await live()).filter(({ isLed }) => isLed);
    const workers = new Set(rows.map(({ owner }) => workerOf(owner ?? '')));
    return new Map(
      Array.from(workers, (worker) => [
        worker,
        rows.filter(({ owner }) => owner?.startsWith(worker)).map(({ name }) => name),
      ]),
    );
  }

  const names = (of: readonly Projection[]): readonly string[] => of.map(({ name }) => name).sort();

  /** Waits until one worker runs the prompt projections and another the lingering ones. */
  async function untilShared(): Promise<void> {
    await eventually(holders, (seen) => {
      const parts = Array.from(seen.values(), (names) => names.toSorted().join());
      return parts.sort().join(';') === [names(prompt).join(), names(lingering).join()].sort().join(';');
    });
  }

  const epochs = async (): Promise<number> => (await live()).reduce((sum, { epoch }) => sum + epoch, 0);

  async function expectExact(): Promise<void> {
    const events = await allEvents(store);
    for (const projection of projections)
      expect(await liveHash(pool, projection, store)).toBe(await replay(pool, projection, events, [40]));
  }

  it('share the work: the second takes over all lingering projections, once', async () => {
    await append(...randomNotes(50));
    await join();
    for (const projection of projections) await caughtUp(pool, projection, store);
    expect([...(await holders()).values()]).toEqual([names(projections)]);
    await join();
    await untilShared();
    const before = await epochs();
    // One lease per projection, and one more for each that was handed over.
    expect(before).toBe(projections.length + lingering.length);
    await join();
    await append(...randomNotes(50));
    await expectExact();
    expect(await epochs()).toBe(before);
  });

  it('neither lose nor repeat events as they join, leave and die under load, and hand over no more than needed', async () => {
    await join();
    const done = new AbortController();
    const writing = (async () => {
      while (!done.signal.aborted) {
        await append(...randomNotes(7));
        await pool.query('select 1');
      }
    })();
    const all: Process[] = [...processes];
    all.push(await join(), await join());
    await untilShared();
    // The holder of the prompt role leaves.
    const [first] = processes;
    if (!first) throw new Error('no worker');
    await leave(first);
    await untilShared();
    const second = processes.find(({ worker }) => worker.hasPromptRole);
    if (!second) throw new Error('no worker holds the prompt role');
    second.disconnect();
    all.push(await join());
    await eventually(
      async () => processes.filter((process) => process !== second && process.worker.hasPromptRole).length,
      (count) => count === 1,
    );
    await untilShared();
    done.abort();
    await writing;
    await expectExact();
    for (const { name } of projections) {
      const applied = all.flatMap((process) => process.applied.filter((one) => one.startsWith(`${name} `)));
      // Commits that the disconnected worker got no answer for are missing here, so only duplicates are checked.
      expect(new Set(applied).size).toBe(applied.length);
    }
    // Each change of workers hands over each projection at most once.
    expect(await epochs()).toBeLessThanOrEqual(projections.length * 6);
    expect(all.filter((process) => process !== second).flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('hand a rebuilt projection back to the holder of its role', async () => {
    await append(...randomNotes(80));
    await join();
    await join();
    await untilShared();
    await maintainerOf(new ProjectionMaintenance({ pool, store, projections })).rebuild('questions');
    await eventually(live, (rows) =>
      rows.some(({ name, generation }) => name === 'questions' && generation === 2),
    );
    await untilShared();
    await expectExact();
  });

  it('do not follow the log without a role', async () => {
    await join();
    await append(...randomNotes(50));
    for (const projection of projections) await caughtUp(pool, projection, store);
    await join();
    await untilShared();
    const third = await join();
    // It follows until it has checked for commands from before its start.
    await eventually(
      () => third.subscriptions,
      (open) => open === 0,
    );
    third.started = 0;
    for (let one = 0; one < 20; one += 1) {
      await append({ type: 'NoteWritten', id: `note ${one}`, author: 'ann', text: '' });
      for (const projection of prompt) await caughtUp(pool, projection, store);
    }
    expect({ started: third.started, applied: third.applied }).toEqual({ started: 0, applied: [] });
    await expectExact();
  });

  it('hand nothing over to a temporary worker, which only runs what no other does', async () => {
    const temporary = await join({ isTemporary: true });
    await eventually(holders, (seen) => [...seen.values()].join() === names(projections).join());
    await join();
    // A regular worker takes over everything.
    await eventually(epochs, (sum) => sum === 2 * projections.length);
    await join({ isTemporary: true });
    await append(...randomNotes(30));
    await expectExact();
    expect(await epochs()).toBe(2 * projections.length);
    expect(temporary.worker.hasPromptRole).toBe(false);
  });

  it('take over from one that keeps failing', async () => {
    // Without a checkpoint a generation would not query the head of the log, which is what fails here.
    await append(...randomNotes(10));
    await join();
    for (const projection of projections) await caughtUp(pool, projection, store);
    const failing = new InMemoryEventStore();
    let isFailing = false;
    failing.head = () => (isFailing ? Promise.reject(new Error('unreachable')) : store.head());
    failing.subscribe = (options) => store.subscribe(options);
    const second = new Process(database, failing, { projections });
    processes.push(second);
    await second.worker.start();
    isFailing = true;
    await append(...randomNotes(30));
    await eventually(
      async () => second.errors.length,
      (errors) => errors > lingering.length,
    );
    await eventually(holders, (seen) => [...seen.values()].join() === names(projections).join());
    await expectExact();
    isFailing = false;
  });
});
