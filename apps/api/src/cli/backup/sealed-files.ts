import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Transform, type TransformCallback } from 'node:stream';
import { UsageError } from '../failure.js';

/**
 * The STREAM construction, as in age: a key of its own for each file (HKDF over the back-up's random id and the file's place), chunks of
 * AES-256-GCM whose nonces count and mark the last one. So no chunk or file can be changed, cut, moved or taken from another back-up, and nothing has
 * to fit into memory.
 */
const ALGORITHM = 'aes-256-gcm';
const MAGIC = Buffer.from('nimo-sealed-v1\n');
const PRINT_BYTES = 8;
const ID_BYTES = 16;
const HEADER_BYTES = MAGIC.length + PRINT_BYTES + ID_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export const SEALED = '.sealed';

export class SealedFiles {
  private constructor(
    private readonly key: Buffer,
    private readonly id: Buffer,
  ) {}

  /** For a new back-up. */
  static begin(key: Buffer): SealedFiles {
    return new SealedFiles(key, randomBytes(ID_BYTES));
  }

  /** For the back-up that the file belongs to. @throws UsageError where the key is missing or another */
  static async of(path: string, key: Buffer | undefined): Promise<SealedFiles> {
    const header = await headerOf(path);
    if (!header.subarray(0, MAGIC.length).equals(MAGIC) || header.length < HEADER_BYTES)
      throw new UsageError(`${path} is damaged.`);
    if (key === undefined)
      throw new UsageError(
        'This back-up is encrypted: set NIMO_BACKUP_KEY to the key that it was made with. Nothing was restored.',
      );
    if (!header.subarray(MAGIC.length, MAGIC.length + PRINT_BYTES).equals(printOf(key)))
      throw new UsageError(
        'NIMO_BACKUP_KEY is another than the one that this back-up was encrypted with. Nothing was restored.',
      );
    return new SealedFiles(key, header.subarray(-ID_BYTES));
  }

  /** @param place of the file in the back-up, which it is bound to */
  sealing(place: string): Transform {
    const key = this.keyOf(place);
    const header = this.header();
    const seal = (chunk: Buffer, nonce: Buffer): Buffer => {
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    };
    return new Chunks({ size: CHUNK_BYTES, skipped: 0, begin: () => header, turn: seal });
  }

  /** The stream fails with a UsageError where the file is not what was written there. */
  opening(place: string): Transform {
    const key = this.keyOf(place);
    const header = this.header();
    const damaged = (): UsageError =>
      new UsageError(`${place} in the back-up is damaged. Nothing was restored.`);
    const begin = (found: Buffer): Buffer => {
      if (!found.equals(header)) throw damaged();
      return Buffer.alloc(0);
    };
    const openOne = (chunk: Buffer, nonce: Buffer): Buffer => {
      try {
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()]);
      } catch {
        throw damaged();
      }
    };
    return new Chunks({ size: CHUNK_BYTES + TAG_BYTES, skipped: HEADER_BYTES, begin, turn: openOne });
  }

  private header(): Buffer {
    return Buffer.concat([MAGIC, printOf(this.key), this.id]);
  }

  private keyOf(place: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, this.id, `nimo back-up ${place}`, 32));
  }
}

/** Tells keys apart and gives nothing of them away. */
const printOf = (key: Buffer): Buffer =>
  createHash('sha256').update('nimo back-up key').update(key).digest().subarray(0, PRINT_BYTES);

async function headerOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

interface Turning {
  readonly size: number;
  /** Bytes in front of the first chunk. */
  readonly skipped: number;
  /** Gets those, and gives what stands in front of the first chunk on the other side. */
  readonly begin: (front: Buffer) => Buffer;
  readonly turn: (chunk: Buffer, nonce: Buffer) => Buffer;
}

/** Cuts a stream into chunks and turns each; the last one, which may be empty, is marked in its nonce. */
class Chunks extends Transform {
  private waiting: Buffer[] = [];
  private bytes = 0;
  private isBegun = false;
  private count = 0;

  constructor(private readonly turning: Turning) {
    super();
  }

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.waiting.push(part);
    this.bytes += part.length;
    // One byte more than a chunk: only then is it known not to be the last.
    this.attempt(done, () => {
      if (this.bytes <= this.turning.size + (this.isBegun ? 0 : this.turning.skipped)) return;
      let rest = this.front();
      while (rest.length > this.turning.size) {
        this.push(this.turning.turn(rest.subarray(0, this.turning.size), this.nonce(false)));
        rest = rest.subarray(this.turning.size);
      }
      this.keep(rest);
    });
  }

  override _flush(done: TransformCallback): void {
    this.attempt(done, () => void this.push(this.turning.turn(this.front(), this.nonce(true))));
  }

  /** All that waits, behind the front. */
  private front(): Buffer {
    const all = Buffer.concat(this.waiting);
    if (this.isBegun) return all;
    this.isBegun = true;
    this.push(this.turning.begin(all.subarray(0, this.turning.skipped)));
    return all.subarray(this.turning.skipped);
  }

  private keep(rest: Buffer): void {
    this.waiting = [rest];
    this.bytes = rest.length;
  }

  private nonce(isLast: boolean): Buffer {
    const nonce = Buffer.alloc(NONCE_BYTES);
    nonce.writeUInt32BE(this.count, NONCE_BYTES - 5);
    nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
    this.count += 1;
    return nonce;
  }

  private attempt(done: TransformCallback, work: () => void): void {
    try {
      work();
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
