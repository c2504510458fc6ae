import { afterEach, beforeEach } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { type CommandMetadata, maintenanceStream } from '../bookkeeping/maintenance-commands.js';
import { listGenerations } from '../generations/generations.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import type { ProjectionStatus } from '../maintenance/projection-status.js';
import type { Projection } from '../projection.js';
import { allEvents, liveHash, maintainerOf, replay } from '../testing.js';
import { ProjectionWorker } from '../worker/projection-worker.js';
import { appendOf, notesProjection, randomNotes } from './notes.fixture.js';

export const notes = notesProjection();

interface MaintainedNotes {
  readonly pool: Pool;
  readonly store: InMemoryEventStore;
  readonly maintenance: ProjectionMaintenance;
  readonly maintainer: ReturnType<typeof maintainerOf>;
  /** Running since the start of the test. */
  readonly worker: ProjectionWorker;
}

/** 300 notes, a worker that projects them, and a maintainer. Each test of the block gets its own database. */
export function maintainedNotes() {
  const fixture = {} as { -readonly [Part in keyof MaintainedNotes]: MaintainedNotes[Part] };
  let database: TestDatabase;
  const errors: unknown[] = [];
  const workers: ProjectionWorker[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    fixture.pool = database.pool();
    fixture.store = new InMemoryEventStore();
    errors.length = 0;
    fixture.maintenance = new ProjectionMaintenance({
      pool: fixture.pool,
      store: fixture.store,
      projections: [notes],
      pollMs: 5,
    });
    fixture.maintainer = maintainerOf(fixture.maintenance);
    await append(300);
    fixture.worker = await work(notes);
    await liveHash(fixture.pool, notes, fixture.store);
  });
  afterEach(async () => {
    await stopAll();
    await database.drop();
  });

  async function stopAll(): Promise<void> {
    await Promise.all(workers.splice(0).map((running) => running.stop()));
  }

  async function work(projection: Projection, ...others: readonly Projection[]): Promise<ProjectionWorker> {
    // Every page is flushed.
    return start([projection, ...others], { pageSize: 20, buildBytes: 1 });
  }

  async function start(
    projections: readonly Projection[],
    pages: { readonly pageSize?: number; readonly buildBytes?: number; readonly pool?: Pool },
  ): Promise<ProjectionWorker> {
    const running = new ProjectionWorker({
      pool: fixture.pool,
      store: fixture.store,
      projections,
      onError: (error) => errors.push(error),
      retryMs: 20,
      ...pages,
    });
    workers.push(running);
    await running.start();
    return running;
  }

  /** Starts a worker that pauses after some batches until `open` is called. */
  async function workUpTo(
    batches: number,
  ): Promise<{ readonly open: () => void; readonly worker: ProjectionWorker }> {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let seen = 0;
    const gated = notesProjection({
      onBatchEnd: async () => {
        seen += 1;
        if (seen > batches) await gate;
      },
    });
    return { open, worker: await work(gated) };
  }

  const isBuilding = async (): Promise<boolean> =>
    (await generations()).some(({ status: is }) => is === 'building');
  /** Whether a transaction waits for a row changed by another. */
  async function isAnyoneWaiting(): Promise<boolean> {
    const { rowCount } = await fixture.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
    );
    return rowCount !== 0;
  }

  /** Cancels, and opens the gate once the cancellation has taken effect or waits for the gated batch. Any earlier, the switch might win. */
  async function cancelThenOpen(open: () => void): Promise<void> {
    const opening = eventually(
      async () => !(await isBuilding()) || (await isAnyoneWaiting()),
      (isCancelling) => isCancelling,
    ).finally(open);
    await Promise.all([fixture.maintainer.cancel('notes'), opening]);
  }

  async function append(count: number): Promise<void> {
    await fixture.store.append(randomNotes(count).map(appendOf));
  }

  const generations = () => listGenerations(fixture.pool, ['notes']);
  async function statuses(): Promise<string[]> {
    return (await generations()).map(({ generation, status }) => `${generation} ${status}`);
  }
  const status = (): Promise<ProjectionStatus> => fixture.maintenance.status('notes');
  const commandTypes = async (): Promise<string[]> =>
    (await fixture.store.readStream(maintenanceStream('notes'))).map(({ type }) => type);
  const replayed = async (): Promise<string> =>
    replay(fixture.pool, notes, await allEvents(fixture.store), [100]);
  const reportedSwitches = async (): Promise<unknown[]> =>
    (await fixture.store.readStream(maintenanceStream('notes')))
      .filter(({ type }) => type === 'ProjectionSwitched')
      .map(({ data, metadata }) => ({ ...(data as object), actor: (metadata as CommandMetadata).actor }));

  return {
    ...{ fixture: fixture as MaintainedNotes, errors, work, start, workUpTo, isBuilding, cancelThenOpen },
    ...{ append, generations, statuses, status, commandTypes, replayed, reportedSwitches, stopAll },
  };
}
