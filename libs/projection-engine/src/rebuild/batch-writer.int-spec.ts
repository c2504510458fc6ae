import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, fc, type TestDatabase } from '@nimo/testing';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Column, Projection, Row } from '../projection.js';
import type { RecordedEvent } from '@nimo/event-store';
import { allEvents, failTest, projectionContract, replay, storeOf } from '../testing.js';
import { applyBatch } from './batch-writer.js';
import { GenerationTables } from '../generations/generation-tables.js';
import { applyTogether } from '../worker/live-tick.js';
import { projectedBatch } from './projected-batch.js';
import { canonicalHash } from '../storage/compare-tables.js';
import { type Checkpoint, LeaseLostError, type Lease, Leases } from '../bookkeeping/leases.js';
import { TableFold } from '../folding/fold-batch.js';
import { findGeneration } from '../generations/generations.js';
import { prepareProjections } from '../generations/prepare-projections.js';
import { TableStatements } from '../storage/table-statements.js';
import { createTableSql, tableShapes } from '../storage/table-shape.js';
import { appendOf, type NoteEvent, notesProjection, randomNotes } from '../testing/notes.fixture.js';

const START = { position: null, ordinal: 0 };

type Apply = (from: Checkpoint, events: readonly RecordedEvent[]) => Promise<Checkpoint>;

/** Live generations apply batches together, or alone after a failure. */
const MODES: readonly (readonly [string, (pool: Pool, tables: GenerationTables) => Apply])[] = [
  [
    'together with others',
    (pool, tables) => async (from, events) => {
      const batch = { ...projectedBatch(from, events, new Set()), tables };
      const failed = await applyTogether(pool, [batch]);
      if (failed.has(batch)) throw failed.get(batch);
      return batch.to;
    },
  ],
  [
    'alone',
    (pool, tables) => (from, events) => applyBatch(pool, tables, projectedBatch(from, events, new Set())),
  ],
];

projectionContract(notesProjection(), (seed) => ({ appends: randomNotes(400, seed).map(appendOf) }));

describe.each(MODES)('a batch applied %s', (_, applying) => {
  let database: TestDatabase;
  let pool: Pool;
  const held: { leases: Leases; lease: Lease }[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.pool();
  });
  afterAll(async () => {
    await Promise.all(held.map(({ leases, lease }) => leases.release(lease)));
    await database.drop();
  });

  function uniqueName(): string {
    return `notes_${randomUUID().slice(0, 8)}`;
  }

  async function acquire(projection: Projection): Promise<{ apply: Apply; lease: Lease }> {
    const leases = new Leases(pool, failTest);
    const lease = await leases.acquire(projection.name, 1);
    if (!lease) throw new Error('the lease is taken');
    held.push({ leases, lease });
    return { apply: applying(pool, new GenerationTables(projection, lease)), lease };
  }

  async function expire({ name, generation }: Lease): Promise<void> {
    await pool.query(
      `update read.projection_generations set expires_at = clock_timestamp() - interval '1 s'
       where name = $1 and generation = $2`,
      [name, generation],
    );
  }

  const isApplied = (applied: Promise<Checkpoint>): Promise<boolean> =>
    applied.then(
      () => true,
      () => false,
    );

  async function eventsOf(...notes: readonly NoteEvent[]) {
    return allEvents(await storeOf(notes.map(appendOf)));
  }

  it('updates counters, and deletes those that reach zero', async () => {
    const name = uniqueName();
    const projection = notesProjection({ name });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const { apply } = await acquire(projection);
    const events = await eventsOf(
      { type: 'NoteWritten', id: '1', author: 'ann', text: 'one' },
      { type: 'NoteWritten', id: '2', author: 'ann', text: 'two' },
      { type: 'NoteEdited', id: '2', text: 'two!' },
      { type: 'NoteHandedOver', id: '1', author: 'ben' },
      { type: 'NoteDeleted', id: '2' },
    );
    const counters = async () =>
      (
        await pool.query<Row>(
          `select author, notes::int, edits::int from read.${name}_by_author order by author`,
        )
      ).rows;
    let checkpoint = await apply(START, events.slice(0, 3));
    expect(await counters()).toEqual([{ author: 'ann', notes: 2, edits: 1 }]);
    checkpoint = await apply(checkpoint, events.slice(3));
    expect(await counters()).toEqual([{ author: 'ben', notes: 1, edits: 0 }]);
    expect(checkpoint).toEqual({ position: events.at(-1)?.position, ordinal: 5 });
  });

  it('runs the batch end in the same transaction, on the written rows', async () => {
    const name = uniqueName();
    const projection = notesProjection({ name });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const { apply } = await acquire(projection);
    await apply(START, await eventsOf({ type: 'NoteWritten', id: '1', author: 'ann', text: 'four' }));
    const { rows } = await pool.query<Row>(`select author, length::int from read.${name}_longest`);
    expect(rows).toEqual([{ author: 'ann', length: 4 }]);
  });

  it('writes neither rows nor checkpoint if the connection dies between fold and commit', async () => {
    const name = uniqueName();
    let dies = true;
    const projection = notesProjection({
      name,
      onBatchEnd: async (sql) => {
        if (dies) await sql('select pg_terminate_backend(pg_backend_pid())');
      },
    });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const { apply } = await acquire(projection);
    const events = await eventsOf({ type: 'NoteWritten', id: '1', author: 'ann', text: 'one' });
    await expect(apply(START, events)).rejects.toThrow();
    expect((await pool.query(`select 1 from read.${name}`)).rowCount).toBe(0);
    expect(await findGeneration(pool, name, 1)).toMatchObject({ position: null, ordinal: 0 });
    dies = false;
    await apply(START, events);
    expect((await pool.query(`select 1 from read.${name}_by_author`)).rowCount).toBe(1);
  });

  it('is rejected from a former lease holder', async () => {
    const name = uniqueName();
    const projection = notesProjection({ name });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const events = await eventsOf(...randomNotes(20));
    const former = await acquire(projection);
    await expire(former.lease);
    const successor = await acquire(projection);
    expect(successor.lease.epoch).toBe(former.lease.epoch + 1);
    await expect(former.apply(START, events)).rejects.toBeInstanceOf(LeaseLostError);
    expect((await pool.query(`select 1 from read.${name}`)).rowCount).toBe(0);
    await successor.apply(START, events);
    const hash = await canonicalHash(pool, projection, 1);
    await expect(former.apply(START, events)).rejects.toBeInstanceOf(LeaseLostError);
    expect(await canonicalHash(pool, projection, 1)).toBe(hash);
    expect(await replay(pool, projection, events, [3])).toBe(hash);
  });

  it('is rejected after the lease has expired, even if nobody else has acquired it', async () => {
    const projection = notesProjection({ name: uniqueName() });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const { apply, lease } = await acquire(projection);
    await expire(lease);
    const quiet = await eventsOf({ type: 'SomethingElse' });
    const writing = await eventsOf({ type: 'NoteWritten', id: '1', author: 'ann', text: 'one' });
    await expect(apply(START, quiet)).rejects.toBeInstanceOf(LeaseLostError);
    await expect(apply(START, writing)).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('is rejected if it does not start at the checkpoint', async () => {
    const projection = notesProjection({ name: uniqueName() });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const { apply } = await acquire(projection);
    const events = await eventsOf(...randomNotes(10));
    await apply(START, events.slice(0, 5));
    await expect(apply(START, events.slice(0, 5))).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('is applied exactly once when two lease holders race', async () => {
    const name = uniqueName();
    const projection = notesProjection({ name });
    await prepareProjections(pool, new InMemoryEventStore(), [projection]);
    const events = await eventsOf(...randomNotes(60));
    let current = await acquire(projection);
    let checkpoint: { position: string | null; ordinal: number } = START;
    for (let start = 0; start < events.length; start += 3) {
      const former = current;
      const batch = events.slice(start, start + 3);
      const race = [isApplied(former.apply(checkpoint, batch))];
      if (start % 2 === 0) {
        await expire(former.lease);
        current = await acquire(projection).catch(() => former);
        race.push(isApplied(current.apply(checkpoint, batch)));
      }
      const winners = (await Promise.all(race)).filter(Boolean);
      expect(winners.length).toBeLessThanOrEqual(1);
      if (winners.length === 0) {
        current = await acquire(projection);
        await current.apply(checkpoint, batch);
      }
      checkpoint = { position: batch.at(-1)?.position ?? null, ordinal: checkpoint.ordinal + batch.length };
    }
    expect(await replay(pool, projection, events, [7])).toBe(await canonicalHash(pool, projection, 1));
  });
});

describe('columns', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.pool();
  });
  afterAll(() => database.drop());

  const columns: Record<string, Column> = {
    id: { type: 'bigint' },
    part: { type: 'text' },
    label: { type: 'text', nullable: true },
    big: { type: 'bigint', nullable: true },
    small: { type: 'integer', nullable: true },
    flag: { type: 'boolean', nullable: true },
    at: { type: 'timestamptz', nullable: true },
    json: { type: 'jsonb', nullable: true },
    list: { type: 'text[]', nullable: true },
  };
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'NULL',
      '{}',
      '{"a"}',
      ',',
      '"',
      '\\',
      "'",
      '',
      ' ',
      'a\nb\tc',
      '\0',
      '\uD800',
      '🙂',
      'é',
    ),
  );
  const row = fc.record({
    label: fc.option(text),
    big: fc.option(fc.maxSafeInteger()),
    small: fc.option(fc.integer()),
    flag: fc.option(fc.boolean()),
    at: fc.option(
      fc
        .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
    ),
    json: fc.option(fc.jsonValue()),
    list: fc.option(fc.array(fc.option(text))),
  });

  it('are loaded as the fold left them', async () => {
    const projection: Projection = {
      name: 'columns',
      purpose: 'Columns',
      version: 1,
      tables: [
        {
          name: 'columns',
          columns,
          key: ['id', 'part'],
          on: {
            Stored: {
              keys: ({ ordinal, data }) => [[ordinal, (data as unknown as { part: string }).part]],
              fold: (_, { ordinal, data }) => ({ ...(data as unknown as Row), id: ordinal }),
            },
          },
        },
      ],
    };
    const [shape] = tableShapes(projection);
    if (!shape) throw new Error('no table');

    await pool.query(createTableSql(shape, 7));
    const statements = new TableStatements(shape, 7);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(row, text), { minLength: 1, maxLength: 20 }), async (samples) => {
        const events = samples.map(([values, part], index) => ({
          type: 'Stored',
          ordinal: index + 1,
          data: { ...values, part },
        }));
        const [table] = projection.tables;
        if (!table) throw new Error('no table');
        const fold = new TableFold(table, events as never);
        const changes = fold.runSync();
        await statements.write(pool, changes);
        const loaded = await statements.load(pool, fold.missing());
        const byId = (a: Row, b: Row) => Number(a['id']) - Number(b['id']);
        expect([...loaded].sort(byId)).toStrictEqual(changes.map(({ after }) => after as Row).sort(byId));
        await statements.write(
          pool,
          changes.map(({ key, after }) => ({ key, before: after, after: undefined })),
        );
        expect(await statements.load(pool, fold.missing())).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
