import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Transform, type TransformCallback } from 'node:stream';
import { UsageError } from '../failure.js';

/**
 * STREAM construction, as in age: one key per file (HKDF over the backup's random ID and the file's path) and AES-256-GCM chunks whose
 * nonces hold a counter and mark the last chunk. It detects altered, truncated, reordered or foreign chunks and files without holding a
 * file in memory.
 */
const ALGORITHM = 'aes-256-gcm';
const MAGIC = Buffer.from('nimo-sealed-v1\n');
const KEY_FINGERPRINT_BYTES = 8;
const ID_BYTES = 16;
const HEADER_BYTES = MAGIC.length + KEY_FINGERPRINT_BYTES + ID_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export const SEALED = '.sealed';

export class SealedFiles {
  private constructor(
    private readonly key: Buffer,
    private readonly id: Buffer,
  ) {}

  /** For a new backup. */
  static create(key: Buffer): SealedFiles {
    return new SealedFiles(key, randomBytes(ID_BYTES));
  }

  /** For the existing backup that the file belongs to. @throws UsageError if the key is missing or wrong */
  static async forBackup(path: string, key: Buffer | undefined): Promise<SealedFiles> {
    const header = await headerOf(path);
    if (!header.subarray(0, MAGIC.length).equals(MAGIC) || header.length < HEADER_BYTES)
      throw new UsageError(`${path} is damaged.`);
    if (key === undefined)
      throw new UsageError(
        'Nothing was restored. The backup is encrypted: set NIMO_BACKUP_KEY to the key it was made with.',
      );
    if (!header.subarray(MAGIC.length, MAGIC.length + KEY_FINGERPRINT_BYTES).equals(fingerprintOf(key)))
      throw new UsageError(
        'Nothing was restored. NIMO_BACKUP_KEY is not the key the backup was encrypted with.',
      );
    return new SealedFiles(key, header.subarray(-ID_BYTES));
  }

  /** Encrypts a file. @param place path in the backup, to which the file is bound */
  sealStream(place: string): Transform {
    const key = this.keyOf(place);
    const header = this.header();
    const seal = (chunk: Buffer, nonce: Buffer): Buffer => {
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    };
    return new Chunks({ size: CHUNK_BYTES, skipped: 0, header: () => header, transform: seal });
  }

  /** Decrypts a file. The stream fails with a `UsageError` if the file is not the one written to that place. */
  openStream(place: string): Transform {
    const key = this.keyOf(place);
    const header = this.header();
    const damaged = (): UsageError =>
      new UsageError(`Nothing was restored. ${place} in the backup is damaged.`);
    const checkHeader = (found: Buffer): Buffer => {
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
    return new Chunks({
      size: CHUNK_BYTES + TAG_BYTES,
      skipped: HEADER_BYTES,
      header: checkHeader,
      transform: openOne,
    });
  }

  private header(): Buffer {
    return Buffer.concat([MAGIC, fingerprintOf(this.key), this.id]);
  }

  private keyOf(place: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, this.id, `nimo back-up ${place}`, 32));
  }
}

/** Identifies a key without revealing anything about it. */
const fingerprintOf = (key: Buffer): Buffer =>
  createHash('sha256').update('nimo back-up key').update(key).digest().subarray(0, KEY_FINGERPRINT_BYTES);

async function headerOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

interface ChunkOptions {
  readonly size: number;
  /** Length of the input header, in bytes. */
  readonly skipped: number;
  /** Maps the input header to the output header. */
  readonly header: (front: Buffer) => Buffer;
  readonly transform: (chunk: Buffer, nonce: Buffer) => Buffer;
}

/** Splits a stream into chunks and transforms each. The nonce of the last chunk, which may be empty, marks it. */
class Chunks extends Transform {
  private pending: Buffer[] = [];
  private bytes = 0;
  private hasStarted = false;
  private count = 0;

  constructor(private readonly options: ChunkOptions) {
    super();
  }

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.pending.push(part);
    this.bytes += part.length;
    // A chunk is known not to be the last one only when at least one more byte has arrived.
    this.attempt(done, () => {
      if (this.bytes <= this.options.size + (this.hasStarted ? 0 : this.options.skipped)) return;
      let rest = this.pendingBody();
      while (rest.length > this.options.size) {
        this.push(this.options.transform(rest.subarray(0, this.options.size), this.nonce(false)));
        rest = rest.subarray(this.options.size);
      }
      this.keep(rest);
    });
  }

  override _flush(done: TransformCallback): void {
    this.attempt(done, () => void this.push(this.options.transform(this.pendingBody(), this.nonce(true))));
  }

  /** Pending bytes without the header. Emits the header the first time. */
  private pendingBody(): Buffer {
    const all = Buffer.concat(this.pending);
    if (this.hasStarted) return all;
    this.hasStarted = true;
    this.push(this.options.header(all.subarray(0, this.options.skipped)));
    return all.subarray(this.options.skipped);
  }

  private keep(rest: Buffer): void {
    this.pending = [rest];
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
