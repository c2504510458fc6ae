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

/** One process, as far as the others can tell. */
class Member {
  readonly pool: Pool;
  readonly worker: ProjectionWorker;
  readonly errors: unknown[] = [];
  applied: string[] = [];
  /** Subscriptions to the log: those that are open, and those begun so far. */
  subscriptions = 0;
  begun = 0;
  private isCut = false;

  constructor(database: TestDatabase, store: EventStore, options: Partial<ProjectionWorkerOptions> = {}) {
    this.pool = openPool({ connectionString: database.url, max: 6, pipeline: true });
    const unlessCut = <Work extends (...given: never[]) => Promise<unknown>>(work: Work): Work =>
      (async (...given: Parameters<Work>) => {
        if (this.isCut) throw new Error('Connection terminated');
        return work(...given);
      }) as unknown as Work;
    this.worker = new ProjectionWorker({
      pool: Object.create(this.pool, {
        query: { value: unlessCut(this.pool.query.bind(this.pool)) },
        connect: { value: unlessCut(this.pool.connect.bind(this.pool)) },
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
    this.begun += 1;
    this.subscriptions += 1;
    try {
      yield* batches;
    } finally {
      this.subscriptions -= 1;
    }
  }

  /** After the tick at hand it reaches nobody any more, and believes that it leads. */
  cut(): void {
    this.isCut = true;
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
  let members: Member[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
  });
  afterEach(async () => {
    await Promise.all(members.splice(0).map((member) => member.end()));
    await store.close();
    await database.drop();
  });

  async function join(options: Partial<ProjectionWorkerOptions> = {}): Promise<Member> {
    const onChange = (): void => {
      for (const other of members) other.worker.look();
    };
    const member = new Member(database, store, { onChange, ...options });
    members.push(member);
    await member.worker.start();
    return member;
  }

  async function leave(member: Member): Promise<void> {
    members = members.filter((other) => other !== member);
    await member.end();
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

  /** Of projections, by the workers that lead them. */
  async function leaders(): Promise<ReadonlyMap<string, readonly string[]>> {
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

  /** Until what callers wait for is in one hand and what lingers in another. */
  async function shared(): Promise<void> {
    await eventually(leaders, (seen) => {
      const parts = Array.from(seen.values(), (led) => led.toSorted().join());
      return parts.sort().join(';') === [names(prompt).join(), names(lingering).join()].sort().join(';');
    });
  }

  const epochs = async (): Promise<number> => (await live()).reduce((sum, { epoch }) => sum + epoch, 0);

  async function expectExact(): Promise<void> {
    const events = await allEvents(store);
    for (const projection of projections)
      expect(await liveHash(pool, projection, store)).toBe(await replay(pool, projection, events, [40]));
  }

  it('share: the second takes what lingers as a whole, and nothing goes to and fro', async () => {
    await append(...randomNotes(50));
    await join();
    for (const projection of projections) await caughtUp(pool, projection, store);
    expect([...(await leaders()).values()]).toEqual([names(projections)]);
    await join();
    await shared();
    const handed = await epochs();
    // As many leases as there are, and one more for each that was handed over.
    expect(handed).toBe(projections.length + lingering.length);
    await join();
    await append(...randomNotes(50));
    await expectExact();
    expect(await epochs()).toBe(handed);
  });

  it('lose and repeat nothing as they come, go and die under load, and hand over no more than they have to', async () => {
    await join();
    const done = new AbortController();
    const writing = (async () => {
      while (!done.signal.aborted) {
        await append(...randomNotes(7));
        await pool.query('select 1');
      }
    })();
    const all: Member[] = [...members];
    all.push(await join(), await join());
    await shared();
    // Whoever leads what callers wait for says so and goes.
    const [first] = members;
    if (!first) throw new Error('nobody works');
    await leave(first);
    await shared();
    const second = members.find(({ worker }) => worker.isPrompt);
    if (!second) throw new Error('nobody leads what callers wait for');
    second.cut();
    all.push(await join());
    await eventually(
      async () => members.filter((member) => member !== second && member.worker.isPrompt).length,
      (count) => count === 1,
    );
    await shared();
    done.abort();
    await writing;
    await expectExact();
    for (const { name } of projections) {
      const applied = all.flatMap((member) => member.applied.filter((one) => one.startsWith(`${name} `)));
      // What the one that was cut had committed without hearing of it is known to the database alone.
      expect(new Set(applied).size).toBe(applied.length);
    }
    // Each change of the crew hands over each projection once at most.
    expect(await epochs()).toBeLessThanOrEqual(projections.length * 6);
    expect(all.filter((member) => member !== second).flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('give back what was built elsewhere to who leads the others of its kind', async () => {
    await append(...randomNotes(80));
    await join();
    await join();
    await shared();
    await maintainerOf(new ProjectionMaintenance({ pool, store, projections })).rebuild('questions');
    await eventually(live, (rows) =>
      rows.some(({ name, generation }) => name === 'questions' && generation === 2),
    );
    await shared();
    await expectExact();
  });

  it('that have nothing to lead do not follow the log', async () => {
    await join();
    await append(...randomNotes(50));
    for (const projection of projections) await caughtUp(pool, projection, store);
    await join();
    await shared();
    const third = await join();
    // Commands may have passed before it came: it follows until it has looked for them.
    await eventually(
      () => third.subscriptions,
      (open) => open === 0,
    );
    third.begun = 0;
    for (let one = 0; one < 20; one += 1) {
      await append({ type: 'NoteWritten', id: `note ${one}`, author: 'ann', text: '' });
      for (const projection of prompt) await caughtUp(pool, projection, store);
    }
    expect({ begun: third.begun, applied: third.applied }).toEqual({ begun: 0, applied: [] });
    await expectExact();
  });

  it('do not make room for one that is passing, which leads where nobody else does', async () => {
    const passing = await join({ isTemporary: true });
    await eventually(leaders, (seen) => [...seen.values()].join() === names(projections).join());
    await join();
    // One that stays takes it all.
    await eventually(epochs, (sum) => sum === 2 * projections.length);
    await join({ isTemporary: true });
    await append(...randomNotes(30));
    await expectExact();
    expect(await epochs()).toBe(2 * projections.length);
    expect(passing.worker.isPrompt).toBe(false);
  });

  it('leave to others what one of them tries in vain', async () => {
    // Whoever has read nothing yet has no place that the log could end before, and need not ask for its end.
    await append(...randomNotes(10));
    await join();
    for (const projection of projections) await caughtUp(pool, projection, store);
    const sick = new InMemoryEventStore();
    let isSick = false;
    sick.head = () => (isSick ? Promise.reject(new Error('out of reach')) : store.head());
    sick.subscribe = (options) => store.subscribe(options);
    const second = new Member(database, sick, { projections });
    members.push(second);
    await second.worker.start();
    isSick = true;
    await append(...randomNotes(30));
    await eventually(
      async () => second.errors.length,
      (errors) => errors > lingering.length,
    );
    await eventually(leaders, (seen) => [...seen.values()].join() === names(projections).join());
    await expectExact();
    isSick = false;
  });
});
