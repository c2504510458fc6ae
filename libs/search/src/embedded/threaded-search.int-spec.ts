import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kindOfError } from '@nimo/event-store';
import { setImmediate } from 'node:timers/promises';
import { Library } from '../testing/library.fixture.js';
import { openReadSide, type ReadSide } from '@nimo/projections/testing';
import { ThreadedSearch, ThreadLostError } from './threaded-search.js';

let side: ReadSide;
let library: Library;
beforeAll(async () => {
  side = await openReadSide();
  library = new Library();
  await side.record(library.past);
});
afterAll(() => side.close());

function open(url = side.url) {
  const lost: unknown[] = [];
  let endsToo = 0;
  const end = () => search['thread']?.['worker'].terminate();
  const search: ThreadedSearch = new ThreadedSearch({
    url,
    name: 'nimo test search',
    onLost: (error) => {
      lost.push(error);
      endsToo -= 1;
      // Once the search has begun another one.
      if (endsToo >= 0) void setImmediate().then(end);
    },
  });
  const find = async (text: string) => {
    const { spaceId } = library;
    const hits = await search.findQuestions({ text, spaceId, sort: 'BEST', skip: 0, limit: 1 });
    return hits.map(({ id }) => id);
  };
  return { search, find, lost, end, endNext: (count: number) => (endsToo = count) };
}

describe('the search in its thread', () => {
  it('is begun by the first search, asked by several at once, and ended', async () => {
    const { search, find, lost } = open();
    expect(search.isRunning).toBe(false);
    const wanted = ['photo', 'cat', 'recta'].map((name) => [library.questions.get(name as 'cat')]);
    expect(await Promise.all(['photosynthesis', 'purr', 'recta'].map(find))).toEqual(wanted);
    expect(search.isRunning).toBe(true);
    await search.close();
    await expect(find('purr')).rejects.toThrow('The search has ended.');
    expect(lost).toEqual([]);
  });

  it('answers from another thread where one ends before it has answered, and between two searches', async () => {
    const { search, find, lost, end } = open();
    const wanted = [library.questions.get('cat')];
    const during = find('purr');
    await end();
    expect(await during).toEqual(wanted);
    await end();
    expect(await find('purr')).toEqual(wanted);
    expect(lost).toHaveLength(2);
    await search.close();
  });

  it('answers an error where the other one ends as well, and the next search as ever', async () => {
    const { search, find, lost, end, endNext } = open();
    const during = find('purr');
    endNext(1);
    await end();
    await expect(during).rejects.toThrow(ThreadLostError);
    expect(await find('purr')).toEqual([library.questions.get('cat')]);
    expect(lost).toHaveLength(2);
    await search.close();
  });

  it('tells what went wrong as the database told it', async () => {
    const away = open('postgresql://nobody@127.0.0.1:1/none');
    const error: unknown = await away.find('purr').catch((reason: unknown) => reason);
    expect(kindOfError(error)).toBe('away');
    await away.search.close();

    const unknown = new URL(side.url);
    unknown.pathname = '/no_such_database';
    const missing = open(unknown.href);
    await expect(missing.find('purr')).rejects.toMatchObject({ code: '3D000' });
    await missing.search.close();
  });
});
