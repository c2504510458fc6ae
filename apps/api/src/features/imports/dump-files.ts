import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
  /** Why a file cannot be read. */
  readonly missing: ReadonlyMap<DumpFile, string>;
  readonly bytes: number;
  /** Of these very files: the same dump in another folder is the same one, a newer dump of the community is another. */
  readonly identity: string;
}

export async function findDump(folder: string): Promise<Dump> {
  const path = Object.fromEntries(DUMP_FILES.map((file) => [file, join(folder, FILE_NAMES[file])])) as Record<
    DumpFile,
    string
  >;
  const hash = createHash('sha256');
  const missing = new Map<DumpFile, string>();
  let bytes = 0;
  for (const file of DUMP_FILES) {
    const size = await readableSize(path[file]);
    if (typeof size === 'string') {
      missing.set(file, size);
      continue;
    }
    hash.update(`${file}:${size}\n`).update(await beginningOf(path[file]));
    bytes += size;
  }
  return { path, missing, bytes, identity: hash.digest('hex') };
}

/** Or why there is none. */
async function readableSize(path: string): Promise<number | string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return `missing in ${dirname(path)}`;
  if (!found.isFile()) return 'not a file';
  return access(path, constants.R_OK).then(
    () => found.size,
    () => 'not readable',
  );
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
