import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { newsProjection } from './news/news.projection.js';
import type { Handler, ProjectedEvent, Projection, Row, Table } from './projection.js';
import { questionsProjection } from './questions/questions.projection.js';
import { foldRow, listGenerations, ProjectionWorker } from '@nimo/projection-engine';
import { failTest, liveHash } from '@nimo/projection-engine/testing';
import { PastNews } from './testing/past-news.fixture.js';
import { Past } from './testing/past.fixture.js';

/** What rules of former days may have let through, each in an event of its own. */
const STORED = [
  '<p onclick="x()">asked</p>',
  '<p>edited<iframe src="https://evil.example"></iframe></p>',
  '<p class="mantine-Modal-root">answered</p>',
  '<a href="https://evil.example">said otherwise</a>',
  '<p style="position:fixed">told</p>',
  '<b><img src="x" onerror="x()">told otherwise',
];
const LINK = 'rel="nofollow ugc noopener noreferrer" target="_blank"';
const SERVED = [
  '<p>asked</p>',
  '<p>edited</p>',
  '<p>answered</p>',
  `<a href="https://evil.example" ${LINK}>said otherwise</a>`,
  '<p>told</p>',
  `<b><a href="x" ${LINK}>x</a>told otherwise</b>`,
];
const HOLD_BODIES = ['questions', 'answers', 'newsposts'];

/** The code of the day before: its bodies are as the log has them. */
const laxer = (projection: Projection): Projection => ({
  ...projection,
  version: projection.version - 1,
  tables: projection.tables.map((table) => (HOLD_BODIES.includes(table.name) ? asGiven(table) : table)),
});
const asGiven = (table: Table): Table => ({
  ...table,
  on: Object.fromEntries(
    Object.entries(table.on).map(([type, { keys }]): [string, Handler<Row, ProjectedEvent>] => [
      type,
      {
        keys,
        fold(row, event, key): Row | undefined {
          const after = foldRow(table, row, event, key);
          const isWritten = after !== undefined && after['body'] !== row?.['body'] && 'body' in event.data;
          return isWritten ? { ...after, body: event.data.body } : after;
        },
      },
    ]),
  ),
});

describe('bodies in the read models', () => {
  let database: TestDatabase;
  let store: InMemoryEventStore;
  const workers: ProjectionWorker[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    store = new InMemoryEventStore();
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await store.close();
    await database.drop();
  });

  async function work(served: readonly Projection[]): Promise<ProjectionWorker> {
    const worker = new ProjectionWorker({
      pool: database.pool(),
      store,
      projections: served,
      onError: failTest,
    });
    workers.push(worker);
    await worker.start();
    for (const projection of served) {
      await eventually(
        () => listGenerations(database.pool(), [projection.name]),
        (all) => all.some(({ status, version }) => status === 'live' && version === projection.version),
      );
      await liveHash(database.pool(), projection, store);
    }
    return worker;
  }

  const served = async (): Promise<string[]> => {
    const { rows } = await database
      .pool()
      .query<{ body: string }>(
        `select body from read.questions union all select body from read.answers union all select body from read.newsposts`,
      );
    return rows.map(({ body }) => body);
  };

  async function happened(): Promise<void> {
    const past = new Past();
    const news = new PastNews(past);
    const spaceId = past.newSpace();
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const ada = past.newStudent();
    past.join(ada, spaceId);
    const [asked = '', edited = '', answered = '', saidOtherwise = '', told = '', toldOtherwise = ''] =
      STORED;
    const questionId = past.ask(ada, place, { body: asked });
    past.editQuestion(past.ask(ada, place), 'How, then?', edited);
    past.answer(ada, questionId, answered);
    past.editAnswer(past.answer(ada, questionId), saidOtherwise);
    news.publish(ada, spaceId, { body: told });
    news.change(ada, news.publish(ada, spaceId), 'Open day', toldOtherwise);
    await store.append(past.appends);
  }

  it('that laxer rules let through are built anew by those of today', async () => {
    await happened();
    const before = await work([laxer(questionsProjection), laxer(newsProjection)]);
    expect((await served()).sort()).toEqual([...STORED].sort());
    await before.stop();
    await work([questionsProjection, newsProjection]);
    expect((await served()).sort()).toEqual([...SERVED].sort());
    const { rows } = await database.pool().query('select excerpt from read.questions order by excerpt');
    expect(rows).toEqual([{ excerpt: 'asked' }, { excerpt: 'edited' }]);
  });
});
