import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore, StoredFile } from './file-store.js';

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

export class FolderFiles implements FileStore {
  readonly signedUrls = null;

  constructor(private readonly folder: string) {}

  /** Atomic: readers never see a partial file. */
  put(path: string, bytes: Buffer): Promise<void> {
    return this.writeAtomically(path, (unfinished) => writeFile(unfinished, bytes, { flush: true }));
  }

  putFile(path: string, local: string): Promise<void> {
    return this.writeAtomically(path, (unfinished) => copyFile(local, unfinished));
  }

  private async writeAtomically(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
    const target = join(this.folder, path);
    const unfinished = `${target}.${randomUUID()}`;
    await mkdir(dirname(target), { recursive: true });
    try {
      await write(unfinished);
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async get(path: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.folder, path));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async sizeOf(path: string): Promise<number | null> {
    try {
      return (await stat(join(this.folder, path))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(path: string): Promise<StoredFile | null> {
    try {
      const file = await open(join(this.folder, path));
      const { size } = await file.stat();
      return { stream: file.createReadStream(), bytes: size };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.folder, path), { force: true });
  }
}
