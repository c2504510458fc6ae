import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NewsHistory } from '../testing/news-history.fixture.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { pageOfManagedNews } from './news.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

it('lists news of all spaces, newest first, and filters by removal', async () => {
  const past = new EventHistory();
  const news = new NewsHistory(past);
  const writer = past.newModerator();
  const here = news.publish(writer, past.newSpace({ name: 'French' }));
  const removed = news.publish(writer, past.newSpace());
  const forAll = news.publish(writer, null);
  news.remove(writer, removed);
  await side.record(past);
  const ids = async (options: object) => {
    const { docs, hasNext } = await pageOfManagedNews(side.pool, { viewerId: writer, ...options });
    return [docs.map(({ _id }) => _id), hasNext];
  };
  expect(await ids({})).toEqual([[forAll, removed, here], false]);
  expect(await ids({ isRemoved: true })).toEqual([[removed], false]);
  expect(await ids({ isRemoved: false })).toEqual([[forAll, here], false]);
  expect(await ids({ limit: 2 })).toEqual([[forAll, removed], true]);
  expect(await ids({ limit: 2, page: 2 })).toEqual([[here], false]);
  const { docs } = await pageOfManagedNews(side.pool, { viewerId: writer, isRemoved: true });
  expect(docs[0]).toMatchObject({ isRemoved: true, space: { name: expect.any(String) } });
});
