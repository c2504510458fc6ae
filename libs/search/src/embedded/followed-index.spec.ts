import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '@nimo/projections';
import { FollowedIndex, type FollowedRow, type FollowedRows, type Source } from './followed-index.js';
import { Ids } from './ids.js';

const FACTS = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };

/** A read side of so many rows, each of which takes a while to be taken in. */
class Rows implements Source<FollowedRow> {
  generation = 1;
  reads: number[] = [];
  /** Behind that version, once. */
  failsOnceAt: number | undefined;
  /** Behind that version it is of the next generation, once. */
  changesAfter = Infinity;

  constructor(
    public count: number,
    private readonly workMs = 0,
  ) {}

  read: Source<FollowedRow>['read'] = (_db, _spaceId, after, limit) => {
    this.reads.push(after);
    if (after === this.failsOnceAt) {
      this.failsOnceAt = undefined;
      return Promise.reject(new Error('the database is away'));
    }
    const count = Math.max(0, Math.min(limit, this.count - after));
    const rows = Array.from({ length: count }, (_, place) => ({ version: after + place + 1 }));
    if (after >= this.changesAfter) {
      this.changesAfter = Infinity;
      this.generation += 1;
    }
    return Promise.resolve({ generation: this.generation, rows });
  };

  take: Source<FollowedRow>['take'] = (index, { version }) => {
    for (const end = performance.now() + this.workMs; performance.now() < end;);
    index.put(
      { ...FACTS, id: String(version), createdAt: version, answerCount: 0, textVersion: version },
      () => ({ title: 'rule', body: '', tags: '' }),
    );
  };
}

/** Rows of many spaces, of which each hundredth is of the one that is asked for. */
class SharedRows implements Source<FollowedRow> {
  told = 0;
  failsAfter = Infinity;

  constructor(public count: number) {}

  readonly first = {
    head: () => Promise.resolve(this.count),
    read: (_db: Queryable, _spaceId: string, after: number, limit: number) => this.page(after, limit, 100),
  };

  read: Source<FollowedRow>['read'] = (_db, _spaceId, after, limit) => this.page(after, limit, 1);

  take: Source<FollowedRow>['take'] = (index, { version }) => {
    if (version % 100 !== 0) return;
    const facts = { ...FACTS, id: String(version), createdAt: version, answerCount: 0, textVersion: version };
    index.put(facts, () => ({ title: 'rule', body: '', tags: '' }));
  };

  private page(after: number, limit: number, step: number): Promise<FollowedRows<FollowedRow>> {
    if (this.told >= this.failsAfter) return Promise.reject(new Error('the database is away'));
    const rows: FollowedRow[] = [];
    for (let version = (Math.floor(after / step) + 1) * step; version <= this.count; version += step) {
      if (rows.length === limit) break;
      rows.push({ version });
    }
    this.told += rows.length;
    return Promise.resolve({ generation: 1, rows });
  }
}

/** What the sources of this spec do not ask. */
const db: Queryable = { query: () => Promise.reject(new Error('nothing is asked here')) };
const follow = (source: Source<FollowedRow>) =>
  new FollowedIndex({ source, spaceId: 'space', ids: new Ids() });

/** How often others had a turn until it was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = () => (isDone = true);
  void work.then(done, done);
  let turns = 0;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while others have their turn
  for (; !isDone; turns += 1) await setImmediate();
  return turns;
}

describe('an index that follows the read side', () => {
  it('has all rows, also those of the last batch that is not full', async () => {
    const rows = new Rows(1_201);
    const followed = follow(rows);
    expect((await followed.current(db)).size).toBe(1_201);
    rows.count = 1_202;
    expect((await followed.current(db)).size).toBe(1_202);
    expect(rows.reads.at(-1)).toBe(1_201);
  });

  it('gives others their turns while it is made', async () => {
    const rows = new Rows(60, 1);
    const turns = await turnsDuring(follow(rows).current(db));
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it('is whole for those who ask while it is made, and is made once for all of them', async () => {
    const rows = new Rows(40, 1);
    const followed = follow(rows);
    const first = followed.current(db);
    await setImmediate();
    const others = [followed.current(db), followed.current(db)];
    const sizes = (await Promise.all([first, ...others])).map(({ size }) => size);
    expect(sizes).toEqual([40, 40, 40]);
    expect(rows.reads).toEqual([0, 40]);
  });

  describe('of a projection with another generation, whose versions may be told before', () => {
    it('is made anew while the former one answers', async () => {
      const rows = new Rows(5);
      const followed = follow(rows);
      await followed.current(db);
      rows.generation = 2;
      rows.count = 3;
      expect((await followed.current(db)).size).toBe(5);
      await followed.settled();
      rows.count = 4;
      expect((await followed.current(db)).size).toBe(4);
      expect(rows.reads).toEqual([0, 5, 0, 3]);
    });

    it('has what is newer at once', async () => {
      const rows = new Rows(5);
      const followed = follow(rows);
      await followed.current(db);
      rows.generation = 2;
      rows.count = 6;
      expect((await followed.current(db)).size).toBe(6);
    });

    it('is begun anew where that fails, and where the generation changes while it is made', async () => {
      const rows = new Rows(5);
      const followed = follow(rows);
      await followed.current(db);
      rows.generation = 2;
      rows.failsOnceAt = 0;
      await followed.current(db);
      await followed.settled();
      await followed.current(db);
      await followed.settled();
      const reads = rows.reads.length;
      rows.count = 6;
      expect((await followed.current(db)).size).toBe(6);
      expect(rows.reads.slice(reads)).toEqual([5]);
    });

    it('holds only rows of one, also where it changes between the first pages', async () => {
      const rows = new Rows(1_200);
      rows.changesAfter = 500;
      expect((await follow(rows).current(db)).size).toBe(1_200);
      expect(rows.reads).toEqual([0, 500, 1_000, 0, 500, 1_000]);
    });
  });

  it('goes on after a disturbance', async () => {
    const rows = new Rows(5);
    rows.failsOnceAt = 0;
    const followed = follow(rows);
    await expect(followed.current(db)).rejects.toThrow('the database is away');
    expect((await followed.current(db)).size).toBe(5);
  });

  it('reads of other spaces only what is newer than its first look, also where that failed', async () => {
    const rows = new SharedRows(60_000);
    const followed = follow(rows);
    rows.failsAfter = 500;
    await expect(followed.current(db)).rejects.toThrow('the database is away');
    rows.failsAfter = Infinity;
    expect((await followed.current(db)).size).toBe(600);
    expect(rows.told).toBe(600);
    rows.count = 60_100;
    expect((await followed.current(db)).size).toBe(601);
    expect(rows.told).toBe(700);
  });
});
