import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RecordedEvent, verifyLog } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import type { TestDatabase } from '../../../../../test/postgres.js';
import { startNimo } from '../../../../../test/command-line.js';
import { SeedDemo } from '../../features/demo/seed-demo.js';
import { environmentOf, Installations } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { inSession, withProjections, type CliSession } from '../cli-session.js';
import { projectionHashes } from '../testing/projection-hashes.js';
import { withWholeChain } from './log-session.js';
import { fieldsInClear } from './sealing-log.js';

/** Ends a hang: a slow machine must not fail a test. */
const TIMEOUT_MS = 200_000;

describe('an installation from before words were sealed', () => {
  const installations = new Installations();
  const folders: string[] = [];
  let old: TestDatabase;
  let double: EventStoreDbDouble;

  const environment = (
    database: TestDatabase,
    more: Record<string, string> = {},
  ): Record<string, string> => ({
    ...environmentOf(database.url),
    LOG_SIGNING_KEY: Buffer.alloc(32, 'l').toString('base64'),
    NIMO_OPERATOR: 'Ada Lovelace',
    ...more,
  });
  const session = <Result>(
    database: TestDatabase,
    act: (session: CliSession) => Promise<Result>,
    more: Record<string, string> = {},
  ): Promise<Result> => inSession(act, loadSettings(environment(database, more)));
  const newFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'nimo-heads-'));
    folders.push(folder);
    return folder;
  };

  beforeAll(async () => {
    [old, double] = await Promise.all([installations.create(), EventStoreDbDouble.start()]);
    const source = await installations.create();
    const events = await session(source, async ({ container, runtime }) => {
      await withProjections(runtime, () => container.get(SeedDemo, { strict: false }).run());
      return allOf(runtime.store);
    });
    // As they were written then: the same events, in clear.
    await session(old, async ({ runtime: { log } }) => {
      for (const { streamId, id, type, data, metadata } of events)
        await log.append([{ streamId, expectedRevision: 'any', events: [{ id, type, data, metadata }] }]);
    });
  });
  afterAll(async () => {
    await double.stop();
    await installations.drop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  const copied = async (more: Record<string, string>, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await startNimo(
      environment(old, more),
      'log',
      'copy',
      ...args,
      '--seal',
      '--yes',
      '--json',
    ).ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout) as {
      readonly sealed: { readonly sealed: number; readonly leftOut: number };
      readonly copied: number;
    };
  };

  it('is sealed into another database, where everything is folded to the same', async () => {
    const clear = await session(old, ({ runtime }) => clearIn(runtime));
    expect(clear).toBeGreaterThan(100);
    const fresh = await installations.create();
    expect((await copied({}, '--from', 'here', '--to', fresh.url)).sealed).toEqual({
      sealed: clear,
      leftOut: 0,
    });
    await copyKeys(old, fresh);
    const more = { LOG_HEADS_DIR: await newFolder() };
    await session(
      fresh,
      async ({ runtime }) => {
        expect(await clearIn(runtime)).toBe(0);
        await verified(runtime);
        expect(await projectionHashes(runtime)).toEqual(
          await session(old, (there) => projectionHashes(there.runtime)),
        );
      },
      more,
    );
  });

  it('is sealed into EventStoreDB, goes on there, and proves what it has', async () => {
    const before = await session(old, async ({ runtime }) => {
      await verified(runtime);
      return projectionHashes(runtime);
    });
    await copied({}, '--from', 'here', '--to', double.connectionString, '--switch');
    const away = { EVENTSTORE_URL: double.connectionString, LOG_HEADS_DIR: await newFolder() };
    await session(
      old,
      async ({ runtime }) => {
        expect(await clearIn(runtime)).toBe(0);
        await verified(runtime);
        // That the log was copied is told in it.
        expect({ ...(await projectionHashes(runtime)), audit: '' }).toEqual({ ...before, audit: '' });
      },
      away,
    );
    const { code, stdout } = await startNimo(environment(old, away), 'log', 'verify').ended;
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('fits') });
  });
});

async function verified({ pool, log, ...runtime }: Runtime): Promise<void> {
  const report = await withWholeChain({ pool, log, ...runtime }, AbortSignal.timeout(TIMEOUT_MS), () =>
    verifyLog({ pool, log, heads: [], keys: [] }),
  );
  expect(report).toMatchObject({ chainLag: 0, misfit: null });
}

const clearIn = async ({ log }: Runtime): Promise<number> =>
  (await allOf(log)).filter((event) => fieldsInClear(event) > 0).length;

const allOf = (log: Pick<Runtime['log'], 'readAll'>): Promise<RecordedEvent[]> =>
  log.readAll({ limit: 100_000 });

async function copyKeys(from: TestDatabase, to: TestDatabase): Promise<void> {
  const keys = await from.pool().query<{ row: unknown }>('SELECT to_json(k) AS row FROM state.student_key k');
  await to
    .pool()
    .query(
      'INSERT INTO state.student_key SELECT * FROM json_populate_recordset(NULL::state.student_key, $1)',
      [JSON.stringify(keys.rows.map(({ row }) => row))],
    );
}
