import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent, SubscribeOptions } from '@nimo/event-store';
import { EndingStore, InMemoryEventStore, someQueries } from '@nimo/event-store/testing';
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

  it('move to the process whose duty they are, which goes on where they were', async () => {
    let onDuty = 'first';
    const [first, second] = [recorder(), recorder()];
    await run(first, failTest, { renewMs: 10, isOnDuty: () => onDuty === 'first' });
    await run(second, failTest, { renewMs: 10, isOnDuty: () => onDuty === 'second' });
    const one = await append(5);
    await eventually(async () => first.jobs, hasAll(one));
    onDuty = 'second';
    const two = await append(5);
    await eventually(async () => [...first.jobs, ...second.jobs], hasAll(two));
    const three = await append(5);
    await eventually(async () => second.jobs, hasAll(three));
    expect([...first.jobs, ...second.jobs]).toEqual([...one, ...two, ...three]);
  });

  it('start at the head of the log, and go on where they were', async () => {
    const past = await append(5);
    const reactor = recorder();
    const first = await run(reactor);
    const present = await append(5);
    await eventually(async () => reactor.jobs, hasAll(present));
    await first.stop();
    const meanwhile = await append(5);
    await run(reactor);
    await eventually(async () => reactor.jobs, hasAll(meanwhile));
    expect(reactor.jobs).toEqual([...present, ...meanwhile]);
    expect(reactor.jobs).not.toContain(past[0]);
  });

  it('rest before they begin again, though their subscription ended without an error', async () => {
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
      async () => ending.begun,
      (begun) => begun > 0,
    );
    await someQueries(pool);
    expect(ending.begun).toBe(1);
  });

  it('start at the beginning when they are told to', async () => {
    const past = await append(5);
    const reactor = recorder({ startsAt: 'beginning' });
    await run(reactor);
    await eventually(async () => reactor.jobs, hasAll(past));
  });

  it('try an effect again that fails, in order and without leaving it out', async () => {
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

  it('run in one process at a time; the next one takes over, and may repeat but not lose', async () => {
    const one = recorder();
    const two = recorder();
    const first = await run(one);
    await run(two);
    const ids = await append(10);
    await eventually(async () => [...one.jobs, ...two.jobs], hasAll(ids));
    expect([one.jobs.length, two.jobs.length].sort()).toEqual([0, 10]);
    // The leader falls silent in the eyes of the database.
    await pool.query(`update state.reactors set expires_at = clock_timestamp() - interval '1 s'`);
    const later = await append(10);
    await eventually(async () => [...one.jobs, ...two.jobs], hasAll(later));
    await first.stop();
    const last = await append(3);
    await eventually(async () => two.jobs, hasAll(last));
  });

  describe('that handle some types only', () => {
    const note = (): NoteEvent => ({ type: 'NoteDeleted', id: randomUUID() });
    const others = (count: number): NoteEvent[] =>
      Array.from({ length: count }, () => ({ type: 'SomethingElse' }));
    const SOME = ['NoteDeleted', 'NoteWritten'];
    /** No renewal comes to pass while a test goes on. */
    const NEVER_MS = 600_000;

    /** @returns the ids of those that are to be handled */
    async function happen(events: readonly NoteEvent[]): Promise<string[]> {
      const appends = events.map(appendOf);
      await store.append(appends);
      return appends.flatMap((append) =>
        append.events.filter(({ type }) => SOME.includes(type)).map(({ id }) => id),
      );
    }

    async function placeOf(name: string): Promise<string> {
      const { rows } = await pool.query<{ position: string | null }>(
        'select position from state.reactors where name = $1',
        [name],
      );
      return rows[0]?.position ?? '';
    }

    const follows = async (name = 'recorder'): Promise<unknown> => {
      const head = (await store.head()) ?? '';
      return eventually(
        () => placeOf(name),
        (position) => position >= head,
      );
    };

    it('write their place after what they handle, and not after what they pass by', async () => {
      const passed = new OneByOneStore();
      store = passed;
      const reactor = recorder({ types: SOME });
      await run(reactor, failTest, { renewMs: NEVER_MS });
      const before = await placeOf('recorder');
      await happen(others(20));
      await eventually(
        () => passed.taken,
        (taken) => taken === 20,
      );
      expect(await placeOf('recorder')).toBe(before);
      const handled = await happen([note()]);
      await follows();
      expect(reactor.jobs).toEqual(handled);
    });

    it('note by the renewal how far they are past what they pass by', async () => {
      const reactor = recorder({ types: SOME });
      await run(reactor, failTest, { renewMs: 10 });
      await happen(others(20));
      await follows();
      expect(reactor.jobs).toEqual([]);
    });

    it('note it when they stop', async () => {
      const passed = new OneByOneStore();
      store = passed;
      const runner = await run(recorder({ types: SOME }), failTest, { renewMs: NEVER_MS });
      await happen(others(20));
      await eventually(
        async () => passed.taken,
        (taken) => taken === 20,
      );
      await runner.stop();
      expect(await placeOf('recorder')).toBe(await store.head());
    });

    it('handle each once and in order over many stops', async () => {
      const handled: string[] = [];
      const reactor = recorder({ types: SOME });
      for (let round = 0; round < 5; round += 1) {
        const runner = await run(reactor);
        handled.push(...(await happen(randomNotes(40, round))));
        await eventually(async () => reactor.jobs, hasAll(handled));
        await runner.stop();
      }
      expect(reactor.jobs).toEqual(handled);
    });

    it('leave out nothing after a process that died before it wrote how far it was', async () => {
      const process = mortal(pool);
      const first = recorder({ types: SOME });
      const dying = await run(first, failTest, { pool: process.pool });
      const before = await happen([note(), ...others(3)]);
      await eventually(async () => first.jobs, hasAll(before));
      await follows();
      process.die();
      const after = await happen([note(), ...others(3), note()]);
      await eventually(async () => first.jobs, hasAll(after));
      await dying.stop();
      await pool.query('update state.reactors set expires_at = null');
      const second = recorder({ types: SOME });
      await run(second);
      const later = await happen([...others(2), note()]);
      await eventually(async () => second.jobs, hasAll(later));
      expect(second.jobs).toEqual([...after, ...later]);
    });

    it('are not held up by an event of another type that nobody can decode', async () => {
      store = new UndecodableStore('SomethingElse');
      const reactor = recorder({ types: SOME });
      await run(reactor);
      const handled = await happen([...others(1), note()]);
      await eventually(async () => reactor.jobs, hasAll(handled));
    });
  });
});

/** Each batch is one event. */
class OneByOneStore extends InMemoryEventStore {
  /** How many the follower is done with. */
  taken = 0;

  override async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const batch of super.subscribe({ ...options, batchSize: 1 })) {
      yield batch;
      this.taken += batch.length;
    }
  }
}

/** Events of that type come as a codec hands them on that does not know them. */
class UndecodableStore extends InMemoryEventStore {
  constructor(private readonly type: string) {
    super();
  }

  override async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const batch of super.subscribe(options))
      yield batch.map((event) => (event.type === this.type ? { ...event, undecodable: 'unknown' } : event));
  }
}

/** The pool of a process that writes its place no more once it has died. */
function mortal(pool: Pool): { readonly pool: Pool; die(): void } {
  let isDead = false;
  const query = (text: string, values: unknown[]): Promise<unknown> =>
    isDead && text.includes('set position')
      ? Promise.resolve({ rowCount: 1, rows: [] })
      : pool.query(text, values);
  return { pool: Object.create(pool, { query: { value: query } }) as Pool, die: () => void (isDead = true) };
}
