import { openPool } from '../libs/event-store/src/index.js';
import { InMemoryEventStore } from '../libs/event-store/src/testing.js';
import { listGenerations, ProjectionWorker } from '../libs/projection-engine/src/index.js';
import { projections } from '../libs/projections/src/index.js';
import { eventually } from './eventually.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { atProcessEnd } from './process-end.js';

let template: Promise<string> | undefined;

/** As `createTestDatabase`, with the tables and indexes of all projections: making those takes longer than copying them. */
export async function createProjectedDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await (template ??= makeTemplate()));
}

async function makeTemplate(): Promise<string> {
  const database = await createTestDatabase();
  atProcessEnd(database.drop);
  const pool = openPool({ connectionString: database.urlAs('nimo_worker') });
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const worker = new ProjectionWorker({ pool, store: new InMemoryEventStore(), projections, onError });
  await worker.start();
  await eventually(
    () =>
      listGenerations(
        pool,
        projections.map(({ name }) => name),
      ),
    (generations) => generations.every(({ indexed }) => indexed),
    () => errors,
  );
  await worker.stop();
  await pool.end();
  return database.name;
}
