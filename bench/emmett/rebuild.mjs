// Appends events through 32 concurrent clients, rebuilds one projection and prints the number of applied events and the time.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { pongoMultiStreamProjection, rebuildPostgreSQLProjections } from '@event-driven-io/emmett-postgresql';
import { openStore, voteCast } from './store.mjs';

const CLIENTS = 32;
const STREAM_EVENTS = 5;
const BATCH_SIZE = 1000;

const [url, eventsArgument] = process.argv.slice(2);
const events = Number(eventsArgument);
const { store, close } = openStore(url, CLIENTS);
await store.schema.migrate();

let appended = 0;
await Promise.all(
  Array.from({ length: CLIENTS }, async () => {
    while (appended < events) {
      appended += STREAM_EVENTS;
      await store.appendToStream(`vote-${randomUUID()}`, Array.from({ length: STREAM_EVENTS }, voteCast));
    }
  }),
);

let applied = 0;
const projection = pongoMultiStreamProjection({
  collectionName: 'votes',
  version: 1,
  canHandle: ['VoteCast'],
  getDocumentId: (event) => event.data.postId,
  initialState: () => ({ count: 0 }),
  evolve: (document) => {
    applied += 1;
    return { ...document, count: document.count + 1 };
  },
});
const consumer = rebuildPostgreSQLProjections({
  connectionString: url,
  projection,
  pulling: { batchSize: BATCH_SIZE },
});
const start = performance.now();
await consumer.start();
const seconds = (performance.now() - start) / 1000;
await consumer.close();
await close();
process.stdout.write(`${JSON.stringify({ appended, applied, seconds })}\n`);
