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
import { type PassGeneration, type PassOutcome, RebuildPass, canSharePass } from './rebuild-pass.js';
import { GenerationTables } from '../generations/generation-tables.js';

const seed = historySeed();
const NEVER = new AbortController().signal;
const LARGE = 2 ** 30;
/** Less than a page. */
const TINY = 3_000;

describe(`generations in a rebuild pass (NIMO_HISTORY_SEED=${seed})`, () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: EventStore;
  let events: readonly RecordedEvent[];
  const leases = new Map<Lease, Leases>();
  /** Number of events read. */
  let read = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    const log = await storeOf(randomNotes(1_000, seed).map(appendOf));
    events = await allEvents(log);
    store = Object.create(log, {
      readAll: {
        value: async (...args: Parameters<EventStore['readAll']>) => {
          const page = await log.readAll(...args);
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
    if (!lease) throw new Error('the lease is taken');
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

  /** Resumes at the stored checkpoint, as the next lease holder does. */
  async function resume({ projection, tables: { lease } }: Building): Promise<Building> {
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

  it('read the log once, and write each row once if memory allows', async () => {
    const built = await Promise.all([notes(), notes(), notes()].map(begin));
    read = 0;
    const pass = passOf(LARGE);
    const outcomes = await Promise.all(built.map((building) => run(pass, building)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['caught up', 'caught up', 'caught up']);
    expect(read).toBeLessThan(2 * events.length);
    // A slow machine may flush on time a few times, but not for every page.
    for (const { commits } of built) expect(commits.length).toBeLessThan(events.length / 50);
    await expectBuilt(...built);
  });

  it.each([TINY, 10 * TINY, 100 * TINY])('give the same rows with a budget of %i bytes', async (bytes) => {
    const chance = new SeededRandom(seed);
    const [one, other] = [await begin(notes()), await begin(notes())];
    const pass = passOf(bytes, chance.between(20, 120));
    await Promise.all([run(pass, one), run(pass, other)]);
    if (bytes === TINY) expect(one.commits.length).toBeGreaterThan(3);
    await expectBuilt(one, other);
  });

  it('start at their checkpoints, and stop at the given positions', async () => {
    const [ahead, behind, short] = [await begin(notes()), await begin(notes()), await begin(notes())];
    const positionAt = (ordinal: number): string => events[ordinal - 1]?.position ?? '';
    expect(await run(passOf(TINY), ahead, positionAt(431))).toEqual({ kind: 'caught up' });
    expect(ahead.checkpoint).toEqual({ position: positionAt(431), ordinal: 431 });
    expect(await run(passOf(LARGE), behind, positionAt(77))).toEqual({ kind: 'caught up' });
    const pass = passOf(10 * TINY);
    const running = [run(pass, ahead), run(pass, behind), run(pass, short, positionAt(205))];
    await Promise.all(running);
    expect(short.checkpoint.ordinal).toBe(205);
    await expectBuilt(ahead, behind);
    await run(passOf(LARGE), short);
    await expectBuilt(short);
  });

  it('continue without one that fails on an event, which keeps nothing after its checkpoint', async () => {
    const poison = events.filter(({ data }) => 'id' in data).at(-1)?.data['id'];
    const at = events.findIndex(({ data }) => data['id'] === poison);
    const bad = await begin(
      notes({
        refuse(event: NoteEvent) {
          if ('id' in event && event.id === poison) throw new Error('refused');
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

  it('lose only unflushed rows if a connection dies during a flush', async () => {
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
    const successor = await resume(dying);
    expect(successor.checkpoint).toEqual(dying.checkpoint);
    expect(successor.checkpoint.ordinal).toBeGreaterThan(0);
    expect(await run(passOf(10 * TINY), successor)).toEqual({ kind: 'caught up' });
    await expectBuilt(successor);
  });

  it('continue without one that is aborted', async () => {
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
    expect((await resume(going)).checkpoint).toEqual(going.checkpoint);
    const successor = await resume(going);
    await run(passOf(LARGE), successor);
    await expectBuilt(successor);
  });
});

describe('canSharePass', () => {
  it.each([
    ['accepts equal positions', 0, 0, true],
    ['accepts nearby positions', 999_000, 985_000, true],
    ['accepts a distance that the generation ahead still has left', 100_000, 500_000, true],
    ['rejects a longer distance', 100_000, 600_000, false],
    ['accepts positions near the start of the log', 0, 4_000, true],
  ])('%s', (_, one, other, expected) => {
    expect(canSharePass(one, other, 1_000_000)).toBe(expected);
    expect(canSharePass(other, one, 1_000_000)).toBe(expected);
  });
});
