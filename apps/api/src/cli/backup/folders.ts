import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Transform, type TransformCallback, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathExists } from '../new-file.js';
import { SEALED, type SealedFiles } from './sealed-files.js';

/** A file in a backup, encrypted if there is a key. */
export interface SavedFile {
  /** Path relative to the backup. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Copies a folder of the installation into the backup, encrypted if there is a key. */
export async function saveFolder(
  source: string,
  backup: string,
  name: string,
  sealed: SealedFiles | undefined,
): Promise<SavedFile[]> {
  const saved: SavedFile[] = [];
  for (const file of await filesOf(source)) {
    const place = `${name}/${file}`;
    const stored = sealed ? place + SEALED : place;
    const to = join(backup, stored);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const read = createReadStream(join(source, file));
    const written = createWriteStream(to, { mode: 0o600, flush: true });
    const counted = new HashingStream();
    try {
      if (sealed) await pipeline(read, sealed.sealStream(place), counted, written);
      else await pipeline(read, counted, written);
    } catch (error) {
      // Deleted in the meantime, so nothing refers to it any more.
      if (!isGone(error)) throw error;
      await rm(to, { force: true });
      continue;
    }
    saved.push({ name: stored, ...counted.result() });
  }
  return saved;
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Passes data through and computes its hash and size. */
class HashingStream extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(part);
    this.bytes += part.length;
    done(null, part);
  }

  result(): Pick<SavedFile, 'sha256' | 'bytes'> {
    return { sha256: this.hash.digest('hex'), bytes: this.bytes };
  }
}

/** Reads an encrypted folder to the end, so that nothing is restored from a damaged one. */
export async function checkFolder(backup: string, name: string, sealed: SealedFiles): Promise<void> {
  const nowhere = (): Writable => new Writable({ write: (_part, _encoding, done) => done() });
  for (const [path, place] of await sealedFilesOf(backup, name))
    await pipeline(createReadStream(path), sealed.openStream(place), nowhere());
}

/** Restores a folder, writing each file atomically. Keeps existing files: signed heads are never overwritten. */
export async function restoreFolder(
  backup: string,
  name: string,
  target: string,
  sealed: SealedFiles | undefined,
): Promise<void> {
  const files = sealed ? await sealedFilesOf(backup, name) : await plainFilesOf(backup, name);
  for (const [path, place] of files) {
    const to = join(target, relative(name, place));
    if (await pathExists(to)) continue;
    await mkdir(dirname(to), { recursive: true });
    const unfinished = `${to}.part`;
    const written = createWriteStream(unfinished, { flush: true });
    if (sealed) await pipeline(createReadStream(path), sealed.openStream(place), written);
    else await pipeline(createReadStream(path), written);
    await rename(unfinished, to);
  }
}

async function plainFilesOf(
  backup: string,
  name: string,
): Promise<(readonly [path: string, place: string])[]> {
  const files = await filesOf(join(backup, name));
  return files.map((file) => [join(backup, name, file), `${name}/${file}`]);
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

/** Files in the folder and its subfolders, as relative paths with `/`. */
async function filesOf(folder: string): Promise<string[]> {
  if (!(await pathExists(folder))) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}
