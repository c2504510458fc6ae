import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newClient, type RecordedEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import type { CounterTable, Handler, Key, Projection, Row, Table } from '../projection.js';
import { allEvents, caughtUp, failTest } from '../testing.js';
import { ProjectionWaiter } from '../waiting/projection-waiter.js';
import { ProjectionWorker } from '../worker/projection-worker.js';
import { FreshReader, type FreshRows, type FreshTable } from './fresh-reader.js';
import { eventually } from '../../../../test/eventually.js';

type Cheer = { readonly note: string; readonly fan: string };
const dataOf = ({ data }: { readonly data: object }): Cheer => data as Cheer;

const onCheer = (
  change: (row: Row | undefined, cheer: Cheer, ordinal: number) => Row | undefined,
): Handler => ({
  keys: (event) => [[dataOf(event).note, dataOf(event).fan]],
  fold: (row, event) => change(row, dataOf(event), event.ordinal),
});

const cheers: Table = {
  name: 'cheers',
  columns: {
    note: { type: 'text' },
    fan: { type: 'text' },
    times: { type: 'integer' },
    ordinal: { type: 'bigint' },
  },
  key: ['note', 'fan'],
  on: {
    Cheered: onCheer((row, { note, fan }, ordinal) => ({
      note,
      fan,
      times: Number(row?.['times'] ?? 0) + 1,
      ordinal,
    })),
    Calmed: onCheer(() => undefined),
    // Nobody can fold it.
    Choked: {
      keys: (event) => [[dataOf(event).note, dataOf(event).fan]],
      fold() {
        throw new Error('indigestible');
      },
    },
  },
};
const fans: CounterTable = {
  name: 'cheer_fans',
  key: ['note'],
  counters: ['fans'],
  source: 'cheers',
  increments({ key, before, after }) {
    const by = Number(after !== undefined) - Number(before !== undefined);
    return by === 0 ? [] : [{ key: [String(key[0])], by: { fans: by } }];
  },
};
const projection: Projection = {
  name: 'cheers',
  purpose: 'Cheers',
  version: 1,
  tables: [cheers],
  counters: [fans],
};
const fresh: FreshTable = { projection, table: cheers, counter: fans };

describe('reading rows as they are after an own event', () => {
  let database: TestDatabase;
  let store: InMemoryEventStore;
  let waiter: ProjectionWaiter;
  let worker: ProjectionWorker;
  let isWorking: boolean;
  const note = 'note-1';

  beforeEach(async () => {
    database = await createTestDatabase();
    store = new InMemoryEventStore();
    worker = workerOf();
    waiter = new ProjectionWaiter({
      pool: database.pool(),
      connect: () => newClient({ connectionString: database.url }),
      onError: failTest,
    });
    await worker.start();
    isWorking = true;
    await waiter.start();
  });
  afterEach(async () => {
    await waiter.stop();
    if (isWorking) await worker.stop();
    await database.drop();
  });

  const workerOf = (): ProjectionWorker =>
    new ProjectionWorker({
      pool: database.pool(),
      store,
      projections: [projection],
      onError: () => undefined,
      retryMs: 20,
    });

  const readerOf = (given: Partial<ConstructorParameters<typeof FreshReader>[0]> = {}): FreshReader =>
    new FreshReader({ pool: database.pool(), store, waiter, tables: [fresh], onError: failTest, ...given });

  async function hold(): Promise<void> {
    await worker.stop();
    isWorking = false;
  }

  async function append(type: string, fan: string, on = note): Promise<string> {
    const event = { id: randomUUID(), type, data: { note: on, fan }, metadata: {} };
    const [outcome] = await store.append([
      { streamId: `${on}-${fan}`, expectedRevision: 'any', events: [event] },
    ]);
    if (outcome?.kind !== 'appended') throw new Error('nothing was appended');
    return outcome.position;
  }

  const wanted = (fan: string): { readonly counted: Key; readonly keys: readonly Key[] } => ({
    counted: [note],
    keys: [[note, fan]],
  });

  /** What the events up to one come to. */
  function after(events: readonly RecordedEvent[], fan: string): FreshRows {
    const rows = new Map<string, Row>();
    events.forEach(({ type, data }, index) => {
      const cheer = dataOf({ data });
      if (cheer.note !== note) return;
      const times = Number(rows.get(cheer.fan)?.['times'] ?? 0) + 1;
      if (type === 'Cheered') rows.set(cheer.fan, { note, fan: cheer.fan, times, ordinal: index + 1 });
      if (type === 'Calmed') rows.delete(cheer.fan);
    });
    const own = rows.get(fan);
    return { rows: own ? [own] : [], counts: { fans: rows.size } };
  }

  /** That it is what some events from the first to the own one or a later one come to. */
  async function expectExact(read: FreshRows | undefined, fan: string, position: string): Promise<void> {
    const events = await allEvents(store);
    const own = events.findIndex((event) => event.position === position);
    const possible = events.slice(own).map((_, more) => after(events.slice(0, own + more + 1), fan));
    expect(possible).toContainEqual(read);
  }

  it('is right, and not stale, while no worker goes on', async () => {
    await append('Cheered', 'ann');
    await append('Cheered', 'ben');
    await caughtUp(database.pool(), projection, store);
    await hold();
    const reader = readerOf();
    for (const [type, fan] of [
      ['Cheered', 'ann'],
      ['Cheered', 'chi'],
      ['Calmed', 'ben'],
      ['Cheered', 'ben'],
      ['Calmed', 'ann'],
    ] as const) {
      await append('Cheered', 'dan', 'another note');
      const position = await append(type, fan);
      const read = await reader.read(fresh, position, wanted(fan));
      expect(read).toEqual(after(await allEvents(store), fan));
    }
    const { rows } = await database.pool().query('select fan from read.cheers order by fan');
    expect(rows).toEqual([{ fan: 'ann' }, { fan: 'ben' }]);
  });

  it('is what is stored where a worker is ahead', async () => {
    const position = await append('Cheered', 'ann');
    await append('Cheered', 'ben');
    await append('Calmed', 'ann');
    const last = await append('Cheered', 'ann');
    await caughtUp(database.pool(), projection, store);
    await eventually(
      () => Promise.resolve(waiter.standingOf('cheers')?.position ?? ''),
      (reached) => reached >= last,
    );
    const read = await readerOf().read(fresh, position, wanted('ann'));
    expect(read).toEqual({ rows: [{ note, fan: 'ann', times: 1, ordinal: 4 }], counts: { fans: 2 } });
  });

  async function cheerAndRead(reader: FreshReader, fan: string, times: number): Promise<number> {
    let answered = 0;
    for (let time = 0; time < times; time += 1) {
      const position = await append(time % 3 === 2 ? 'Calmed' : 'Cheered', fan);
      const read = await reader.read(fresh, position, wanted(fan));
      if (!read) continue;
      answered += 1;
      await expectExact(read, fan, position);
    }
    return answered;
  }

  it('is exact while others change the same rows and a worker runs', async () => {
    const reader = readerOf();
    const answered = await Promise.all(
      ['ann', 'ben', 'chi', 'dan'].map((fan) => cheerAndRead(reader, fan, 20)),
    );
    expect(answered).toEqual([20, 20, 20, 20]);
  });

  it('is exact while a generation takes the place of another', async () => {
    const reader = readerOf();
    await cheerAndRead(reader, 'ann', 5);
    const maintenance = new ProjectionMaintenance({
      pool: database.pool(),
      store,
      projections: [projection],
    });
    const rebuilt = maintenance.rebuild('cheers');
    const over = new AbortController();
    const ended = rebuilt.finally(() => over.abort());
    let answered = 0;
    while (!over.signal.aborted) answered += await cheerAndRead(reader, 'ben', 3);
    await ended;
    answered += await cheerAndRead(reader, 'ann', 5);
    expect(answered).toBeGreaterThan(5);
    const { rows } = await database
      .pool()
      .query(`select generation from read.projection_generations where status = 'live'`);
    expect(rows).toEqual([{ generation: 2 }]);
  });

  it('leaves it to waiting where a generation is behind what was heard of', async () => {
    await append('Cheered', 'ann');
    await caughtUp(database.pool(), projection, store);
    await hold();
    const position = await append('Cheered', 'ann');
    const ahead = { standingOf: () => ({ position, isStopped: false }) };
    expect(await readerOf({ waiter: ahead }).read(fresh, position, wanted('ann'))).toBeUndefined();
  });

  it('leaves it to waiting where the generation is of other code', async () => {
    const position = await append('Cheered', 'ann');
    const other: FreshTable = { ...fresh, projection: { ...projection, version: 2 } };
    expect(await readerOf({ tables: [other] }).read(other, position, wanted('ann'))).toBeUndefined();
  });

  it('leaves it to waiting where there is too much between', async () => {
    await caughtUp(database.pool(), projection, store);
    await hold();
    const reader = readerOf({ atMost: 4 });
    const answered: boolean[] = [];
    for (let count = 0; count < 6; count += 1) {
      const read = await reader.read(fresh, await append('Cheered', `fan-${count}`), wanted('fan-0'));
      answered.push(read !== undefined);
    }
    expect(answered).toEqual([true, true, true, true, false, false]);
    worker = workerOf();
    await worker.start();
    isWorking = true;
    const position = await append('Cheered', 'fan-6');
    await waiter.waitFor(['cheers'], position, 60_000);
    expect(await reader.read(fresh, position, wanted('fan-6'))).toMatchObject({ counts: { fans: 7 } });
  });

  it('leaves it to waiting where an event cannot be folded, and leaves it out once it is skipped', async () => {
    const failures: unknown[] = [];
    const reader = readerOf({ onError: (error) => failures.push(error) });
    await append('Cheered', 'ann');
    await caughtUp(database.pool(), projection, store);
    await hold();
    await append('Choked', 'ann');
    const position = await append('Cheered', 'ann');
    expect(await reader.read(fresh, position, wanted('ann'))).toBeUndefined();
    expect(failures).toHaveLength(1);

    const choked = (await allEvents(store)).find(({ type }) => type === 'Choked');
    await database
      .pool()
      .query(
        `update read.projection_generations set skipped = jsonb_build_array(jsonb_build_object('eventId', $1::text))`,
        [choked?.id],
      );
    expect(await reader.read(fresh, position, wanted('ann'))).toEqual({
      rows: [{ note, fan: 'ann', times: 2, ordinal: 3 }],
      counts: { fans: 1 },
    });
  });

  it('leaves it to waiting where the projection has stopped', async () => {
    await append('Choked', 'ann');
    await eventually(
      () => Promise.resolve(waiter.standingOf('cheers')?.isStopped),
      (isStopped) => isStopped === true,
    );
    const position = await append('Cheered', 'ben');
    expect(await readerOf().read(fresh, position, wanted('ben'))).toBeUndefined();
    // Also where nobody has heard of it yet.
    const deaf = { standingOf: () => ({ position: '', isStopped: false }) };
    expect(await readerOf({ waiter: deaf }).read(fresh, position, wanted('ben'))).toBeUndefined();
  });

  it('is not made for a counter that counts by something else', () => {
    const counter: CounterTable = { ...fans, key: ['fan'] };
    expect(() => readerOf({ tables: [{ ...fresh, counter }] })).toThrow(TypeError);
  });
});
