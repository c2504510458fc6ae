import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { withSession } from '../../cli/cli-session.js';
import { environmentOf } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../config/load-settings.js';
import { migrateAsSelf, prepareDatabase } from './migrate.js';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'nimo-upgrade-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a start on a database of a newer version', () => {
  it('fails with an explanation, however the database is prepared', async () => {
    await database
      .pool()
      .query(`insert into state.migrations (timestamp, name) values (9, 'FromTheFuture9')`);
    const refusal =
      /newer version of Nimo has migrated this database: 1 migrations .*FromTheFuture9.* Nothing was changed/;
    await expect(prepareDatabase(database.url)).rejects.toThrow(refusal);
    await expect(migrateAsSelf(database.url)).rejects.toThrow(refusal);
    const settings = loadSettings({ ...environmentOf(database.url), NIMO_DATA_DIR: dataDir });
    await expect(withSession(() => Promise.resolve(), settings)).rejects.toThrow(refusal);
    await database.pool().query(`delete from state.migrations where name = 'FromTheFuture9'`);
    await expect(migrateAsSelf(database.url)).resolves.toBeUndefined();
  });
});
