import { createReadStream, createWriteStream } from 'node:fs';
import { access, cp, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SEALED, type SealedFiles } from './sealed-files.js';

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A folder of the installation into the back-up, sealed where there is a key. */
export async function saveFolder(
  source: string,
  backup: string,
  name: string,
  sealed: SealedFiles | undefined,
): Promise<void> {
  const target = join(backup, name);
  if (sealed === undefined) return copyFolder(source, target);
  for (const file of await filesOf(source)) {
    const to = join(target, file) + SEALED;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await pipeline(
      createReadStream(join(source, file)),
      sealed.sealing(`${name}/${file}`),
      createWriteStream(to, { mode: 0o600, flush: true }),
    );
  }
}

/** Reads all of a sealed folder, so that nothing is restored out of a damaged one. */
export async function checkFolder(backup: string, name: string, sealed: SealedFiles): Promise<void> {
  const nowhere = (): Writable => new Writable({ write: (_part, _encoding, done) => done() });
  for (const [path, place] of await sealedFilesOf(backup, name))
    await pipeline(createReadStream(path), sealed.opening(place), nowhere());
}

/** Back again. What is there already stays: heads are never overwritten. */
export async function restoreFolder(
  backup: string,
  name: string,
  target: string,
  sealed: SealedFiles | undefined,
): Promise<void> {
  if (sealed === undefined) return copyFolder(join(backup, name), target);
  for (const [path, place] of await sealedFilesOf(backup, name)) {
    const to = join(target, relative(name, place));
    if (await isThere(to)) continue;
    await mkdir(dirname(to), { recursive: true });
    await pipeline(createReadStream(path), sealed.opening(place), createWriteStream(to));
  }
}

async function copyFolder(source: string, target: string): Promise<void> {
  if (await isThere(source))
    await cp(source, target, { recursive: true, force: false, preserveTimestamps: true });
}

async function sealedFilesOf(
  backup: string,
  name: string,
): Promise<(readonly [path: string, place: string])[]> {
  const files = await filesOf(join(backup, name));
  return files
    .filter((file) => file.endsWith(SEALED))
    .map((file) => [join(backup, name, file), `${name}/${file.slice(0, -SEALED.length)}`]);
}

/** Of the folder and those in it, from there on. */
async function filesOf(folder: string): Promise<string[]> {
  if (!(await isThere(folder))) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}
