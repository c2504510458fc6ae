import { openPool } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { listGenerations, ProjectionWorker } from '@nimo/projection-engine';
import { projections } from '../registry.js';
import { atProcessEnd, createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';

let template: Promise<string> | undefined;

/** Creates a test database with all projection tables, copied from a template because that is faster than creating them. */
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
