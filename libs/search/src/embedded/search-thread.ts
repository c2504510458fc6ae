// What a `ThreadedSearch` runs. It loads little, since every api process has one: files of its own and the driver, no package's door.
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import {
  type Asked,
  carried,
  type FromThread,
  type ThreadConnection,
  type ToThread,
} from './threaded-search.js';
import { EmbeddedSearch } from './embedded-search.js';

/** One that follows the read side, and some that read texts; more would only share one processor. */
const CONNECTIONS = 3;
const CONNECT_PATIENCE_MS = 10_000;

const { url, name } = workerData as ThreadConnection;
// oxlint-disable-next-line nimo/open-connection -- `openPool` lies behind a door that loads ten times as much as all of this; the listeners below are its own
const pool = new pg.Pool({
  connectionString: url,
  application_name: name,
  max: CONNECTIONS,
  connectionTimeoutMillis: CONNECT_PATIENCE_MS,
  keepAlive: true,
});
// A connection may break at any moment: whoever uses it is told by their next statement.
pool.on('error', () => undefined);
pool.on('connect', (client) => client.on('error', () => undefined));
const search = new EmbeddedSearch(pool);
/** The thread's end ends a round. */
const { signal } = new AbortController();

function answer(asked: Asked): Promise<unknown> {
  switch (asked.kind) {
    case 'findQuestions':
      return search.findQuestions(asked.search);
    case 'findAnswers':
      return search.findAnswers(asked.search);
    case 'findTopics':
      return search.findTopics(asked.search);
    case 'findPeople':
      return search.findPeople(asked.search);
    case 'warmUp':
      return search.warmUp(signal);
  }
}

const send = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'close') {
    parentPort?.close();
    pool.end().catch(() => undefined);
    return;
  }
  const { id } = message;
  answer(message)
    .then((found) => send({ id, found }))
    .catch((error: unknown) => send({ id, failure: carried(error) }));
});
