import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byOrdinal, type HeadsRead, type HeadWitness } from './head-witness.js';
import { linesOf } from './lines.js';
import { parseSignedHead, type SignedHead } from './signed-head.js';

const FILE = 'signed-heads.ndjson';
const ENDING = '.ndjson';
const NEWLINE = 0x0a;
/** Of each file, to find the last heads: some thirty of them. */
const TAIL_BYTES = 16 * 1024;

/** Where signed heads are kept out of the database: one line each, only ever added to, on the disk before anything relies on it. */
export class HeadsFolder implements HeadWitness {
  readonly name = 'the heads folder';

  constructor(readonly path: string) {}

  async append(heads: readonly SignedHead[]): Promise<void> {
    if (heads.length === 0) return;
    await mkdir(this.path, { recursive: true });
    const file = await open(join(this.path, FILE), 'a+', 0o640);
    try {
      // A line that a crash tore ends here, so that the next one is whole; nothing is ever taken away.
      const torn = (await endsInsideLine(file)) ? '\n' : '';
      await file.appendFile(`${torn}${heads.map((head) => JSON.stringify(head)).join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Of all files of the folder: what another machine wrote may be laid beside. */
  async read(after = 0, limit = Infinity): Promise<HeadsRead> {
    const found = new Heads(after, limit);
    for (const path of await this.#files())
      for await (const bytes of linesOf(createReadStream(path))) found.add(bytes);
    return found.read();
  }

  async last(): Promise<HeadsRead> {
    const found = new Heads(0, Infinity);
    for (const path of await this.#files()) for (const line of await tailOf(path)) found.add(line);
    return found.read();
  }

  async #files(): Promise<string[]> {
    try {
      const names = (await readdir(this.path)).filter((name) => name.endsWith(ENDING)).sort();
      return names.map((name) => join(this.path, name));
    } catch (error) {
      if (isNotThere(error)) return [];
      throw error;
    }
  }
}

/** The first so many heads after an ordinal, in whatever order they come. */
class Heads {
  #heads: SignedHead[] = [];
  #damaged = 0;

  constructor(
    readonly after: number,
    readonly limit: number,
  ) {}

  add(bytes: Buffer): void {
    const line = bytes.toString().trim();
    if (line === '') return;
    const head = parseSignedHead(line);
    if (!head) this.#damaged += 1;
    else if (head.ordinal > this.after) this.#heads.push(head);
    if (this.#heads.length > 2 * this.limit) this.#heads = this.#first();
  }

  read(): HeadsRead {
    return { heads: this.#first(), damagedLines: this.#damaged };
  }

  #first(): SignedHead[] {
    return this.#heads.sort(byOrdinal).slice(0, this.limit);
  }
}

/** Whole lines only: where the tail begins inside of one, that is left out. */
async function tailOf(path: string): Promise<Buffer[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const text = bytes.subarray(0, bytesRead);
    const from = start === 0 ? 0 : text.indexOf(NEWLINE) + 1;
    const lines: Buffer[] = [];
    for await (const line of linesOf([text.subarray(from)])) lines.push(line);
    return lines;
  } finally {
    await file.close();
  }
}

const isNotThere = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

async function endsInsideLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}
