import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SettingsError } from '../../platform/config/settings-error.js';
import { readTombstones, Tombstones } from './tombstones.js';

const [ann, ben] = ['ann', 'ben'].map((studentId) => ({ studentId, withWords: studentId === 'ann' })) as [
  { studentId: string; withWords: boolean },
  { studentId: string; withWords: boolean },
];

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nimo-tombstones-'));
  path = join(dataDir, 'tombstones.jsonl');
});
afterEach(() => rm(dataDir, { recursive: true }));

const settings = () => ({ dataDir, tombstones: undefined });

describe('tombstones', () => {
  it('name each erased student once', async () => {
    for (const tombstone of [ann, ben, ann]) await new Tombstones(settings()).add(tombstone);
    expect(await readTombstones(settings())).toEqual([ann, ben]);
  });

  it('survive a crash while one is written', async () => {
    await new Tombstones(settings()).add(ann);
    await appendFile(path, JSON.stringify(ben).slice(0, -4));
    await new Tombstones(settings()).add(ben);
    expect(await readTombstones(settings())).toEqual([ann, ben]);
  });

  it.each(['{"studentId":"carl', '{"withWords":true}', 'null', '7', '{}'])(
    'are refused with the number of an invalid line: %s',
    async (line) => {
      await writeFile(path, `${JSON.stringify(ann)}\n${line}\n${JSON.stringify(ben)}\n`);
      await expect(readTombstones(settings())).rejects.toThrow(
        new SettingsError(
          `Line 2 of ${path} (NIMO_TOMBSTONES) is not a tombstone, so a deleted account could come back. Restore the file, or remove the line.`,
        ),
      );
    },
  );

  it('may be absent at the default path, but not where NIMO_TOMBSTONES points', async () => {
    expect(await readTombstones(settings())).toBeNull();
    await expect(readTombstones({ dataDir, tombstones: path })).rejects.toThrow(`${path} does not exist`);
    await writeFile(path, '');
    expect(await readTombstones({ dataDir, tombstones: path })).toEqual([]);
  });
});
