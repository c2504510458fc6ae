import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../queryable.js';
import { FollowedIndex, type FollowedRow, type Source } from './followed-index.js';

const FACTS = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };

/** A read side of so many rows, each of which takes a while to be taken in. */
class Rows implements Source<FollowedRow> {
  generation = 1;
  reads: number[] = [];
  failures = 0;

  constructor(
    public count: number,
    private readonly workMs = 0,
  ) {}

  readonly db: Queryable = {
    query: () => Promise.resolve({ rows: [{ generation: this.generation }] as never[] }),
  };

  read(_db: Queryable, _spaceId: string, after: number, limit: number): Promise<readonly FollowedRow[]> {
    this.reads.push(after);
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error('the database is away'));
    }
    const count = Math.max(0, Math.min(limit, this.count - after));
    return Promise.resolve(Array.from({ length: count }, (_, place) => ({ version: after + place + 1 })));
  }

  take: Source<FollowedRow>['take'] = (index, { version }) => {
    for (const end = performance.now() + this.workMs; performance.now() < end;);
    index.put(
      { ...FACTS, id: String(version), createdAt: version, answerCount: 0, textVersion: version },
      () => ({ title: ['rule'], body: [], tags: [] }),
    );
  };
}

/** Rows of many spaces, of which each hundredth is of the one that is asked for. */
class SharedRows implements Source<FollowedRow> {
  told = 0;
  failsAfter = Infinity;

  constructor(public count: number) {}

  readonly db: Queryable = { query: () => Promise.resolve({ rows: [{ generation: 1 }] as never[] }) };

  readonly first = {
    head: () => Promise.resolve(this.count),
    read: (_db: Queryable, _spaceId: string, after: number, limit: number) => this.page(after, limit, 100),
  };

  read(_db: Queryable, _spaceId: string, after: number, limit: number): Promise<readonly FollowedRow[]> {
    return this.page(after, limit, 1);
  }

  take: Source<FollowedRow>['take'] = (index, { version }) => {
    if (version % 100 !== 0) return;
    const facts = { ...FACTS, id: String(version), createdAt: version, answerCount: 0, textVersion: version };
    index.put(facts, () => ({ title: ['rule'], body: [], tags: [] }));
  };

  private page(after: number, limit: number, step: number): Promise<readonly FollowedRow[]> {
    if (this.told >= this.failsAfter) return Promise.reject(new Error('the database is away'));
    const rows: FollowedRow[] = [];
    for (let version = (Math.floor(after / step) + 1) * step; version <= this.count; version += step) {
      if (rows.length === limit) break;
      rows.push({ version });
    }
    this.told += rows.length;
    return Promise.resolve(rows);
  }
}

/** How often others had a turn until it was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = () => (isDone = true);
  void work.then(done, done);
  let turns = 0;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while others have their turn
  for (; !isDone; turns += 1) await setImmediate();
  return turns;
}

describe('an index that follows the read side', () => {
  it('has all rows, also those of the last batch that is not full', async () => {
    const rows = new Rows(1_201);
    const followed = new FollowedIndex(rows, 'space');
    expect((await followed.current(rows.db)).size).toBe(1_201);
    rows.count = 1_202;
    expect((await followed.current(rows.db)).size).toBe(1_202);
    expect(rows.reads.at(-1)).toBe(1_201);
  });

  it('gives others their turns while it is made', async () => {
    const rows = new Rows(60, 1);
    const turns = await turnsDuring(new FollowedIndex(rows, 'space').current(rows.db));
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it('is whole for those who ask while it is made, and is made once for all of them', async () => {
    const rows = new Rows(40, 1);
    const followed = new FollowedIndex(rows, 'space');
    const first = followed.current(rows.db);
    await setImmediate();
    const others = [followed.current(rows.db), followed.current(rows.db)];
    const sizes = (await Promise.all([first, ...others])).map(({ size }) => size);
    expect(sizes).toEqual([40, 40, 40]);
    expect(rows.reads).toEqual([0, 40]);
  });

  it('is made anew for another generation, whose versions may be told before', async () => {
    const rows = new Rows(5);
    const followed = new FollowedIndex(rows, 'space');
    await followed.current(rows.db);
    rows.generation = 2;
    rows.count = 3;
    expect((await followed.current(rows.db)).size).toBe(3);
  });

  it('goes on after a disturbance', async () => {
    const rows = new Rows(5);
    rows.failures = 1;
    const followed = new FollowedIndex(rows, 'space');
    await expect(followed.current(rows.db)).rejects.toThrow('the database is away');
    expect((await followed.current(rows.db)).size).toBe(5);
  });

  it('reads of other spaces only what is newer than its first look, also where that was disturbed', async () => {
    const rows = new SharedRows(60_000);
    const followed = new FollowedIndex(rows, 'space');
    rows.failsAfter = 500;
    await expect(followed.current(rows.db)).rejects.toThrow('the database is away');
    rows.failsAfter = Infinity;
    expect((await followed.current(rows.db)).size).toBe(600);
    expect(rows.told).toBe(600);
    rows.count = 60_100;
    expect((await followed.current(rows.db)).size).toBe(601);
    expect(rows.told).toBe(700);
  });
});
