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
  let endsLeft = 0;
  const end = () => search['thread']?.['worker'].terminate();
  const search: ThreadedSearch = new ThreadedSearch({
    url,
    name: 'nimo test search',
    onLost: (error) => {
      lost.push(error);
      endsLeft -= 1;
      // After the search has started another thread.
      if (endsLeft >= 0) void setImmediate().then(end);
    },
  });
  const find = async (text: string) => {
    const { spaceId } = library;
    const hits = await search.findQuestions({ text, spaceId, sort: 'BEST', skip: 0, limit: 1 });
    return hits.map(({ id }) => id);
  };
  return { search, find, lost, end, endNext: (count: number) => (endsLeft = count) };
}

describe('threaded search', () => {
  it('starts with the first search, answers concurrent searches, and closes', async () => {
    const { search, find, lost } = open();
    expect(search.isRunning).toBe(false);
    const expected = ['photo', 'cat', 'recta'].map((name) => [library.questions.get(name as 'cat')]);
    expect(await Promise.all(['photosynthesis', 'purr', 'recta'].map(find))).toEqual(expected);
    expect(search.isRunning).toBe(true);
    await search.close();
    await expect(find('purr')).rejects.toThrow('The search engine is closed.');
    expect(lost).toEqual([]);
  });

  it('starts another thread if one exits during a search or between two searches', async () => {
    const { search, find, lost, end } = open();
    const expected = [library.questions.get('cat')];
    const during = find('purr');
    await end();
    expect(await during).toEqual(expected);
    await end();
    expect(await find('purr')).toEqual(expected);
    expect(lost).toHaveLength(2);
    await search.close();
  });

  it('fails if the second thread exits too, and recovers with the next search', async () => {
    const { search, find, lost, end, endNext } = open();
    const during = find('purr');
    endNext(1);
    await end();
    await expect(during).rejects.toThrow(ThreadLostError);
    expect(await find('purr')).toEqual([library.questions.get('cat')]);
    expect(lost).toHaveLength(2);
    await search.close();
  });

  it('preserves database errors across threads', async () => {
    const unavailable = open('postgresql://nobody@127.0.0.1:1/none');
    const error: unknown = await unavailable.find('purr').catch((reason: unknown) => reason);
    expect(kindOfError(error)).toBe('away');
    await unavailable.search.close();

    const unknown = new URL(side.url);
    unknown.pathname = '/no_such_database';
    const missing = open(unknown.href);
    await expect(missing.find('purr')).rejects.toMatchObject({ code: '3D000' });
    await missing.search.close();
  });
});
