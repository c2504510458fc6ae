import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { createTestDatabase, historySeed, SeededRandom, type TestDatabase } from '@nimo/testing';
import { type Checkpoint, type Lease, Leases } from '../bookkeeping/leases.js';
import { createGeneration, findGeneration, withProjectionLock } from '../generations/generations.js';
import type { Projection } from '../projection.js';
import { canonicalHash } from '../storage/compare-tables.js';
import { allEvents, failTest, replay, storeOf } from '../testing.js';
import { appendOf, type NoteEvent, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import { RebuildBudget } from './rebuild-throttle.js';
import { type PassGeneration, type PassOutcome, RebuildPass, sharePass } from './rebuild-pass.js';
import { GenerationTables } from '../generations/generation-tables.js';

const seed = historySeed();
const NEVER = new AbortController().signal;
const LARGE = 2 ** 30;
/** Less than a page has. */
const TINY = 3_000;

describe(`generations that share a rebuild pass (NIMO_HISTORY_SEED=${seed})`, () => {
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

  interface Building extends PassGeneration {
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
      advance(to) {
        building.checkpoint = to;
        building.commits.push(to);
      },
    };
    return building;
  }

  /** As the next lease holder does: from what is stored. */
  async function again({ projection, tables: { lease } }: Building): Promise<Building> {
    const row = await findGeneration(pool, lease.name, lease.generation);
    if (!row) throw new Error('it was dropped');
    return builder(projection, lease, { position: row.position, ordinal: row.ordinal });
  }

  const passOf = (bytes: number, pageSize = 50): RebuildPass =>
    new RebuildPass({ pool, store, pageSize, budget: new RebuildBudget(bytes) });
  const run = (pass: RebuildPass, building: Building, until?: string): Promise<PassOutcome> =>
    pass.run(building, { signal: NEVER, until });
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

  it('read the log once, and write each row once where there is room', async () => {
    const built = await Promise.all([notes(), notes(), notes()].map(begin));
    read = 0;
    const pass = passOf(LARGE);
    const outcomes = await Promise.all(built.map((building) => run(pass, building)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['caught up', 'caught up', 'caught up']);
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
      await Promise.all([run(pass, one), run(pass, other)]);
      if (bytes === TINY) expect(one.commits.length).toBeGreaterThan(3);
      await expectBuilt(one, other);
    },
  );

  it('start where each of them is, and stop where each should', async () => {
    const [ahead, behind, short] = [await begin(notes()), await begin(notes()), await begin(notes())];
    const place = (ordinal: number): string => events[ordinal - 1]?.position ?? '';
    expect(await run(passOf(TINY), ahead, place(431))).toEqual({ kind: 'caught up' });
    expect(ahead.checkpoint).toEqual({ position: place(431), ordinal: 431 });
    expect(await run(passOf(LARGE), behind, place(77))).toEqual({ kind: 'caught up' });
    const pass = passOf(10 * TINY);
    // For one that joins later and is further behind, pages are read again.
    const running = [run(pass, ahead), run(pass, behind), run(pass, short, place(205))];
    await Promise.all(running);
    expect(short.checkpoint.ordinal).toBe(205);
    await expectBuilt(ahead, behind);
    await run(passOf(LARGE), short);
    await expectBuilt(short);
  });

  it('go on without the one that fails on an event, which keeps nothing after its checkpoint', async () => {
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
    const [failed, other] = await Promise.all([run(pass, bad), run(pass, good)]);
    expect(failed.kind).toBe('failed');
    if (failed.kind === 'failed') expect(failed.upTo >= (events[at]?.position ?? '')).toBe(true);
    expect(bad.checkpoint.ordinal).toBeLessThanOrEqual(at);
    expect(other.kind).toBe('caught up');
    await expectBuilt(good);
    const row = await findGeneration(pool, bad.projection.name, bad.tables.lease.generation);
    expect(row?.ordinal).toBe(bad.checkpoint.ordinal);
  });

  it('lose only what was not flushed when a connection dies in a flush', async () => {
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
    const [failed, outcome] = await Promise.allSettled([run(pass, dying), run(pass, other)]);
    expect(failed.status).toBe('rejected');
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { kind: 'caught up' } });
    await expectBuilt(other);
    const successor = await again(dying);
    expect(successor.checkpoint).toEqual(dying.checkpoint);
    expect(successor.checkpoint.ordinal).toBeGreaterThan(0);
    expect(await run(passOf(10 * TINY), successor)).toEqual({ kind: 'caught up' });
    await expectBuilt(successor);
  });

  it('go on without one that is aborted', async () => {
    const [going, staying] = [await begin(notes()), await begin(notes())];
    const stop = new AbortController();
    const pass = passOf(TINY);
    const advance = going.advance.bind(going);
    going.advance = (to) => {
      advance(to);
      stop.abort();
    };
    const outcomes = await Promise.all([pass.run(going, { signal: stop.signal }), run(pass, staying)]);
    expect(outcomes).toEqual([{ kind: 'aborted' }, { kind: 'caught up' }]);
    await expectBuilt(staying);
    expect((await again(going)).checkpoint).toEqual(going.checkpoint);
    const successor = await again(going);
    await run(passOf(LARGE), successor);
    await expectBuilt(successor);
  });
});

describe('two generations', () => {
  it.each([
    ['are at the same place', 0, 0, true],
    ['are near to each other', 999_000, 985_000, true],
    ['are no farther apart than what is left for the one ahead', 100_000, 500_000, true],
    ['are farther apart than that', 100_000, 600_000, false],
    ['are at the beginning of a log of which nobody knows the end', 0, 4_000, true],
  ])('%s', (_, one, other, isTogether) => {
    expect(sharePass(one, other, 1_000_000)).toBe(isTogether);
    expect(sharePass(other, one, 1_000_000)).toBe(isTogether);
  });
});
