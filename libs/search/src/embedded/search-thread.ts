// Entry point of the thread behind `ThreadedSearch`. Imports only its own files and the driver, because every API process runs one.
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import {
  type ThreadQuery,
  serializeError,
  type ThreadResponse,
  type ThreadConnection,
  type ThreadRequest,
} from './threaded-search.js';
import { EmbeddedSearch } from './embedded-search.js';

/** One to keep the index current and some to read texts; more would share the same CPU core. */
const CONNECTIONS = 3;
const CONNECT_TIMEOUT_MS = 10_000;

const { url, name } = workerData as ThreadConnection;
// oxlint-disable-next-line nimo/open-connection -- importing `openPool` would load ten times as much code; the listeners below replace it
const pool = new pg.Pool({
  connectionString: url,
  application_name: name,
  max: CONNECTIONS,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
});
// A broken connection surfaces as an error of the next statement.
pool.on('error', () => undefined);
pool.on('connect', (client) => client.on('error', () => undefined));
const search = new EmbeddedSearch(pool);
/** Never aborted: rounds end with the thread. */
const { signal } = new AbortController();

function answer(query: ThreadQuery): Promise<unknown> {
  switch (query.kind) {
    case 'findQuestions':
      return search.findQuestions(query.search);
    case 'findAnswers':
      return search.findAnswers(query.search);
    case 'findTopics':
      return search.findTopics(query.search);
    case 'findPeople':
      return search.findPeople(query.search);
    case 'warmUp':
      return search.warmUp(signal);
  }
}

const send = (message: ThreadResponse): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ThreadRequest) => {
  if (message.kind === 'close') {
    parentPort?.close();
    pool.end().catch(() => undefined);
    return;
  }
  const { id } = message;
  answer(message)
    .then((found) => send({ id, found }))
    .catch((error: unknown) => send({ id, failure: serializeError(error) }));
});
