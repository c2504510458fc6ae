import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import type { Projection } from '../projection.js';
import { liveHash, maintainerOf } from '../testing.js';
import { ProjectionMaintenance } from './projection-maintenance.js';
import { ProjectionWorker } from '../worker/projection-worker.js';
import { appendOf, notesProjection } from '../testing/notes.fixture.js';

describe('poison event', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  const workers: ProjectionWorker[] = [];
  let isPoisonous = false;
  const projectionOf = (version = 1): Projection =>
    notesProjection({
      version,
      refuse(event) {
        if (isPoisonous && event.type === 'NoteWritten' && event.text === 'poison')
          throw new Error('refused');
      },
    });
  const bad = projectionOf();

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    isPoisonous = true;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((running) => running.stop()));
    await database.drop();
  });

  async function work(projection: Projection): Promise<ProjectionWorker> {
    const worker = new ProjectionWorker({
      pool,
      store,
      projections: [projection],
      onError: () => undefined,
      retryMs: 20,
    });
    workers.push(worker);
    await worker.start();
    return worker;
  }
  const maintenanceOf = (projection: Projection) =>
    new ProjectionMaintenance({ pool, store, projections: [projection], pollMs: 5 });
  const poison = appendOf({ type: 'NoteWritten', id: 'x', author: 'ann', text: 'poison' });
  const fine = appendOf({ type: 'NoteWritten', id: 'y', author: 'ann', text: 'fine' });
  const notes = async (): Promise<string[]> =>
    (await pool.query<{ id: string }>('select id from read.notes order by id')).rows.map(({ id }) => id);

  async function stopAtPoison(): Promise<void> {
    await store.append([poison, fine]);
    await work(bad);
    const { state, error } = await eventually(
      () => maintenanceOf(bad).status('notes'),
      (status) => status.state === 'STOPPED',
    );
    expect([state, error]).toMatchObject([
      'STOPPED',
      { message: 'refused', ordinal: 1, eventType: 'NoteWritten' },
    ]);
  }

  it('is read from the log, with the projections stopped at it', async () => {
    await stopAtPoison();
    expect(await maintenanceOf(bad).stoppedEvents()).toMatchObject([
      { ordinal: 1, eventType: 'NoteWritten', projections: ['notes'], event: { data: { text: 'poison' } } },
    ]);
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'No longer needed');
    expect(await maintenanceOf(bad).stoppedEvents()).toEqual([]);
  });

  it('is applied on a retry once the code can handle it', async () => {
    await stopAtPoison();
    isPoisonous = false;
    await maintainerOf(maintenanceOf(bad)).retry('notes');
    await liveHash(pool, bad, store);
    expect(await notes()).toEqual(['x', 'y']);
  });

  it('is skipped with a reason, which the status shows', async () => {
    await stopAtPoison();
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'No longer needed');
    await liveHash(pool, bad, store);
    expect(await notes()).toEqual(['y']);
    expect((await maintenanceOf(bad).status('notes')).skipped).toMatchObject([
      { ordinal: 1, eventType: 'NoteWritten', reason: 'No longer needed' },
    ]);
  });

  it('stays skipped after the read side was dropped and rebuilt', async () => {
    await stopAtPoison();
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'No longer needed');
    const hash = await liveHash(pool, bad, store);
    await Promise.all(workers.splice(0).map((running) => running.stop()));
    await pool.query('drop schema read cascade');
    await work(bad);
    expect(await liveHash(pool, bad, store)).toBe(hash);
    expect(await notes()).toEqual(['y']);
    expect(await maintenanceOf(bad).verify('notes')).toMatchObject({ outcome: 'EQUAL' });
    expect(await maintenanceOf(bad).rebuild('notes')).toBe('switched');
    expect(await notes()).toEqual(['y']);
  });

  it('is tried again by a later version', async () => {
    await stopAtPoison();
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'No longer needed');
    await liveHash(pool, bad, store);
    isPoisonous = false;
    const repaired = projectionOf(2);
    await work(repaired);
    await eventually(
      () => maintenanceOf(repaired).status('notes'),
      ({ live }) => live?.version === 2,
    );
    expect(await notes()).toEqual(['x', 'y']);
    expect((await maintenanceOf(repaired).status('notes')).skipped).toEqual([]);
  });

  it('stops only the rebuild if the live generation has passed it', async () => {
    isPoisonous = false;
    await store.append([poison, fine]);
    await work(bad);
    const hash = await liveHash(pool, bad, store);
    isPoisonous = true;
    const maintenance = maintenanceOf(bad);
    await expect(maintenance.rebuild('notes')).rejects.toThrow('refused');
    expect(
      await eventually(
        () => maintenance.status('notes'),
        ({ state }) => state === 'FOLLOWING',
      ),
    ).toMatchObject({ rebuild: { error: { ordinal: 1 } } });
    expect(await liveHash(pool, bad, store)).toBe(hash);
    isPoisonous = false;
    await maintainerOf(maintenance).retry('notes');
    expect(await maintenance.watchRebuild('notes')).toBe('switched');
    expect(await liveHash(pool, bad, store)).toBe(hash);
  });
});
