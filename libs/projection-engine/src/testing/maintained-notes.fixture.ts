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

/** Of one test. */
interface Desk {
  readonly pool: Pool;
  readonly store: InMemoryEventStore;
  readonly maintenance: ProjectionMaintenance;
  readonly maintainer: ReturnType<typeof maintainerOf>;
  /** Serves since the test began. */
  readonly worker: ProjectionWorker;
}

/** Three hundred notes that a worker serves, and who looks after them; each test of the block has a database of its own. */
export function maintainedNotes() {
  const desk = {} as { -readonly [Part in keyof Desk]: Desk[Part] };
  let database: TestDatabase;
  const errors: unknown[] = [];
  const workers: ProjectionWorker[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    desk.pool = database.pool();
    desk.store = new InMemoryEventStore();
    errors.length = 0;
    desk.maintenance = new ProjectionMaintenance({
      pool: desk.pool,
      store: desk.store,
      projections: [notes],
      lookMs: 5,
    });
    desk.maintainer = maintainerOf(desk.maintenance);
    await append(300);
    desk.worker = await work(notes);
    await liveHash(desk.pool, notes, desk.store);
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
      pool: desk.pool,
      store: desk.store,
      projections,
      onError: (error) => errors.push(error),
      retryMs: 20,
      ...pages,
    });
    workers.push(running);
    await running.start();
    return running;
  }

  /** A worker of the same code that goes no further than some batches until its gate opens. */
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
  /** For a row that a transaction has changed and not committed. */
  async function isSomebodyWaiting(): Promise<boolean> {
    const { rowCount } = await desk.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
    );
    return rowCount !== 0;
  }

  /** Opens the gate once the cancellation had its effect, or is next to the batch behind the gate: before, the switch may come first. */
  async function cancelBehind(open: () => void): Promise<void> {
    const opening = eventually(
      async () => !(await isBuilding()) || (await isSomebodyWaiting()),
      (isCancelling) => isCancelling,
    ).finally(open);
    await Promise.all([desk.maintainer.cancel('notes'), opening]);
  }

  async function append(count: number): Promise<void> {
    await desk.store.append(randomNotes(count).map(appendOf));
  }

  const generations = () => listGenerations(desk.pool, ['notes']);
  async function statuses(): Promise<string[]> {
    return (await generations()).map(({ generation, status }) => `${generation} ${status}`);
  }
  const status = (): Promise<ProjectionStatus> => desk.maintenance.status('notes');
  const acts = async (): Promise<string[]> =>
    (await desk.store.readStream(maintenanceStream('notes'))).map(({ type }) => type);
  const replayed = async (): Promise<string> => replay(desk.pool, notes, await allEvents(desk.store), [100]);
  const switchesTold = async (): Promise<unknown[]> =>
    (await desk.store.readStream(maintenanceStream('notes')))
      .filter(({ type }) => type === 'ProjectionSwitched')
      .map(({ data, metadata }) => ({ ...(data as object), actor: (metadata as CommandMetadata).actor }));

  return {
    ...{ desk: desk as Desk, errors, work, start, workUpTo, isBuilding, cancelBehind },
    ...{ append, generations, statuses, status, acts, replayed, switchesTold, stopAll },
  };
}
