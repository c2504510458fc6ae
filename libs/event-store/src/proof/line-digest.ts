import { createHash } from 'node:crypto';

/**
 * A chain over the lines of an export, so that one line can be shown to belong to it with nothing but the hashes of the others:
 *
 *     digest(0) = SHA-256( "nimo-export-lines-v1" )
 *     digest(n) = SHA-256( 0x02 ‖ digest(n−1) ‖ SHA-256( line n, without its end ) )
 */
export const NO_LINES: Buffer = createHash('sha256').update('nimo-export-lines-v1').digest();

export const lineHash = (line: Uint8Array | string): Buffer => createHash('sha256').update(line).digest();

const MARK_BYTES = 4;
const FIRST_ROOM = 1024 * MARK_BYTES;

/**
 * The beginning of each line's hash: enough to say which line was changed; that one was, the digest shows. An export has no limit of
 * lines, so nothing but these bytes is kept of each.
 */
export class LineMarks {
  #bytes: Buffer = Buffer.alloc(FIRST_ROOM);
  #end = 0;

  static of(base64: string): LineMarks {
    const marks = new LineMarks();
    marks.#bytes = Buffer.from(base64, 'base64');
    marks.#end = marks.#bytes.length;
    return marks;
  }

  add(hash: Uint8Array): void {
    if (this.#end + MARK_BYTES > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(FIRST_ROOM, 2 * this.#bytes.length));
    this.#bytes.set(hash.subarray(0, MARK_BYTES), this.#end);
    this.#end += MARK_BYTES;
  }

  get lines(): number {
    return this.#end / MARK_BYTES;
  }

  /** Of the line of that number, from 1; empty where there is none. */
  at(line: number): Buffer {
    return this.#bytes.subarray((line - 1) * MARK_BYTES, Math.min(line * MARK_BYTES, this.#end));
  }

  toString(): string {
    return this.#bytes.toString('base64', 0, this.#end);
  }
}

export function nextDigest(digest: Uint8Array, hash: Uint8Array): Buffer {
  return createHash('sha256').update('\u0002').update(digest).update(hash).digest();
}
