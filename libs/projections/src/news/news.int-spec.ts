import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NewsHistory } from '../testing/news-history.fixture.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findNewspostById, type NewsPageOptions, pageOfNews } from './news.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const news = new NewsHistory(past);
const list = async (options: NewsPageOptions) => {
  const { docs, totalPages } = await pageOfNews(side.pool, options);
  return { ids: docs.map(({ _id }) => _id), totalPages };
};

describe('news', () => {
  it('is listed by space, newest first, together with news for all spaces', async () => {
    const [here, elsewhere] = [past.newSpace({ name: 'French' }), past.newSpace()];
    const [writer, viewerId] = [past.newModerator(), past.newStudent()];
    const first = news.publish(writer, here, { title: 'First' });
    const there = news.publish(writer, elsewhere);
    const forAll = news.publish(writer, null);
    await side.record(past);
    expect(await list({ viewerId, spaceIds: [here] })).toEqual({ ids: [forAll, first], totalPages: 1 });
    expect(await list({ viewerId, spaceIds: [] })).toEqual({ ids: [forAll], totalPages: 1 });
    const paged = { viewerId, spaceIds: [here, elsewhere], limit: 2 };
    expect(await list(paged)).toEqual({ ids: [forAll, there], totalPages: 2 });
    expect(await list({ ...paged, page: 2 })).toEqual({ ids: [first], totalPages: 2 });
    expect(await list({ ...paged, page: 3 })).toEqual({ ids: [], totalPages: 2 });
    expect(await findNewspostById(side.pool, first, viewerId)).toMatchObject({
      title: 'First',
      liked: false,
      saved: false,
      likeCount: 0,
      editedAt: null,
      author: { _id: writer },
      space: { _id: here, name: 'French' },
    });
    expect(await findNewspostById(side.pool, forAll, viewerId)).toMatchObject({ space: null });
  });

  it('can be changed, removed and restored', async () => {
    const spaceId = past.newSpace();
    const [writer, viewerId] = [past.newModerator(), past.newStudent()];
    const id = news.publish(writer, spaceId);
    news.change(writer, id, 'Better', '<p>Reworded.</p>');
    await side.record(past);
    expect(await findNewspostById(side.pool, id, viewerId)).toMatchObject({
      title: 'Better',
      body: '<p>Reworded.</p>',
      editedAt: expect.any(String),
    });
    const ofSpace = async () => (await list({ viewerId, spaceIds: [spaceId] })).ids.includes(id);
    news.remove(writer, id);
    await side.record(past);
    expect(await findNewspostById(side.pool, id, viewerId)).toBeNull();
    expect(await ofSpace()).toBe(false);
    news.restore(writer, id);
    await side.record(past);
    expect(await ofSpace()).toBe(true);
  });

  it('shows viewers their own reactions and the number of likes', async () => {
    const spaceId = past.newSpace();
    const [writer, ada, ben] = [past.newModerator(), past.newStudent(), past.newStudent()];
    const [kept, other] = [news.publish(writer, spaceId), news.publish(writer, spaceId)];
    news.like(ada, kept);
    news.like(ben, kept);
    news.save(ada, kept);
    news.save(ben, other);
    await side.record(past);
    expect(await findNewspostById(side.pool, kept, ada)).toMatchObject({
      liked: true,
      saved: true,
      likeCount: 2,
    });
    expect(await findNewspostById(side.pool, kept, ben)).toMatchObject({ liked: true, saved: false });
    const saved = { viewerId: ada, spaceIds: [spaceId], isSaved: true };
    expect(await list(saved)).toEqual({ ids: [kept], totalPages: 1 });
    news.like(ada, kept);
    news.save(ada, kept);
    news.remove(writer, other);
    await side.record(past);
    expect(await findNewspostById(side.pool, kept, ada)).toMatchObject({
      liked: false,
      saved: false,
      likeCount: 1,
    });
    expect(await list(saved)).toEqual({ ids: [], totalPages: 0 });
    expect(await list({ ...saved, viewerId: ben })).toEqual({ ids: [], totalPages: 0 });
  });

  it('ignores events of an unknown newspost', async () => {
    const [newspostId, studentId] = ['unknown', past.newStudent()];
    const about = { newspostId, spaceId: null, editorId: studentId };
    past.append(
      `newspost-${newspostId}`,
      { type: 'NewspostChanged', data: { ...about, title: 'x', body: '<p>x</p>' } },
      { type: 'NewspostRemoved', data: about },
      { type: 'NewspostRestored', data: about },
    );
    past.append(`reaction-${newspostId}-${studentId}`, {
      type: 'NewspostUnliked',
      data: { newspostId, spaceId: null, studentId },
    });
    await side.record(past);
    expect(await findNewspostById(side.pool, newspostId, studentId)).toBeNull();
  });
});
