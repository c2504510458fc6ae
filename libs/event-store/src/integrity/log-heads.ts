import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { parseSignedHead, type SignedHead, type ExternalCheckpoint, type HeadsRead } from './signed-head.js';

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines without terminators, including a last unterminated line. Not `readline`, which also splits at U+2028 and
 * U+2029, both valid inside JSON strings.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      yield rest.length === 0 ? line : Buffer.concat([...rest, line]);
      rest = [];
      start = end + 1;
    }
    if (start < bytes.length) rest.push(Buffer.from(bytes.subarray(start)));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

export const byOrdinal = (a: SignedHead, b: SignedHead): number => a.ordinal - b.ordinal;

const FILE = 'signed-heads.ndjson';
const ENDING = '.ndjson';
/** Read from the end of each file to find the last heads, about thirty. */
const TAIL_BYTES = 16 * 1024;

/** Append-only files of signed heads outside the database, one per line. Synced to disk before `append` resolves. */
export class HeadsFolder implements ExternalCheckpoint {
  readonly name = 'the heads folder';

  constructor(readonly path: string) {}

  async append(heads: readonly SignedHead[]): Promise<void> {
    if (heads.length === 0) return;
    await mkdir(this.path, { recursive: true });
    const file = await open(join(this.path, FILE), 'a+', 0o640);
    try {
      // Terminates a line truncated by a crash. Nothing is ever removed.
      const torn = (await endsInsideLine(file)) ? '\n' : '';
      await file.appendFile(`${torn}${heads.map((head) => JSON.stringify(head)).join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Reads all files of the folder, which may include those of other machines. */
  async read(after = 0, limit = Infinity): Promise<HeadsRead> {
    const found = new HeadCollector(after, limit);
    for (const path of await this.files())
      for await (const bytes of linesOf(createReadStream(path))) found.add(bytes);
    return found.read();
  }

  async last(): Promise<HeadsRead> {
    const found = new HeadCollector(0, Infinity);
    for (const path of await this.files()) for (const line of await tailOf(path)) found.add(line);
    return found.read();
  }

  private async files(): Promise<string[]> {
    try {
      const names = (await readdir(this.path)).filter((name) => name.endsWith(ENDING)).sort();
      return names.map((name) => join(this.path, name));
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }
}

/** Collects the first `limit` heads after an ordinal, added in any order. */
class HeadCollector {
  private heads: SignedHead[] = [];
  private damaged = 0;

  constructor(
    readonly after: number,
    readonly limit: number,
  ) {}

  add(bytes: Buffer): void {
    const line = bytes.toString().trim();
    if (line === '') return;
    const head = parseSignedHead(line);
    if (!head) this.damaged += 1;
    else if (head.ordinal > this.after) this.heads.push(head);
    if (this.heads.length > 2 * this.limit) this.heads = this.first();
  }

  read(): HeadsRead {
    return { heads: this.first(), damagedLines: this.damaged };
  }

  private first(): SignedHead[] {
    return this.heads.sort(byOrdinal).slice(0, this.limit);
  }
}

/** Complete lines at the end of a file. */
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

const isNotFound = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

async function endsInsideLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

interface SignedHeadRow {
  readonly ordinal: string;
  readonly key_id: string;
  readonly head: Buffer;
  readonly signed_at: Date;
  readonly signature: string;
}

const MAX_ROWS = 1_000_000;
const LAST_ROWS = 10;

const headOf = (row: SignedHeadRow): SignedHead => ({
  ordinal: Number(row.ordinal),
  keyId: row.key_id,
  head: row.head.toString('hex'),
  at: row.signed_at.toISOString(),
  signature: row.signature,
});

/** A copy in the database, for display and for workers on machines with a different heads folder. */
export class DatabaseHeads implements ExternalCheckpoint {
  readonly name = 'log.signed_heads';

  constructor(private readonly pool: Pool) {}

  async append(heads: readonly SignedHead[]): Promise<void> {
    await this.pool.query(
      `insert into log.signed_heads (ordinal, key_id, head, signed_at, signature)
       select h.ordinal, h."keyId", decode(h.head, 'hex'), h.at, h.signature
       from json_to_recordset($1) as h(ordinal bigint, "keyId" text, head text, at timestamptz, signature text)
       on conflict do nothing`,
      [JSON.stringify(heads)],
    );
  }

  async read(after = 0, limit = MAX_ROWS): Promise<HeadsRead> {
    const { rows } = await this.pool.query<SignedHeadRow>(
      'select * from log.signed_heads where ordinal > $1 order by ordinal, key_id limit $2',
      [after, Math.min(limit, MAX_ROWS)],
    );
    return { heads: rows.map(headOf), damagedLines: 0 };
  }

  async last(): Promise<HeadsRead> {
    return { heads: (await readSignedHeads(this.pool, LAST_ROWS)).toReversed(), damagedLines: 0 };
  }
}

/** Newest first. */
export async function readSignedHeads(pool: Pool, limit: number): Promise<SignedHead[]> {
  const { rows } = await pool.query<SignedHeadRow>(
    'select * from log.signed_heads order by ordinal desc, key_id limit $1',
    [limit],
  );
  return rows.map(headOf);
}
