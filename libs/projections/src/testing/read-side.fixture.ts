import { newClient } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createProjectedDatabase } from './projected-database.js';
import { projections } from '../registry.js';
import { ProjectionMaintenance, ProjectionWaiter, ProjectionWorker } from '@nimo/projection-engine';
import type { EventHistory } from './event-history.fixture.js';

/** Only ends a hang. A slow machine must not fail a test. */
const TIMEOUT_MS = 200_000;

const NAMES = projections.map(({ name }) => name);

/** A database with all read models, maintained by a projection worker. */
export async function openReadSide() {
  const database = await createProjectedDatabase();
  const pool = database.pool();
  const store = new InMemoryEventStore();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const worker = new ProjectionWorker({ pool, store, projections, onError });
  const waiter = new ProjectionWaiter({
    pool,
    connect: () => newClient({ connectionString: database.url }),
    onError,
  });
  await worker.start();
  await waiter.start();
  let recorded = 0;
  return {
    pool,
    store,
    url: database.url,
    /** Appends the new events of the history, up to `upTo` in total, and waits until every projection has processed them. */
    async record(past: EventHistory, upTo = past.events.length): Promise<void> {
      if (upTo <= recorded) return;
      const outcomes = await store.append(past.appends.slice(recorded, upTo));
      recorded = upTo;
      const last = outcomes.at(-1);
      if (last?.kind !== 'appended') throw new Error('nothing was appended');
      const { stale } = await waiter.waitFor(NAMES, last.position, TIMEOUT_MS);
      if (stale) throw new AggregateError(errors, 'the projections did not catch up');
    },
    /** Rebuilds a projection from the log and switches to the new generation. */
    async rebuild(name: string): Promise<void> {
      const maintenance = new ProjectionMaintenance({ pool, store, projections, pollMs: 5 });
      const outcome = await maintenance.rebuild(name);
      if (outcome !== 'switched') throw new Error(`${name} was not rebuilt: ${outcome}`);
      // Records the switch in the log now, ahead of the worker.
      await maintenance.applyCommands(name);
    },
    async close(): Promise<void> {
      await waiter.stop();
      await worker.stop();
      await store.close();
      await database.drop();
    },
  };
}

export type ReadSide = Awaited<ReturnType<typeof openReadSide>>;
