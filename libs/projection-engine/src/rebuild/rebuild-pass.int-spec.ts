import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { historySeed } from '../../../../test/seed.js';
import { SeededRandom } from '../../../../test/seeded-random.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.js';
import { type Checkpoint, type Lease, Leases } from '../bookkeeping/leases.js';
import { createGeneration, findGeneration, withProjectionLock } from '../generations/generations.js';
import type { Projection } from '../projection.js';
import { canonicalHash } from '../storage/compare-tables.js';
import {
  PROJECTION_ACTS_DDL,
  PROJECTION_ASKED_DDL,
  PROJECTION_BOOKKEEPING_DDL,
} from '../bookkeeping/bookkeeping.js';
import { allEvents, failTest, replay, storeOf } from '../testing.js';
import { appendOf, type NoteEvent, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import { BuildBudget } from './rebuild-throttle.js';
import { type Builder, BuildPass, type Landing, goTogether } from './rebuild-pass.js';
import { GenerationTables } from '../storage/generation-tables.js';

const seed = historySeed();
const NEVER = new AbortController().signal;
const LARGE = 2 ** 30;
/** Less than a page has. */
const TINY = 3_000;

describe(`generations that are built together (NIMO_HISTORY_SEED=${seed})`, () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: EventStore;
  let events: readonly RecordedEvent[];
  const leases = new Map<Lease, Leases>();
  /** Events that were read. */
  let read = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    await pool.query([PROJECTION_BOOKKEEPING_DDL, PROJECTION_ACTS_DDL, PROJECTION_ASKED_DDL].join(';'));
    const log = await storeOf(randomNotes(1_000, seed).map(appendOf));
    events = await allEvents(log);
    store = Object.create(log, {
      readAll: {
        value: async (...given: Parameters<EventStore['readAll']>) => {
          const page = await log.readAll(...given);
          read += page.length;
          return page;
        },
      },
    }) as EventStore;
  });
  afterAll(async () => {
    await Promise.all(Array.from(leases, ([lease, of]) => of.release(lease)));
    await database.drop();
  });

  const notes = (options: Parameters<typeof notesProjection>[0] = {}): Projection =>
    notesProjection({ name: `notes_${randomUUID().slice(0, 8)}`, ...options });

  interface Building extends Builder {
    checkpoint: Checkpoint;
    readonly projection: Projection;
    readonly commits: Checkpoint[];
  }

  async function begin(projection: Projection): Promise<Building> {
    const own = new Leases(pool, failTest);
    const generation = await withProjectionLock(pool, projection.name, (client) =>
      createGeneration(client, projection, 'verifying'),
    );
    const lease = await own.acquire(projection.name, generation);
    if (!lease) throw new Error('a new generation was taken');
    leases.set(lease, own);
    return builder(projection, lease, { position: null, ordinal: 0 });
  }

  function builder(projection: Projection, lease: Lease, checkpoint: Checkpoint): Building {
    const building: Building = {
      ...{ projection, checkpoint, commits: [], skipped: new Set<string>(), isRebuilding: false },
      tables: new GenerationTables(projection, lease),
      arrive(to) {
        building.checkpoint = to;
        building.commits.push(to);
      },
    };
    return building;
  }

  /** As a process does that takes over: from what is stored. */
  async function again({ projection, tables: { lease } }: Building): Promise<Building> {
    const row = await findGeneration(pool, lease.name, lease.generation);
    if (!row) throw new Error('it was dropped');
    return builder(projection, lease, { position: row.position, ordinal: row.ordinal });
  }

  const passOf = (bytes: number, pageSize = 50): BuildPass =>
    new BuildPass({ pool, store, pageSize, budget: new BuildBudget(bytes) });
  const carry = (pass: BuildPass, building: Building, until?: string): Promise<Landing> =>
    pass.carry(building, { signal: NEVER, until });
  const hashOf = ({ projection, tables }: Building): Promise<string> =>
    canonicalHash(pool, projection, tables.lease.generation);
  const replayed = (projection: Projection): Promise<string> => replay(pool, projection, events, [70]);

  async function expectBuilt(...built: readonly Building[]): Promise<void> {
    for (const building of built) {
      expect(building.checkpoint).toEqual({ position: events.at(-1)?.position, ordinal: events.length });
      const row = await findGeneration(pool, building.projection.name, building.tables.lease.generation);
      expect(row).toMatchObject({ ...building.checkpoint });
      expect(await hashOf(building)).toBe(await replayed(building.projection));
    }
  }

  it('read the log once for all of them, and write each row once where there is room', async () => {
    const built = await Promise.all([notes(), notes(), notes()].map(begin));
    read = 0;
    const pass = passOf(LARGE);
    const landings = await Promise.all(built.map((building) => carry(pass, building)));
    expect(landings.map(({ kind }) => kind)).toEqual(['arrived', 'arrived', 'arrived']);
    expect(read).toBeLessThan(2 * events.length);
    // A slow machine has time for some flushes between its pages, and never for as many as there are pages.
    for (const { commits } of built) expect(commits.length).toBeLessThan(events.length / 50);
    await expectBuilt(...built);
  });

  it.each([TINY, 10 * TINY, 100 * TINY])(
    'come to the same rows where %i bytes may be kept',
    async (bytes) => {
      const chance = new SeededRandom(seed);
      const [one, other] = [await begin(notes()), await begin(notes())];
      const pass = passOf(bytes, chance.between(20, 120));
      await Promise.all([carry(pass, one), carry(pass, other)]);
      if (bytes === TINY) expect(one.commits.length).toBeGreaterThan(3);
      await expectBuilt(one, other);
    },
  );

  it('begin where each of them is, and end where each is to', async () => {
    const [ahead, behind, short] = [await begin(notes()), await begin(notes()), await begin(notes())];
    const place = (ordinal: number): string => events[ordinal - 1]?.position ?? '';
    expect(await carry(passOf(TINY), ahead, place(431))).toEqual({ kind: 'arrived' });
    expect(ahead.checkpoint).toEqual({ position: place(431), ordinal: 431 });
    expect(await carry(passOf(LARGE), behind, place(77))).toEqual({ kind: 'arrived' });
    const pass = passOf(10 * TINY);
    // Who comes later and is further behind has the pages read again.
    const landed = [carry(pass, ahead), carry(pass, behind), carry(pass, short, place(205))];
    await Promise.all(landed);
    expect(short.checkpoint.ordinal).toBe(205);
    await expectBuilt(ahead, behind);
    await carry(passOf(LARGE), short);
    await expectBuilt(short);
  });

  it('go on without the one that cannot digest an event, which keeps nothing after its checkpoint', async () => {
    const poison = events.filter(({ data }) => 'id' in data).at(-1)?.data['id'];
    const at = events.findIndex(({ data }) => data['id'] === poison);
    const bad = await begin(
      notes({
        refuse(event: NoteEvent) {
          if ('id' in event && event.id === poison) throw new Error('indigestible');
        },
      }),
    );
    const good = await begin(notes());
    const pass = passOf(TINY);
    const [fate, other] = await Promise.all([carry(pass, bad), carry(pass, good)]);
    expect(fate.kind).toBe('alone');
    if (fate.kind === 'alone') expect(fate.upTo >= (events[at]?.position ?? '')).toBe(true);
    expect(bad.checkpoint.ordinal).toBeLessThanOrEqual(at);
    expect(other.kind).toBe('arrived');
    await expectBuilt(good);
    const row = await findGeneration(pool, bad.projection.name, bad.tables.lease.generation);
    expect(row?.ordinal).toBe(bad.checkpoint.ordinal);
  });

  it('lose what was not flushed where a connection dies in a flush, and no more', async () => {
    let flushes = 0;
    const dying = await begin(
      notes({
        onBatchEnd: async (sql) => {
          flushes += 1;
          if (flushes === 3) await sql('select pg_terminate_backend(pg_backend_pid())');
        },
      }),
    );
    const other = await begin(notes());
    const pass = passOf(TINY);
    const [fate, landing] = await Promise.allSettled([carry(pass, dying), carry(pass, other)]);
    expect(fate.status).toBe('rejected');
    expect(landing).toMatchObject({ status: 'fulfilled', value: { kind: 'arrived' } });
    await expectBuilt(other);
    const successor = await again(dying);
    expect(successor.checkpoint).toEqual(dying.checkpoint);
    expect(successor.checkpoint.ordinal).toBeGreaterThan(0);
    expect(await carry(passOf(10 * TINY), successor)).toEqual({ kind: 'arrived' });
    await expectBuilt(successor);
  });

  it('let one go that is told to, and the others go on', async () => {
    const [going, staying] = [await begin(notes()), await begin(notes())];
    const stop = new AbortController();
    const pass = passOf(TINY);
    const arrive = going.arrive.bind(going);
    going.arrive = (to) => {
      arrive(to);
      stop.abort();
    };
    const landings = await Promise.all([pass.carry(going, { signal: stop.signal }), carry(pass, staying)]);
    expect(landings).toEqual([{ kind: 'ended' }, { kind: 'arrived' }]);
    await expectBuilt(staying);
    expect((await again(going)).checkpoint).toEqual(going.checkpoint);
    const successor = await again(going);
    await carry(passOf(LARGE), successor);
    await expectBuilt(successor);
  });
});

describe('two that could go together', () => {
  it.each([
    ['are at the same place', 0, 0, true],
    ['are near to each other', 999_000, 985_000, true],
    ['are no farther apart than what is left for the one ahead', 100_000, 500_000, true],
    ['are farther apart than that', 100_000, 600_000, false],
    ['are at the beginning of a log of which nobody knows the end', 0, 4_000, true],
  ])('%s', (_, one, other, isTogether) => {
    expect(goTogether(one, other, 1_000_000)).toBe(isTogether);
    expect(goTogether(other, one, 1_000_000)).toBe(isTogether);
  });
});
