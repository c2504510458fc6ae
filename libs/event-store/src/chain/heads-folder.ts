import { createReadStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf } from './lines.js';
import { parseSignedHead, type SignedHead } from './signed-head.js';

const FILE = 'signed-heads.ndjson';
const ENDING = '.ndjson';
const NEWLINE = 0x0a;

export interface HeadsRead {
  /** By ordinal. */
  readonly heads: readonly SignedHead[];
  /** Lines that are no signed head: torn by a crash, or changed. */
  readonly damagedLines: number;
}

/** Where signed heads are kept out of the database: one line each, only ever added to, on the disk before anything relies on it. */
export class HeadsFolder {
  constructor(readonly path: string) {}

  async append(head: SignedHead): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const file = await open(join(this.path, FILE), 'a+', 0o640);
    try {
      // A line that a crash tore ends here, so that the next one is whole; nothing is ever taken away.
      const torn = (await endsInsideLine(file)) ? '\n' : '';
      await file.appendFile(`${torn}${JSON.stringify(head)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Of all files of the folder: what another machine wrote may be laid beside. */
  async read(): Promise<HeadsRead> {
    const heads: SignedHead[] = [];
    let damagedLines = 0;
    for (const name of await this.#files()) {
      for await (const bytes of linesOf(createReadStream(join(this.path, name)))) {
        const line = bytes.toString().trim();
        if (line === '') continue;
        const head = parseSignedHead(line);
        if (head) heads.push(head);
        else damagedLines += 1;
      }
    }
    return { heads: heads.sort((a, b) => a.ordinal - b.ordinal), damagedLines };
  }

  async #files(): Promise<string[]> {
    try {
      return (await readdir(this.path)).filter((name) => name.endsWith(ENDING)).sort();
    } catch (error) {
      if (isNotThere(error)) return [];
      throw error;
    }
  }
}

const isNotThere = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

async function endsInsideLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}
