import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '@nimo/projections';
import { listGenerations, ProjectionMaintenance } from '@nimo/projection-engine';
import { SeedDemo } from '../../features/demo/seed-demo.js';
import { environmentOf, Installations } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { inSession, withProjections, type CliSession } from '../cli-session.js';
import { withWholeChain } from '../log/log-session.js';
import { projectionHashes } from '../testing/projection-hashes.js';
import { saveTo } from './back-up.js';
import { restoreFrom } from './restore.js';

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

function on<Result>(
  { url, dataDir }: Machine,
  act: (session: CliSession) => Promise<Result>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const given = { ...environmentOf(url), NIMO_DATA_DIR: dataDir, LOG_SIGNING_KEY: key('l'), ...environment };
  return inSession(act, loadSettings(given));
}

const signal = (): AbortSignal => AbortSignal.timeout(50_000);
const restoreOn = (machine: Machine, environment: Readonly<Record<string, string>> = {}, from = backup) =>
  on(machine, ({ runtime }) => restoreFrom(from, runtime, signal()), environment);

/** The students whose keys are left, and how many were erased. */
const keysIn = (machine: Machine) =>
  on(machine, async ({ runtime }) => {
    const { rows } = await runtime.pool.query<{ id: string; gone: boolean }>(
      'select student_id as id, wrapped_key is null as gone from state.student_key',
    );
    return new Map(rows.map(({ id, gone }) => [id, gone]));
  });

/** How much there is of that student's security log. */
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
      'select student_id as id from state.student_key order by student_id limit 1',
    );
    erased = rows[0]?.id ?? '';
    // The log knows of an erasure that the state, being older, does not: what a restore meets where the two are saved apart.
    const id = randomUUID();
    const at = new Date().toISOString();
    const ids = { commandId: id, correlationId: id, causationId: id, schemaVersion: 1 };
    const metadata = { occurredAt: at, recordedAt: at, actor: { kind: 'operator' }, ...ids };
    const events = [{ id, type: 'StudentErased', data: { studentId: erased }, metadata }];
    await runtime.store.append([{ streamId: `student-${erased}`, expectedRevision: 'any', events }]);
    await withWholeChain(runtime, signal(), () => Promise.resolve());
    await saveTo(backup, runtime);
    // As it is to be after the restore.
    await runtime.studentKeys.erase(erased);
    return projectionHashes(runtime);
  });
}, 120_000);

afterAll(async () => {
  await installations.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

describe('a back-up', () => {
  it('is restored elsewhere with the same log, the same projections to the byte, and the erasures done again', async () => {
    const there = await newMachine();
    const restored = await restoreOn(there);
    expect(restored).toMatchObject({ erasedAgain: 1, log: { misfit: null, chainLag: 0 } });
    const [before, after] = [await keysIn(here), await keysIn(there)];
    expect(after.get(erased)).toBe(true);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    expect([...after.values()].filter((gone) => gone)).toHaveLength(1);
    expect(await entriesIn(here, erased)).toBeGreaterThan(0);
    expect(await entriesIn(there, erased)).toBe(0);
    expect(await on(there, ({ runtime }) => projectionHashes(runtime))).toEqual(hashes);
    expect(Object.keys(hashes)).toHaveLength(projections.length);
    expect(await readFile(join(there.dataDir, 'media', PICTURE), 'utf8')).toBe('a picture');
    // The log tells of a rebuild, which was done where it was asked for.
    const generations = await on(there, ({ runtime }) => listGenerations(runtime.pool, ['news']));
    expect(generations.map(({ generation, status }) => [generation, status])).toEqual([[1, 'live']]);
  });

  it('leaves nothing of the read side, and no key, in its files', async () => {
    const { tables } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as {
      tables: { name: string }[];
    };
    expect(tables.every(({ name }) => /^(log|state)\./.test(name))).toBe(true);
    const text = await readFile(join(backup, 'manifest.json'), 'utf8');
    for (const letter of ['m', 'h', 's', 'l']) expect(text).not.toContain(key(letter));
  });

  it('is not restored over people who live there', async () => {
    const used = await newMachine();
    await restoreOn(used);
    await expect(restoreOn(used)).rejects.toThrow('somebody lives in it already');
  });

  it('is not restored with another key', async () => {
    const there = await newMachine();
    await expect(restoreOn(there, { NIMO_MASTER_KEY: key('x') })).rejects.toThrow(
      'NIMO_MASTER_KEY is another',
    );
  });

  it('is not restored where it is torn or damaged, and then nothing is', async () => {
    const there = await newMachine();
    await expect(restoreOn(there, {}, await newFolder())).rejects.toThrow('has no manifest.json');
    const damaged = join(await newFolder(), 'damaged');
    await on(here, ({ runtime }) => saveTo(damaged, runtime));
    await appendFile(join(damaged, 'tables', 'state.credential.copy.gz'), 'x');
    await expect(restoreOn(there, {}, damaged)).rejects.toThrow('state.credential.copy.gz is damaged');
    expect((await keysIn(there)).size).toBe(0);
  });

  it('is encrypted whole where there is a key, and comes back with it', async () => {
    const sealed = join(await newFolder(), 'sealed');
    await on(here, ({ runtime }) => saveTo(sealed, runtime), SEALING);
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
    expect(await restoreOn(there, SEALING, sealed)).toMatchObject({ log: { misfit: null } });
    expect(await on(there, ({ runtime }) => projectionHashes(runtime))).toEqual(hashes);
    expect(await readFile(join(there.dataDir, 'media', PICTURE), 'utf8')).toBe('a picture');
  });

  it('that is encrypted tells of a missing or another key and of any damage, and nothing is restored', async () => {
    const sealed = join(await newFolder(), 'sealed');
    await on(here, ({ runtime }) => saveTo(sealed, runtime), SEALING);
    const there = await newMachine();
    await expect(restoreOn(there, {}, sealed)).rejects.toThrow('is encrypted: set NIMO_BACKUP_KEY');
    await expect(restoreOn(there, { NIMO_BACKUP_KEY: key('x') }, sealed)).rejects.toThrow(
      'NIMO_BACKUP_KEY is another',
    );
    const picture = join(sealed, 'media', `${PICTURE}.sealed`);
    const whole = await readFile(picture);
    const another = join(await newFolder(), 'another');
    await on(here, ({ runtime }) => saveTo(another, runtime), SEALING);
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

  it('never replaces another one', async () => {
    await expect(on(here, ({ runtime }) => saveTo(backup, runtime))).rejects.toThrow('is there already');
  });
});
