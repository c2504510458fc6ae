import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { newsProjection } from './news/news.projection.js';
import type { Handler, ProjectedEvent, Projection, Row, Table } from './projection.js';
import { questionsProjection } from './questions/questions.projection.js';
import { foldRow, listGenerations, ProjectionWorker } from '@nimo/projection-engine';
import { failTest, liveHash } from '@nimo/projection-engine/testing';
import { NewsHistory } from './testing/news-history.fixture.js';
import { EventHistory } from './testing/event-history.fixture.js';

/** HTML that earlier sanitising rules may have accepted, one body per event. */
const STORED = [
  '<p onclick="x()">asked</p>',
  '<p>edited<iframe src="https://evil.example"></iframe></p>',
  '<p class="mantine-Modal-root">answered</p>',
  '<a href="https://evil.example">answer edited</a>',
  '<p style="position:fixed">published</p>',
  '<b><img src="x" onerror="x()">news changed',
];
const LINK = 'rel="nofollow ugc noopener noreferrer" target="_blank"';
const SERVED = [
  '<p>asked</p>',
  '<p>edited</p>',
  '<p>answered</p>',
  `<a href="https://evil.example" ${LINK}>answer edited</a>`,
  '<p>published</p>',
  `<b><a href="x" ${LINK}>x</a>news changed</b>`,
];
const TABLES_WITH_BODIES = ['questions', 'answers', 'newsposts'];

/** An earlier version of a projection that stores bodies unsanitised. */
const laxer = (projection: Projection): Projection => ({
  ...projection,
  version: projection.version - 1,
  tables: projection.tables.map((table) =>
    TABLES_WITH_BODIES.includes(table.name) ? unsanitised(table) : table,
  ),
});
const unsanitised = (table: Table): Table => ({
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

describe('bodies on the read side', () => {
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

  async function startWorker(active: readonly Projection[]): Promise<ProjectionWorker> {
    const worker = new ProjectionWorker({
      pool: database.pool(),
      store,
      projections: active,
      onError: failTest,
    });
    workers.push(worker);
    await worker.start();
    for (const projection of active) {
      await eventually(
        () => listGenerations(database.pool(), [projection.name]),
        (all) => all.some(({ status, version }) => status === 'live' && version === projection.version),
      );
      await liveHash(database.pool(), projection, store);
    }
    return worker;
  }

  const readBodies = async (): Promise<string[]> => {
    const { rows } = await database
      .pool()
      .query<{ body: string }>(
        `select body from read.questions union all select body from read.answers union all select body from read.newsposts`,
      );
    return rows.map(({ body }) => body);
  };

  async function appendHistory(): Promise<void> {
    const past = new EventHistory();
    const news = new NewsHistory(past);
    const spaceId = past.newSpace();
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const ada = past.newStudent();
    past.join(ada, spaceId);
    const [asked = '', edited = '', answered = '', reworded = '', published = '', changed = ''] = STORED;
    const questionId = past.ask(ada, place, { body: asked });
    past.editQuestion(past.ask(ada, place), 'How, then?', edited);
    past.answer(ada, questionId, answered);
    past.editAnswer(past.answer(ada, questionId), reworded);
    news.publish(ada, spaceId, { body: published });
    news.change(ada, news.publish(ada, spaceId), 'Open day', changed);
    await store.append(past.appends);
  }

  it('are rebuilt with the current sanitising rules', async () => {
    await appendHistory();
    const before = await startWorker([laxer(questionsProjection), laxer(newsProjection)]);
    expect((await readBodies()).sort()).toEqual([...STORED].sort());
    await before.stop();
    await startWorker([questionsProjection, newsProjection]);
    expect((await readBodies()).sort()).toEqual([...SERVED].sort());
    const { rows } = await database.pool().query('select excerpt from read.questions order by excerpt');
    expect(rows).toEqual([{ excerpt: 'asked' }, { excerpt: 'edited' }]);
  });
});
