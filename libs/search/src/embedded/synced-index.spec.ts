import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '@nimo/projections';
import { SyncedIndex, type VersionedRow, type RowBatch, type Source } from './synced-index.js';
import { Ids } from './ids.js';

const ATTRIBUTES = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };

/** A read side with `count` rows, each taking `workMs` to apply. */
class Rows implements Source<VersionedRow> {
  generation = 1;
  reads: number[] = [];
  /** The read after this version fails once. */
  failsOnceAt: number | undefined;
  /** The generation changes once, after this version. */
  changesAfter = Infinity;

  constructor(
    public count: number,
    private readonly workMs = 0,
  ) {}

  read: Source<VersionedRow>['read'] = (_db, _spaceId, after, limit) => {
    this.reads.push(after);
    if (after === this.failsOnceAt) {
      this.failsOnceAt = undefined;
      return Promise.reject(new Error('the database is unavailable'));
    }
    const count = Math.max(0, Math.min(limit, this.count - after));
    const rows = Array.from({ length: count }, (_, offset) => ({ version: after + offset + 1 }));
    if (after >= this.changesAfter) {
      this.changesAfter = Infinity;
      this.generation += 1;
    }
    return Promise.resolve({ generation: this.generation, rows });
  };

  apply: Source<VersionedRow>['apply'] = (index, { version }) => {
    for (const end = performance.now() + this.workMs; performance.now() < end;);
    index.put(
      { ...ATTRIBUTES, id: String(version), createdAt: version, answerCount: 0, textVersion: version },
      () => ({ title: 'rule', body: '', tags: '' }),
    );
  };
}

/** Rows of many spaces; every hundredth row belongs to the indexed space. */
class SharedRows implements Source<VersionedRow> {
  rowsRead = 0;
  failsAfter = Infinity;

  constructor(public count: number) {}

  readonly initial = {
    head: () => Promise.resolve(this.count),
    read: (_db: Queryable, _spaceId: string, after: number, limit: number) => this.page(after, limit, 100),
  };

  read: Source<VersionedRow>['read'] = (_db, _spaceId, after, limit) => this.page(after, limit, 1);

  apply: Source<VersionedRow>['apply'] = (index, { version }) => {
    if (version % 100 !== 0) return;
    const attributes = {
      ...ATTRIBUTES,
      id: String(version),
      createdAt: version,
      answerCount: 0,
      textVersion: version,
    };
    index.put(attributes, () => ({ title: 'rule', body: '', tags: '' }));
  };

  private page(after: number, limit: number, step: number): Promise<RowBatch<VersionedRow>> {
    if (this.rowsRead >= this.failsAfter) return Promise.reject(new Error('the database is unavailable'));
    const rows: VersionedRow[] = [];
    for (let version = (Math.floor(after / step) + 1) * step; version <= this.count; version += step) {
      if (rows.length === limit) break;
      rows.push({ version });
    }
    this.rowsRead += rows.length;
    return Promise.resolve({ generation: 1, rows });
  }
}

/** The sources of this spec never query the database. */
const db: Queryable = { query: () => Promise.reject(new Error('unexpected query')) };
const open = (source: Source<VersionedRow>) => new SyncedIndex({ source, spaceId: 'space', ids: new Ids() });

/** Event loop turns until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = () => (isDone = true);
  void work.then(done, done);
  let turns = 0;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- changes during the await
  for (; !isDone; turns += 1) await setImmediate();
  return turns;
}

describe('synced index', () => {
  it('contains all rows, including a partial last batch', async () => {
    const rows = new Rows(1_201);
    const synced = open(rows);
    expect((await synced.current(db)).size).toBe(1_201);
    rows.count = 1_202;
    expect((await synced.current(db)).size).toBe(1_202);
    expect(rows.reads.at(-1)).toBe(1_201);
  });

  it('yields to other work during the build', async () => {
    const rows = new Rows(60, 1);
    const turns = await turnsDuring(open(rows).current(db));
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it('is built once for concurrent callers, who all get the complete index', async () => {
    const rows = new Rows(40, 1);
    const synced = open(rows);
    const first = synced.current(db);
    await setImmediate();
    const others = [synced.current(db), synced.current(db)];
    const sizes = (await Promise.all([first, ...others])).map(({ size }) => size);
    expect(sizes).toEqual([40, 40, 40]);
    expect(rows.reads).toEqual([0, 40]);
  });

  describe('after a new projection generation', () => {
    it('is rebuilt while the old index answers', async () => {
      const rows = new Rows(5);
      const synced = open(rows);
      await synced.current(db);
      rows.generation = 2;
      rows.count = 3;
      expect((await synced.current(db)).size).toBe(5);
      await synced.settled();
      rows.count = 4;
      expect((await synced.current(db)).size).toBe(4);
      expect(rows.reads).toEqual([0, 5, 0, 3]);
    });

    it('contains newer rows immediately', async () => {
      const rows = new Rows(5);
      const synced = open(rows);
      await synced.current(db);
      rows.generation = 2;
      rows.count = 6;
      expect((await synced.current(db)).size).toBe(6);
    });

    it('is rebuilt again after a failure, and if the generation changes during the build', async () => {
      const rows = new Rows(5);
      const synced = open(rows);
      await synced.current(db);
      rows.generation = 2;
      rows.failsOnceAt = 0;
      await synced.current(db);
      await synced.settled();
      await synced.current(db);
      await synced.settled();
      const reads = rows.reads.length;
      rows.count = 6;
      expect((await synced.current(db)).size).toBe(6);
      expect(rows.reads.slice(reads)).toEqual([5]);
    });

    it('contains only rows of one generation, even if it changes between the first batches', async () => {
      const rows = new Rows(1_200);
      rows.changesAfter = 500;
      expect((await open(rows).current(db)).size).toBe(1_200);
      expect(rows.reads).toEqual([0, 500, 1_000, 0, 500, 1_000]);
    });
  });

  it('recovers from an error', async () => {
    const rows = new Rows(5);
    rows.failsOnceAt = 0;
    const synced = open(rows);
    await expect(synced.current(db)).rejects.toThrow('the database is unavailable');
    expect((await synced.current(db)).size).toBe(5);
  });

  it('reads only new rows of other spaces, even if the initial load failed', async () => {
    const rows = new SharedRows(60_000);
    const synced = open(rows);
    rows.failsAfter = 500;
    await expect(synced.current(db)).rejects.toThrow('the database is unavailable');
    rows.failsAfter = Infinity;
    expect((await synced.current(db)).size).toBe(600);
    expect(rows.rowsRead).toBe(600);
    rows.count = 60_100;
    expect((await synced.current(db)).size).toBe(601);
    expect(rows.rowsRead).toBe(700);
  });
});
