import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { maintenanceStream } from '../bookkeeping/maintenance-commands.js';
import { findGeneration } from '../generations/generations.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import { liveHash } from '../testing.js';
import { interceptPool } from '../testing/intercepted-pool.fixture.js';
import { appendOf, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import { ProjectionWorker } from './projection-worker.js';

describe('a verification that finds a difference', () => {
  const notes = notesProjection();
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let worker: ProjectionWorker;
  let maintenance: ProjectionMaintenance;
  const errors: unknown[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    errors.length = 0;
    maintenance = new ProjectionMaintenance({ pool, store, projections: [notes], pollMs: 5 });
    await append(300);
    worker = work(pool);
    await worker.start();
    await liveHash(pool, notes, store);
  });
  afterEach(async () => {
    await worker.stop();
    await database.drop();
    expect(errors).toEqual([]);
  });

  const work = (through: Pool): ProjectionWorker =>
    new ProjectionWorker({
      ...{ pool: through, store, projections: [notes], retryMs: 20, pageSize: 20 },
      onError: (error) => errors.push(error),
    });
  const append = (count: number): Promise<unknown> => store.append(randomNotes(count).map(appendOf));
  const lastCommand = async (): Promise<unknown> =>
    (await store.readStream(maintenanceStream('notes'))).at(-1)?.data;

  it('reports differing rows and columns, and logs only their number', async () => {
    const { rows } = await pool.query<{ id: string }>(
      'select id from read.notes__g1 order by id collate "C" limit 2',
    );
    const [changed, lost] = rows.map(({ id }) => id);
    await pool.query(`update read.notes__g1 set edits = edits + 1, text = 'other' where id = $1`, [changed]);
    await pool.query('delete from read.notes__g1 where id = $1', [lost]);
    await pool.query(`insert into read.notes_longest__g1 (author, length) values ('nobody', 1)`);
    const result = await maintenance.verify('notes');
    expect(result?.named).toEqual([
      { table: 'notes', key: { id: changed }, fault: 'CHANGED', columns: ['text', 'edits'] },
      { table: 'notes', key: { id: lost }, fault: 'MISSING', columns: [] },
      { table: 'notes_longest', key: { author: 'nobody' }, fault: 'SURPLUS', columns: [] },
    ]);
    const differing = [
      { table: 'notes', rows: 2 },
      { table: 'notes_longest', rows: 1 },
    ];
    expect(result?.differing).toEqual(differing);
    expect(await lastCommand()).toMatchObject({ outcome: 'DIFFERENT', differing });
    expect(JSON.stringify(await lastCommand())).not.toContain('nobody');
  });

  it('counts all differing rows and reports 20', async () => {
    await pool.query(
      `insert into read.notes_longest__g1 (author, length) select 'nobody ' || n, 1 from generate_series(1, 30) n`,
    );
    const result = await maintenance.verify('notes');
    expect(result?.differing).toEqual([{ table: 'notes_longest', rows: 30 }]);
    expect(result?.named).toHaveLength(20);
  });

  it('retries if the live generation is locked for too long', async () => {
    await worker.stop();
    const holder = await pool.connect();
    let queries = 0;
    const intercepted = interceptPool(
      pool,
      `select 1 from read.projection_generations where name = $1 and status`,
      async () => {
        queries += 1;
        if (queries === 1)
          await holder.query(
            `begin; select 1 from read.projection_generations where status = 'live' for update`,
          );
        else if (queries === 2) await holder.query('commit');
      },
    );
    await pool.query(`insert into read.notes_longest__g1 (author, length) values ('nobody', 1)`);
    worker = work(intercepted);
    await worker.start();
    const result = await maintenance.verify('notes');
    holder.release();
    expect(queries).toBeGreaterThan(1);
    expect(result?.named).toMatchObject([{ table: 'notes_longest', fault: 'SURPLUS' }]);
  });

  it('reports no error if it is cancelled, and its tables dropped, while it compares', async () => {
    await worker.stop();
    let cancelled = 0;
    const intercepted = interceptPool(pool, 'lock table read.notes__g2', async () => {
      cancelled += 1;
      await maintenance.request({ type: 'ProjectionVerificationCancelled', data: { projection: 'notes' } });
      await eventually(async () => (await findGeneration(pool, 'notes', 2)) === undefined);
    });
    worker = work(intercepted);
    await worker.start();
    expect(await maintenance.verify('notes')).toBeUndefined();
    expect(cancelled).toBe(1);
  });

  it('reports only wrong rows under constant writes', async () => {
    const { rows } = await pool.query<{ id: string }>(
      'update read.notes__g1 set written_ordinal = 0 returning id',
    );
    const wrong = rows.map(({ id }) => id);
    const done = new AbortController();
    const writing = (async () => {
      for (let round = 0; round < 100 && !done.signal.aborted; round += 1) {
        await append(5);
        await pool.query('select 1');
      }
    })();
    const result = await maintenance.verify('notes');
    done.abort();
    await writing;
    expect(result?.outcome).toBe('DIFFERENT');
    expect(result?.named.length).toBeGreaterThan(0);
    expect(wrong).toEqual(expect.arrayContaining(result?.named.map(({ key }) => key['id']) ?? []));
  });
});
