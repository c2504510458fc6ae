import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import type { Queryable, Statement } from '@nimo/projections';
import { TimeSlice } from '@nimo/projection-engine';
import { type FoundPost, postHits as hitsOf, READ_BATCH_SIZE } from './post-hits.js';
import type { PostSearch } from './search-engine.js';

const SEARCH: PostSearch = { text: '"red house"', spaceId: 's', sort: 'BEST', skip: 0, limit: 10 };
const LONG = 'another word '.repeat(4_000);

/** A fake database of texts by id that records how many texts each statement requests. */
function library(texts: ReadonlyMap<string, string>) {
  const reads: number[] = [];
  const db: Queryable = {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- required by the interface
    query: <R extends QueryResultRow>({ values }: Statement) => {
      const [ids] = values as [readonly string[]];
      reads.push(ids.length);
      const rows = ids.flatMap((id) => {
        const body = texts.get(id);
        return body === undefined ? [] : [{ document_id: id, title: 'Title', body }];
      });
      return Promise.resolve({ rows: rows as unknown as R[] });
    },
  };
  return { db, reads };
}

const postHits = (db: Queryable, search: PostSearch, candidates: readonly FoundPost[]) =>
  hitsOf(db, search, candidates, new TimeSlice());
const idOf = (n: number): string => `post-${n}`;
const textsOf = (count: number, bodyOf: (n: number) => string): ReadonlyMap<string, string> =>
  new Map(Array.from({ length: count }, (_, n) => [idOf(n), bodyOf(n)]));
const foundIn = (texts: ReadonlyMap<string, string>) =>
  [...texts.keys()].map((id) => ({ id, isMatch: () => false }));

describe('post hits', () => {
  it('contain the phrase, in ranking order, starting at the offset', async () => {
    const texts = textsOf(100, (n) => (n % 3 === 0 ? 'A red house.' : 'A house, red.'));
    const { db } = library(texts);
    const hits = await postHits(db, { ...SEARCH, skip: 2, limit: 3 }, foundIn(texts));
    expect(hits.map(({ id }) => id)).toEqual([idOf(6), idOf(9), idOf(12)]);
  });

  it('include every existing candidate without a phrase', async () => {
    const texts = textsOf(50, () => 'A house.');
    const { db } = library(texts);
    const found = [{ id: 'gone', isMatch: () => false }, ...foundIn(texts)];
    const hits = await postHits(db, { ...SEARCH, text: 'house', skip: 20 }, found);
    expect(hits.map(({ id }) => id)).toEqual([...texts.keys()]);
    expect(await postHits(db, SEARCH, [])).toEqual([]);
  });

  it.each([
    ['spring', 'Springs bring weights', '[Springs] bring weights'],
    ['spring', 'To bring weights', 'To [bring] weights'],
    ['functions', 'Functions: a function', '[Functions]: a [function]'],
    ['spring force', 'Spring forge, bring', '[Spring] [forge], bring'],
    ['spring bri', 'A spring, to bring', 'A [spring], to [bring]'],
  ])('mark typos only if the exact word is absent: %s in %s', async (text, body, expected) => {
    const { db } = library(new Map([['post', body]]));
    const isMatch = (word: string) => !['a', 'to', 'weights'].includes(word);
    const [hit] = await postHits(db, { ...SEARCH, text }, [{ id: 'post', isMatch }]);
    const shown = hit?.excerpt.map((part) => (part.isMatch ? `[${part.text}]` : part.text)).join('');
    expect(shown).toBe(expected);
  });

  it('are read in batches, up to the limit', async () => {
    const texts = textsOf(500, () => 'A red house.');
    const { db, reads } = library(texts);
    await postHits(db, SEARCH, foundIn(texts));
    expect(reads).toEqual([READ_BATCH_SIZE]);
    await postHits(db, { ...SEARCH, text: '"green house"' }, foundIn(texts));
    expect(Math.max(...reads)).toBe(READ_BATCH_SIZE);
    expect(reads).toHaveLength(1 + 500 / READ_BATCH_SIZE);
  });

  it('yield to other work while scanning texts', async () => {
    const texts = textsOf(200, () => LONG);
    const { db } = library(texts);
    let [turns, isOver] = [0, false];
    const countTurns = async (): Promise<void> => {
      for (; !isOver; turns += 1) await nextTurn();
    };
    const counting = countTurns();
    await postHits(db, SEARCH, foundIn(texts));
    isOver = true;
    await counting;
    expect(turns).toBeGreaterThan(2);
  });
});
