import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { EndingStore, someQueries } from '../../../../test/ending-store.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.js';
import { eventually, failTest } from '../testing.js';
import { type Reactor, ReactorRunner } from './reactor-runner.js';
import { appendOf, randomNotes } from './testing/notes.fixture.js';

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

  async function run(reactor: Reactor, onError: (error: unknown) => void = failTest): Promise<ReactorRunner> {
    const runner = new ReactorRunner({ pool, store, reactors: [reactor], onError, retryMs: 10 });
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
    return { name: 'recorder', jobs, handle: async (_, jobId) => void jobs.push(jobId), ...options };
  }

  const hasAll = (ids: readonly string[]) => (jobs: readonly string[]) =>
    ids.every((id) => jobs.includes(id));

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
});
