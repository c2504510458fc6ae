import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError } from './import-error.js';

export const DUMP_FILES = ['users', 'posts', 'comments', 'votes'] as const;
export type DumpFile = (typeof DUMP_FILES)[number];

export const FILE_NAMES: Readonly<Record<DumpFile, string>> = {
  users: 'Users.xml',
  posts: 'Posts.xml',
  comments: 'Comments.xml',
  votes: 'Votes.xml',
};

const HASHED_BYTES = 64 * 1024;

export interface Dump {
  readonly path: Readonly<Record<DumpFile, string>>;
  readonly bytes: number;
  /** Of these very files: the same dump in another folder is the same one, a newer dump of the community is another. */
  readonly identity: string;
}

/** @throws ImportError where one of the four files cannot be read */
export async function findDump(folder: string): Promise<Dump> {
  const path = Object.fromEntries(DUMP_FILES.map((file) => [file, join(folder, FILE_NAMES[file])])) as Record<
    DumpFile,
    string
  >;
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of DUMP_FILES) {
    const size = await readableSize(path[file]);
    hash.update(`${file}:${size}\n`).update(await beginningOf(path[file]));
    bytes += size;
  }
  return { path, bytes, identity: hash.digest('hex') };
}

async function readableSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile())
    throw new ImportError(`${path} is missing; a dump has ${Object.values(FILE_NAMES).join(', ')}.`);
  await access(path, constants.R_OK).catch(() => {
    throw new ImportError(`${path} cannot be read.`);
  });
  return found.size;
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HASHED_BYTES), 0, HASHED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
