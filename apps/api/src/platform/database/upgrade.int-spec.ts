import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newClient } from '@nimo/event-store';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { inSession, withProjections } from '../../cli/cli-session.js';
import { environmentOf } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../config/load-settings.js';
import { describeSchema } from './describe-schema.js';
import { assertNotNewer, migrate } from './migrate.js';
import { migrations } from './migrations.js';
import { migrateAsSelf, prepareDatabase } from './prepare-database.js';

/** What the version of before (907403f4) ended with, and what its schema snapshot hashes to. */
const FORMER_ENDS_WITH = 'ProjectionWorkers1700000000053';
const FORMER_SCHEMA = 'be0c79c66c310fd15b3529c56596754672161037d7b3f4ae2870f8078414602a';
const former = migrations.slice(0, migrations.findIndex(({ name }) => name === FORMER_ENDS_WITH) + 1);

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

async function asking<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = newClient({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As the former version wrote it, without what the shape has gained since. */
function formerEvents() {
  const [spaceId, subjectId] = [randomUUID(), randomUUID()];
  const space = { name: 'French', description: 'La langue', scope: 'world', bannerImageUrl: null };
  return {
    spaceId,
    events: [
      {
        type: 'SpaceCreated',
        data: { spaceId, ...space, color: '1e88e5', hiddenFromSearchEngines: false },
      },
      { type: 'SubjectAdded', data: { spaceId, subjectId, subjectName: 'Grammar', color: 'ff8800' } },
    ],
  };
}

describe('the database of the version before', () => {
  it('is brought to this one, with what it holds, and is then as a new one', async () => {
    const { spaceId, events } = formerEvents();
    await asking((client) => client.query('drop schema if exists log, state, read, bullmq cascade'));
    await migrate(database.url, former);
    const schema = await asking(describeSchema);
    expect(createHash('sha256').update(schema).digest('hex')).toBe(FORMER_SCHEMA);
    await asking(async (client) => {
      for (const [revision, { type, data }] of events.entries()) {
        const id = randomUUID();
        const at = '2026-01-01T00:00:00.000Z';
        const ids = { commandId: id, correlationId: id, causationId: id, schemaVersion: 1 };
        const metadata = { occurredAt: at, recordedAt: at, actor: { kind: 'operator' }, ...ids };
        await client.query(
          `insert into log.events (position, event_id, stream_id, revision, type, data, metadata)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [revision + 1, id, `space-${spaceId}`, revision, type, data, metadata],
        );
      }
    });

    await migrateAsSelf(database.url);
    expect(await asking(describeSchema)).toBe(
      await readFile(join(import.meta.dirname, '../../../schema.snapshot.txt'), 'utf8'),
    );

    const settings = loadSettings({ ...environmentOf(database.url), NIMO_DATA_DIR: dataDir });
    const seen = await inSession(
      ({ runtime }) =>
        withProjections(runtime, async () => {
          const { waiter, store, pool } = runtime;
          const head = await store.head();
          if (head === undefined) throw new Error('the log is empty');
          expect(await waiter.waitFor(['spaces'], head, 60_000)).toEqual({ stale: false });
          return pool.query('select name, entry from read.spaces where space_id = $1', [spaceId]);
        }),
      settings,
    );
    expect(seen.rows).toEqual([expect.objectContaining({ name: 'French' })]);
  });

  it('is no longer served by the former version, which says why and changes nothing', async () => {
    const refusal =
      /A newer version of Nimo was here: .*DatedScoringDrafts1700000000242.* Nothing was changed/;
    await expect(asking((client) => assertNotNewer(client, former))).rejects.toThrow(refusal);
  });
});

describe('a start on a database that a newer version was on', () => {
  it('ends with words, whoever prepares it', async () => {
    await asking((client) =>
      client.query(`insert into state.migrations (timestamp, name) values (9, 'FromTheFuture9')`),
    );
    const refusal = /newer version of Nimo was here: 1 changes .*FromTheFuture9/;
    await expect(prepareDatabase(database.url)).rejects.toThrow(refusal);
    await expect(migrateAsSelf(database.url)).rejects.toThrow(refusal);
    const settings = loadSettings({ ...environmentOf(database.url), NIMO_DATA_DIR: dataDir });
    await expect(inSession(() => Promise.resolve(), settings)).rejects.toThrow(refusal);
    await asking((client) => client.query(`delete from state.migrations where name = 'FromTheFuture9'`));
    await expect(migrateAsSelf(database.url)).resolves.toBeUndefined();
  });
});
