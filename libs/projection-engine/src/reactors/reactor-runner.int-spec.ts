import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent, SubscribeOptions } from '@nimo/event-store';
import { EndingStore, InMemoryEventStore, waitForQueries } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { failTest } from '../testing.js';
import { type Reactor, ReactorRunner, type ReactorRunnerOptions } from './reactor-runner.js';
import { appendOf, type NoteEvent, randomNotes } from '../testing/notes.fixture.js';

describe('reactors', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  const runners: ReactorRunner[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await database.drop();
  });

  async function run(
    reactor: Reactor,
    onError: (error: unknown) => void = failTest,
    more: Partial<ReactorRunnerOptions> = {},
  ): Promise<ReactorRunner> {
    const runner = new ReactorRunner({ pool, store, reactors: [reactor], onError, retryMs: 10, ...more });
    runners.push(runner);
    await runner.start();
    return runner;
  }

  async function append(count: number): Promise<string[]> {
    const appends = randomNotes(count).map(appendOf);
    await store.append(appends);
    return appends.flatMap(({ events }) => events.map(({ id }) => id));
  }

  function recorder(options: Partial<Reactor> = {}): Reactor & { readonly jobs: string[] } {
    const jobs: string[] = [];
    return {
      name: 'recorder',
      types: 'all',
      jobs,
      handle: async (_, jobId) => void jobs.push(jobId),
      ...options,
    };
  }

  const hasAll = (ids: readonly string[]) => (jobs: readonly string[]) =>
    ids.every((id) => jobs.includes(id));

  it('move to the process that should run them, and continue from their position', async () => {
    let runsIn = 'first';
    const [first, second] = [recorder(), recorder()];
    await run(first, failTest, { renewMs: 10, shouldRun: () => runsIn === 'first' });
    await run(second, failTest, { renewMs: 10, shouldRun: () => runsIn === 'second' });
    const one = await append(5);
    await eventually(async () => first.jobs, hasAll(one));
    runsIn = 'second';
    const two = await append(5);
    await eventually(async () => [...first.jobs, ...second.jobs], hasAll(two));
    const three = await append(5);
    await eventually(async () => second.jobs, hasAll(three));
    expect([...first.jobs, ...second.jobs]).toEqual([...one, ...two, ...three]);
  });

  it('start at the head of the log, and continue from their position', async () => {
    const past = await append(5);
    const reactor = recorder();
    const first = await run(reactor);
    const present = await append(5);
    await eventually(async () => reactor.jobs, hasAll(present));
    await first.stop();
    const later = await append(5);
    await run(reactor);
    await eventually(async () => reactor.jobs, hasAll(later));
    expect(reactor.jobs).toEqual([...present, ...later]);
    expect(reactor.jobs).not.toContain(past[0]);
  });

  it('back off after a subscription that ended without an error', async () => {
    const ending = new EndingStore();
    const runner = new ReactorRunner({
      pool,
      store: ending,
      reactors: [recorder()],
      onError: failTest,
      retryMs: 60_000,
    });
    runners.push(runner);
    await runner.start();
    await eventually(
      async () => ending.subscriptionCount,
      (begun) => begun > 0,
    );
    await waitForQueries(pool);
    expect(ending.subscriptionCount).toBe(1);
  });

  it('start at the beginning if configured', async () => {
    const past = await append(5);
    const reactor = recorder({ startsAt: 'beginning' });
    await run(reactor);
    await eventually(async () => reactor.jobs, hasAll(past));
  });

  it('retry a failing effect in order, without skipping it', async () => {
    let failures = 3;
    const errors: unknown[] = [];
    const handled: string[] = [];
    const reactor = recorder({
      async handle(_, jobId) {
        if (failures > 0) {
          failures -= 1;
          throw new Error('not now');
        }
        handled.push(jobId);
      },
    });
    await run(reactor, (error) => errors.push(error));
    const ids = await append(3);
    await eventually(async () => handled, hasAll(ids));
    expect(handled).toEqual(ids);
    expect(errors).toHaveLength(3);
  });

  it('run in one process at a time, and lose no events when another takes over', async () => {
    const one = recorder();
    const two = recorder();
    const first = await run(one);
    await run(two);
    const ids = await append(10);
    await eventually(async () => [...one.jobs, ...two.jobs], hasAll(ids));
    expect([one.jobs.length, two.jobs.length].sort()).toEqual([0, 10]);
    // The database no longer hears from the lease holder.
    await pool.query(`update state.reactors set expires_at = clock_timestamp() - interval '1 s'`);
    const later = await append(10);
    await eventually(async () => [...one.jobs, ...two.jobs], hasAll(later));
    await first.stop();
    const last = await append(3);
    await eventually(async () => two.jobs, hasAll(last));
  });

  describe('with a list of types', () => {
    const note = (): NoteEvent => ({ type: 'NoteDeleted', id: randomUUID() });
    const others = (count: number): NoteEvent[] =>
      Array.from({ length: count }, () => ({ type: 'SomethingElse' }));
    const SOME = ['NoteDeleted', 'NoteWritten'];
    /** Prevents renewals during a test. */
    const NEVER_MS = 600_000;

    /** @returns ids of the events to handle */
    async function appendNotes(events: readonly NoteEvent[]): Promise<string[]> {
      const appends = events.map(appendOf);
      await store.append(appends);
      return appends.flatMap((append) =>
        append.events.filter(({ type }) => SOME.includes(type)).map(({ id }) => id),
      );
    }

    async function positionOf(name: string): Promise<string> {
      const { rows } = await pool.query<{ position: string | null }>(
        'select position from state.reactors where name = $1',
        [name],
      );
      return rows[0]?.position ?? '';
    }

    const caughtUp = async (name = 'recorder'): Promise<unknown> => {
      const head = (await store.head()) ?? '';
      return eventually(
        () => positionOf(name),
        (position) => position >= head,
      );
    };

    it('store their position after handled events only', async () => {
      const passed = new OneByOneStore();
      store = passed;
      const reactor = recorder({ types: SOME });
      await run(reactor, failTest, { renewMs: NEVER_MS });
      const before = await positionOf('recorder');
      await appendNotes(others(20));
      await eventually(
        () => passed.taken,
        (taken) => taken === 20,
      );
      expect(await positionOf('recorder')).toBe(before);
      const handled = await appendNotes([note()]);
      await caughtUp();
      expect(reactor.jobs).toEqual(handled);
    });

    it('store their position after other events with the next renewal', async () => {
      const reactor = recorder({ types: SOME });
      await run(reactor, failTest, { renewMs: 10 });
      await appendNotes(others(20));
      await caughtUp();
      expect(reactor.jobs).toEqual([]);
    });

    it('store it when they stop', async () => {
      const passed = new OneByOneStore();
      store = passed;
      const runner = await run(recorder({ types: SOME }), failTest, { renewMs: NEVER_MS });
      await appendNotes(others(20));
      await eventually(
        async () => passed.taken,
        (taken) => taken === 20,
      );
      await runner.stop();
      expect(await positionOf('recorder')).toBe(await store.head());
    });

    it('handle each event once and in order across restarts', async () => {
      const handled: string[] = [];
      const reactor = recorder({ types: SOME });
      for (let round = 0; round < 5; round += 1) {
        const runner = await run(reactor);
        handled.push(...(await appendNotes(randomNotes(40, round))));
        await eventually(async () => reactor.jobs, hasAll(handled));
        await runner.stop();
      }
      expect(reactor.jobs).toEqual(handled);
    });

    it('lose no events after a process dies before it stores its position', async () => {
      const process = mortal(pool);
      const first = recorder({ types: SOME });
      const dying = await run(first, failTest, { pool: process.pool });
      const before = await appendNotes([note(), ...others(3)]);
      await eventually(async () => first.jobs, hasAll(before));
      await caughtUp();
      process.die();
      const after = await appendNotes([note(), ...others(3), note()]);
      await eventually(async () => first.jobs, hasAll(after));
      await dying.stop();
      await pool.query('update state.reactors set expires_at = null');
      const second = recorder({ types: SOME });
      await run(second);
      const later = await appendNotes([...others(2), note()]);
      await eventually(async () => second.jobs, hasAll(later));
      expect(second.jobs).toEqual([...after, ...later]);
    });

    it('pass undecodable events of other types', async () => {
      store = new UndecodableStore('SomethingElse');
      const reactor = recorder({ types: SOME });
      await run(reactor);
      const handled = await appendNotes([...others(1), note()]);
      await eventually(async () => reactor.jobs, hasAll(handled));
    });
  });
});

/** Delivers events in batches of one. */
class OneByOneStore extends InMemoryEventStore {
  /** Events that the subscriber has processed. */
  taken = 0;

  override async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const batch of super.subscribe({ ...options, batchSize: 1 })) {
      yield batch;
      this.taken += batch.length;
    }
  }
}

/** Delivers events of one type as undecodable. */
class UndecodableStore extends InMemoryEventStore {
  constructor(private readonly type: string) {
    super();
  }

  override async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const batch of super.subscribe(options))
      yield batch.map((event) => (event.type === this.type ? { ...event, undecodable: 'unknown' } : event));
  }
}

/** A pool that ignores updates of the position after `die`. */
function mortal(pool: Pool): { readonly pool: Pool; die(): void } {
  let isDead = false;
  const query = (text: string, values: unknown[]): Promise<unknown> =>
    isDead && text.includes('set position')
      ? Promise.resolve({ rowCount: 1, rows: [] })
      : pool.query(text, values);
  return { pool: Object.create(pool, { query: { value: query } }) as Pool, die: () => void (isDead = true) };
}
