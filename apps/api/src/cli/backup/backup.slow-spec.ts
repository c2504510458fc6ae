import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newClient } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import { projections } from '@nimo/projections';
import { listGenerations, ProjectionMaintenance } from '@nimo/projection-engine';
import { SeedDemo } from '../../features/demo/seed-demo.js';
import { environmentOf, Installations } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { assertRestoreComplete, type LogEngine, readLogEngine } from '../../platform/runtime/installation.js';
import { withSession, withProjections, type CliSession } from '../cli-session.js';
import { withCompleteChain } from '../log/log-session.js';
import { projectionHashes } from '../testing/projection-hashes.js';
import { saveBackup } from './save.js';
import { planOf, restoreBackup, withCheckedBackup } from './restore.js';

const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const PICTURE = 'pictures/one.webp';
const SEALING = { NIMO_BACKUP_KEY: key('b') };

/** A machine: a database and a data folder. */
interface Machine {
  readonly url: string;
  readonly dataDir: string;
}

const installations = new Installations();
const folders: string[] = [];
let here: Machine;
let backup: string;
let erased: string;
let hashes: Readonly<Record<string, string>>;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nimo-backup-'));
  folders.push(folder);
  return folder;
}

async function newMachine(): Promise<Machine> {
  const { url } = await installations.create();
  return { url, dataDir: await newFolder() };
}

type Environment = Readonly<Record<string, string>>;

const settingsOf = ({ url, dataDir }: Machine, environment: Environment) =>
  loadSettings({
    ...environmentOf(url),
    NIMO_DATA_DIR: dataDir,
    LOG_SIGNING_KEY: key('l'),
    ...environment,
  });

function on<Result>(
  machine: Machine,
  act: (session: CliSession) => Promise<Result>,
  environment: Environment = {},
): Promise<Result> {
  return withSession(act, settingsOf(machine, environment));
}

/** Only ends a hang: a slow machine must not fail the test. */
const signal = (): AbortSignal => AbortSignal.timeout(200_000);
const restoreOn = (machine: Machine, environment: Environment = {}, from = backup) =>
  withCheckedBackup(
    from,
    (session) => restoreBackup(from, session, signal()),
    settingsOf(machine, environment),
  );

/** Whether the identity key of each student is destroyed. */
const keysIn = (machine: Machine) =>
  on(machine, async ({ runtime }) => {
    const { rows } = await runtime.pool.query<{ id: string; gone: boolean }>(
      "select id, wrapped_key is null as gone from state.student_key where kind = 'identity'",
    );
    return new Map(rows.map(({ id, gone }) => [id, gone]));
  });

/** Without a session, which would record it. */
async function logEngineOf({ url }: Machine): Promise<LogEngine | undefined> {
  const client = newClient({ connectionString: url });
  await client.connect();
  try {
    return await readLogEngine(client);
  } finally {
    await client.end();
  }
}

/** Number of entries in that student's security log. */
const entriesIn = (machine: Machine, studentId: string) =>
  on(machine, async ({ runtime }) => {
    const { rows } = await runtime.pool.query('select from state.security_log where student_id = $1', [
      studentId,
    ]);
    return rows.length;
  });

beforeAll(async () => {
  here = await newMachine();
  backup = join(await newFolder(), 'saved');
  await mkdir(join(here.dataDir, 'media', 'pictures'), { recursive: true });
  await writeFile(join(here.dataDir, 'media', PICTURE), 'a picture');
  hashes = await on(here, async ({ container, runtime }) => {
    await withProjections(runtime, async () => {
      await container.get(SeedDemo, { strict: false }).run();
      const { pool, store } = runtime;
      expect(await new ProjectionMaintenance({ pool, store, projections }).rebuild('news')).toBe('switched');
    });
    const { rows } = await runtime.pool.query<{ id: string }>(
      "select id from state.student_key where kind = 'identity' order by id limit 1",
    );
    erased = rows[0]?.id ?? '';
    // An erasure in the log but not in the older state, as when the two are backed up separately.
    const id = randomUUID();
    const at = new Date().toISOString();
    const ids = { commandId: id, correlationId: id, causationId: id, schemaVersion: 1 };
    const metadata = { occurredAt: at, recordedAt: at, actor: { kind: 'operator' }, ...ids };
    const events = [{ id, type: 'StudentErased', data: { studentId: erased, withWords: false }, metadata }];
    await runtime.store.append([{ streamId: `student-${erased}`, expectedRevision: 'any', events }]);
    await withCompleteChain(runtime, signal(), () => Promise.resolve());
    await saveBackup(backup, runtime);
    // The expected state after the restore.
    await runtime.studentKeys.destroy(erased);
    return projectionHashes(runtime);
  });
});

afterAll(async () => {
  await installations.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

describe('a backup', () => {
  it('restores the same log and byte-identical projections elsewhere, and repeats erasures', async () => {
    const there = await newMachine();
    const restored = await restoreOn(there);
    expect(restored).toMatchObject({ erasuresRepeated: 1, log: { mismatch: null, chainLag: 0 } });
    const [before, after] = [await keysIn(here), await keysIn(there)];
    expect(after.get(erased)).toBe(true);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    expect([...after.values()].filter((gone) => gone)).toHaveLength(1);
    expect(await entriesIn(here, erased)).toBeGreaterThan(0);
    expect(await entriesIn(there, erased)).toBe(0);
    expect(await on(there, ({ runtime }) => projectionHashes(runtime))).toEqual(hashes);
    expect(Object.keys(hashes)).toHaveLength(projections.length);
    expect(await readFile(join(there.dataDir, 'media', PICTURE), 'utf8')).toBe('a picture');
    // The rebuild recorded in the log was done there and is not repeated here.
    const generations = await on(there, ({ runtime }) => listGenerations(runtime.pool, ['news']));
    expect(generations.map(({ generation, status }) => [generation, status])).toEqual([[1, 'live']]);
  });

  it('does not bring back students named in the tombstones', async () => {
    const there = await newMachine();
    const [buried] = [...(await keysIn(here))].flatMap(([id, gone]) => (gone ? [] : [id]));
    const tombstone = JSON.stringify({ studentId: buried, withWords: true });
    // The first write was cut off by a crash.
    await writeFile(join(there.dataDir, 'tombstones.jsonl'), `${tombstone.slice(0, 30)}\n${tombstone}\n`);
    expect(await on(there, ({ runtime }) => planOf(backup, runtime))).toMatchObject({ tombstones: 1 });
    expect(await restoreOn(there)).toMatchObject({
      erasuresRepeated: 1,
      tombstonesApplied: 1,
      log: { mismatch: null },
    });
    expect((await keysIn(there)).get(buried ?? '')).toBe(true);
    await on(there, async ({ runtime }) => {
      const { rows } = await runtime.pool.query(
        `select is_erased, user_name, (select count(*)::int from read.questions where author_id = $1 and title <> '') as titles
         from read.students where student_id = $1`,
        [buried],
      );
      expect(rows).toEqual([{ is_erased: true, user_name: null, titles: 0 }]);
    });
  });

  it('is not restored, not even in part, if the tombstones are damaged or missing', async () => {
    const there = await newMachine();
    const path = join(there.dataDir, 'kept-elsewhere.jsonl');
    const environment = { NIMO_TOMBSTONES: path };
    await expect(restoreOn(there, environment)).rejects.toThrow(`${path} does not exist`);
    await writeFile(path, '{"studentId":"cut');
    await expect(restoreOn(there, environment)).rejects.toThrow(`Line 1 of ${path}`);
    expect((await keysIn(there)).size).toBe(0);
    await writeFile(path, '');
    expect(await restoreOn(there, environment)).toMatchObject({ tombstonesApplied: 0 });
  });

  it('yields a plan that warns of missing tombstones', async () => {
    const there = await newMachine();
    expect(await on(there, ({ runtime }) => planOf(backup, runtime))).toMatchObject({
      tombstones: null,
      tombstonesPath: join(there.dataDir, 'tombstones.jsonl'),
    });
  });

  it('contains no projections and no keys', async () => {
    const { tables } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as {
      tables: { name: string }[];
    };
    expect(tables.every(({ name }) => /^(log|state)\./.test(name))).toBe(true);
    const text = await readFile(join(backup, 'manifest.json'), 'utf8');
    for (const letter of ['m', 'h', 's', 'l']) expect(text).not.toContain(key(letter));
  });

  it('is not restored into a database in use', async () => {
    const used = await newMachine();
    await restoreOn(used);
    await expect(restoreOn(used)).rejects.toThrow('the database is not empty');
  });

  it('is not restored with another key', async () => {
    const there = await newMachine();
    await expect(restoreOn(there, { NIMO_MASTER_KEY: key('x') })).rejects.toThrow(
      'NIMO_MASTER_KEY is not the key',
    );
  });

  it('is not restored, not even in part, if it is incomplete or damaged', async () => {
    const there = await newMachine();
    await expect(restoreOn(there, {}, await newFolder())).rejects.toThrow('has no manifest.json');
    const damaged = join(await newFolder(), 'damaged');
    await on(here, ({ runtime }) => saveBackup(damaged, runtime));
    await appendFile(join(damaged, 'tables', 'state.credential.copy.gz'), 'x');
    await expect(restoreOn(there, {}, damaged)).rejects.toThrow('state.credential.copy.gz is damaged');
    expect((await keysIn(there)).size).toBe(0);
  });

  it('is refused before anything is recorded if a setting is wrong, so that the next try succeeds', async () => {
    const double = await EventStoreDbDouble.start();
    const eventStore = { EVENTSTORE_URL: double.connectionString };
    try {
      const saved = join(await newFolder(), 'saved');
      await on(await newMachine(), ({ runtime }) => saveBackup(saved, runtime), eventStore);
      const there = await newMachine();
      await expect(restoreOn(there, {}, saved)).rejects.toThrow('set EVENTSTORE_URL');
      expect(await logEngineOf(there)).toBeUndefined();
      expect(await restoreOn(there, eventStore, saved)).toMatchObject({ log: { mismatch: null } });
      expect(await logEngineOf(there)).toBe('eventstoredb');
      const other = await newMachine();
      await expect(restoreOn(other, eventStore)).rejects.toThrow('unset EVENTSTORE_URL');
      expect(await logEngineOf(other)).toBeUndefined();
    } finally {
      await double.stop();
    }
  });

  it('is verified after it is made, which the database records', async () => {
    await on(here, async ({ runtime }) => {
      const { rows } = await runtime.pool.query(
        `select bytes > 1000 as "hasBytes", is_encrypted as "isEncrypted", verified_at >= made_at as "isVerified"
         from state.backup order by made_at limit 1`,
      );
      expect(rows).toEqual([{ hasBytes: true, isEncrypted: false, isVerified: true }]);
    });
  });

  it('is not restored, not even in part, if a picture is altered or missing', async () => {
    const changed = join(await newFolder(), 'changed');
    await on(here, ({ runtime }) => saveBackup(changed, runtime));
    const there = await newMachine();
    const refused = `media/${PICTURE} is damaged or missing`;
    await writeFile(join(changed, 'media', PICTURE), 'a pictuRe');
    await expect(restoreOn(there, {}, changed)).rejects.toThrow(refused);
    await rm(join(changed, 'media', PICTURE));
    await expect(restoreOn(there, {}, changed)).rejects.toThrow(refused);
    expect((await keysIn(there)).size).toBe(0);
    await expect(readFile(join(there.dataDir, 'media', PICTURE))).rejects.toThrow('ENOENT');
  });

  it('yields a plan of the restore without changing anything', async () => {
    const there = await newMachine();
    const plan = await on(there, ({ runtime }) => planOf(backup, runtime));
    expect(plan).toMatchObject({ encrypted: false, isResumed: false, dataDir: there.dataDir });
    expect(plan.events).toBeGreaterThan(10);
    expect(plan.rows).toBeGreaterThan(plan.events);
    expect(plan.files).toBeGreaterThanOrEqual(1);
    expect(plan.database).toContain(new URL(there.url).pathname);
    expect((await keysIn(there)).size).toBe(0);
  });

  it('reports missing signed heads if the heads folder was empty but the database has some', async () => {
    const without = join(await newFolder(), 'without-heads');
    const elsewhere = join(await newFolder(), 'no-heads-here');
    await on(here, ({ runtime }) => saveBackup(without, runtime), { LOG_HEADS_DIR: elsewhere });
    const there = await newMachine();
    expect(await on(there, ({ runtime }) => planOf(backup, runtime))).toMatchObject({ lacksHeads: false });
    expect(await on(there, ({ runtime }) => planOf(without, runtime))).toMatchObject({ lacksHeads: true });
  });

  it('resumes an interrupted restore, and prevents a start until it is done', async () => {
    const there = await newMachine();
    const ended = AbortSignal.abort(new Error('ended'));
    await expect(on(there, (session) => restoreBackup(backup, session, ended))).rejects.toThrow('ended');
    const start = (): Promise<void> => on(there, ({ runtime }) => assertRestoreComplete(runtime));
    await expect(start()).rejects.toThrow('is unfinished. Run "nimo restore"');
    const another = join(await newFolder(), 'another');
    await on(here, ({ runtime }) => saveBackup(another, runtime));
    await expect(restoreOn(there, {}, another)).rejects.toThrow('Resume that one');
    expect(await on(there, ({ runtime }) => planOf(backup, runtime))).toMatchObject({ isResumed: true });
    expect(await restoreOn(there)).toMatchObject({ log: { mismatch: null, chainLag: 0 } });
    await expect(start()).resolves.toBeUndefined();
    expect((await keysIn(there)).get(erased)).toBe(true);
    expect(await on(there, ({ runtime }) => projectionHashes(runtime))).toEqual(hashes);
  });

  it('is fully encrypted with a key, and restored with it', async () => {
    const sealed = join(await newFolder(), 'sealed');
    await on(here, ({ runtime }) => saveBackup(sealed, runtime), SEALING);
    const files = (await readdir(sealed, { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
    expect(files.map(({ name }) => name)).toContain('manifest.json.sealed');
    expect(files.length).toBeGreaterThan(10);
    for (const { name, parentPath } of files) {
      expect(name).toMatch(/\.sealed$/);
      const bytes = await readFile(join(parentPath, name));
      expect(bytes.subarray(0, 15).toString()).toBe('nimo-sealed-v1\n');
      for (const text of ['a picture', 'log.events', 'password_hash'])
        expect(bytes.includes(text)).toBe(false);
    }
    const there = await newMachine();
    expect(await restoreOn(there, SEALING, sealed)).toMatchObject({ log: { mismatch: null } });
    expect(await on(there, ({ runtime }) => projectionHashes(runtime))).toEqual(hashes);
    expect(await readFile(join(there.dataDir, 'media', PICTURE), 'utf8')).toBe('a picture');
  });

  it('is not restored, not even in part, if it is encrypted and the key is wrong or a file is damaged', async () => {
    const sealed = join(await newFolder(), 'sealed');
    await on(here, ({ runtime }) => saveBackup(sealed, runtime), SEALING);
    const there = await newMachine();
    await expect(restoreOn(there, {}, sealed)).rejects.toThrow('is encrypted: set NIMO_BACKUP_KEY');
    await expect(restoreOn(there, { NIMO_BACKUP_KEY: key('x') }, sealed)).rejects.toThrow(
      'NIMO_BACKUP_KEY is not the key',
    );
    const picture = join(sealed, 'media', `${PICTURE}.sealed`);
    const whole = await readFile(picture);
    const another = join(await newFolder(), 'another');
    await on(here, ({ runtime }) => saveBackup(another, runtime), SEALING);
    for (const bytes of [
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.from('x')]),
      Buffer.from(whole.map((byte, place) => (place === whole.length - 20 ? byte ^ 1 : byte))),
      await readFile(join(another, 'media', `${PICTURE}.sealed`)),
      await readFile(join(sealed, 'tables', 'state.credential.copy.gz.sealed')),
    ]) {
      await writeFile(picture, bytes);
      await expect(restoreOn(there, SEALING, sealed)).rejects.toThrow('is damaged');
    }
    await writeFile(picture, whole);
    await appendFile(join(sealed, 'tables', 'state.credential.copy.gz.sealed'), 'x');
    await expect(restoreOn(there, SEALING, sealed)).rejects.toThrow('is damaged');
    expect((await keysIn(there)).size).toBe(0);
    await expect(readFile(join(there.dataDir, 'media', PICTURE))).rejects.toThrow('ENOENT');
  });

  it('never overwrites another one', async () => {
    await expect(on(here, ({ runtime }) => saveBackup(backup, runtime))).rejects.toThrow('already exists');
  });
});
