import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReadSide, EventHistory, type ReadSide } from '@nimo/projections/testing';
import { sortedPeople, sortedTopics } from './sorted-names.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

describe('name search results', () => {
  const past = new EventHistory();
  const spaceId = past.newSpace();
  const subjectId = past.newSubject(spaceId, 'Physics');
  const quiet = past.newTopic(spaceId, subjectId, 'Quiet');
  const busy = past.newTopic(spaceId, subjectId, 'Busy');
  const removed = past.newTopic(spaceId, subjectId, 'Removed');
  const [early, late, elsewhere] = [past.newStudent(), past.newStudent(), past.newStudent()];

  beforeAll(async () => {
    past.join(early, spaceId);
    past.join(late, spaceId);
    past.join(elsewhere, past.newSpace());
    past.answer(early, past.ask(late, busy));
    past.ask(late, busy);
    past.ask(late, quiet);
    past.deleteQuestion(past.ask(late, removed));
    await side.record(past);
  });

  const all = { spaceId, skip: 0, limit: 10 };

  it('sorts topics by newest question and by question count, empty topics last', async () => {
    const ids = [removed, busy, quiet].map(({ topicId }) => topicId);
    const found = (sort: 'BEST' | 'NEWEST' | 'MOST_ANSWERED', window = {}) =>
      sortedTopics(side.pool, { ...all, ...window, sort }, () => Promise.resolve(ids));
    expect(await found('BEST')).toEqual(ids);
    expect(await found('NEWEST')).toEqual([quiet, busy, removed].map(({ topicId }) => topicId));
    expect(await found('MOST_ANSWERED')).toEqual([busy, quiet, removed].map(({ topicId }) => topicId));
    expect(await found('NEWEST', { skip: 1, limit: 1 })).toEqual([busy.topicId]);
  });

  it('sorts members by join date and by answer count', async () => {
    const ids = [elsewhere, late, early];
    const found = (sort: 'NEWEST' | 'MOST_ANSWERED') =>
      sortedPeople(side.pool, { ...all, sort }, () => Promise.resolve(ids));
    expect(await found('NEWEST')).toEqual([late, early]);
    expect(await found('MOST_ANSWERED')).toEqual([early, late]);
  });

  it('requests one page, or all matches if it sorts them itself', async () => {
    const windows: unknown[] = [];
    const find = (window: unknown) => {
      windows.push(window);
      return Promise.resolve([]);
    };
    await sortedTopics(side.pool, { ...all, skip: 20, sort: 'BEST' }, find);
    await sortedTopics(side.pool, { ...all, skip: 20, sort: 'NEWEST' }, find);
    expect(windows).toEqual([
      { spaceId, skip: 20, limit: 10 },
      { skip: 0, limit: 1_000 },
    ]);
  });
});
