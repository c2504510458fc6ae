import type { Append, EventStore, NewEvent } from '@nimo/event-store';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveManifest,
  JSONL_FILES,
  type JsonlFile,
  MANIFEST,
} from '../../space-archive/archive-format.js';
import { ImportError } from '../dump-row.js';

/** Limits of one call within which every store preserves the order. */
const MAX_APPENDS = 64;
const MAX_BYTES = 750_000;

/** Appends events in the given order. IDs and revisions are deterministic, so events of an earlier run are recognised. */
export class OrderedAppends {
  private readonly revisions = new Map<string, number>();
  private pending: Append[] = [];
  private readonly streams = new Set<string>();
  private bytes = 0;

  /** @param isQueued whether the log preserves the order of appends in one call */
  constructor(
    private readonly store: EventStore,
    private readonly isQueued: boolean,
  ) {}

  async push(streamId: string, event: NewEvent, bytes: number): Promise<void> {
    const isFull = this.pending.length >= (this.isQueued ? MAX_APPENDS : 1) || this.bytes + bytes > MAX_BYTES;
    if (isFull || this.streams.has(streamId)) await this.flush();
    const revision = this.revisions.get(streamId) ?? 0;
    this.revisions.set(streamId, revision + 1);
    this.streams.add(streamId);
    this.bytes += bytes;
    this.pending.push({
      streamId,
      expectedRevision: revision === 0 ? 'no-stream' : revision - 1,
      events: [event],
    });
  }

  async flush(): Promise<void> {
    const appends = this.pending;
    this.pending = [];
    this.streams.clear();
    this.bytes = 0;
    if (appends.length === 0) return;
    const outcomes = await this.store.append(appends);
    const index = outcomes.findIndex(({ kind }) => kind === 'conflict');
    if (index >= 0)
      throw new ImportError(
        `The space was changed during the import (${appends[index]?.streamId ?? ''}). Import the file under another name with --space.`,
      );
  }
}

const MAX_FILES = 500_000;
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
/** A body has at most 64 KB, and a JSON escape takes up to six characters. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_PICTURE_BYTES = 50 * 1024 * 1024;

/** An exported space on disk. Untrusted before `verify`. */
export class ArchiveFile {
  private constructor(
    private readonly name: string,
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    readonly manifest: ArchiveManifest,
    /** SHA-256 of the manifest, which contains the hashes of all other files. */
    readonly fingerprint: string,
  ) {}

  /** @throws ImportError unless it is a complete space export */
  static async open(path: string): Promise<ArchiveFile> {
    const name = basename(path);
    const zip = await openPromise(path, { autoClose: false, validateEntrySizes: true }).catch(
      (error: unknown) => {
        throw unreadable(name, error);
      },
    );
    try {
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.has(entry.fileName)) throw new ImportError(`${name} contains ${entry.fileName} twice.`);
        if (entries.size >= MAX_FILES) throw new ImportError(`${name} has more than ${MAX_FILES} files.`);
        entries.set(entry.fileName, entry);
      }
      const entry = entries.get(MANIFEST);
      if (!entry) throw new ImportError(`${name} has no ${MANIFEST}: it is not a space export.`);
      if (entry.uncompressedSize > MAX_MANIFEST_BYTES)
        throw new ImportError(`${name}: ${MANIFEST} is too large.`);
      const bytes = await readAll(await zip.openReadStreamPromise(entry));
      const fingerprint = createHash('sha256').update(bytes).digest('hex');
      return new ArchiveFile(name, zip, entries, parseManifest(bytes, name), fingerprint);
    } catch (error) {
      zip.close();
      throw unreadable(name, error);
    }
  }

  close(): void {
    this.zip.close();
  }

  get bytes(): number {
    return this.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @throws ImportError unless the files match the manifest exactly */
  async verify(onBytes: (count: number) => void, signal: AbortSignal): Promise<void> {
    const { files } = this.manifest;
    const named = new Set([MANIFEST, ...files.map(({ name }) => name)]);
    if (named.size !== files.length + 1)
      throw new ImportError(`${this.name}: ${MANIFEST} lists a file twice.`);
    const unlisted = [...this.entries.keys()].find((name) => !named.has(name));
    if (unlisted !== undefined)
      throw new ImportError(`${this.name} contains a file that its ${MANIFEST} does not list: ${unlisted}.`);
    for (const needed of Object.values(JSONL_FILES))
      if (!named.has(needed)) throw new ImportError(`${this.name}: ${MANIFEST} does not list ${needed}.`);
    for (const { name, bytes, sha256 } of files) {
      const hash = createHash('sha256');
      let read = 0;
      for await (const chunk of this.chunks(name)) {
        signal.throwIfAborted();
        hash.update(chunk);
        read += chunk.length;
        onBytes(chunk.length);
      }
      if (read !== bytes || hash.digest('hex') !== sha256) throw this.altered(name);
    }
  }

  /** Lines of a file, each with its location for error messages. */
  async *lines(file: JsonlFile): AsyncGenerator<{ readonly text: string; readonly where: string }> {
    const name = JSONL_FILES[file];
    let number = 0;
    const where = (): string => `${name}, line ${(number += 1)}`;
    let partial = Buffer.alloc(0);
    for await (const chunk of this.chunks(name)) {
      let rest: Buffer = partial.length === 0 ? chunk : Buffer.concat([partial, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield { text: rest.toString('utf8', 0, end), where: where() };
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MAX_LINE_LENGTH) throw new ImportError(`${where()} is too long.`);
      partial = Buffer.from(rest);
    }
    if (partial.length > 0) throw new ImportError(`${where()} is incomplete: the file is truncated.`);
    const expected = this.manifest.counts.lines[file];
    if (number !== expected)
      throw new ImportError(
        `${name} has ${number} lines, but ${MANIFEST} says ${expected}: lines were added or removed.`,
      );
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  async picture(name: string): Promise<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) throw new ImportError(`${this.name} lacks ${name}.`);
    if (entry.uncompressedSize > MAX_PICTURE_BYTES)
      throw new ImportError(`${name} is too large for a picture.`);
    return readAll(await this.zip.openReadStreamPromise(entry));
  }

  private async *chunks(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) throw new ImportError(`${this.name} lacks ${name}, which its ${MANIFEST} lists.`);
    let stream: Readable;
    try {
      stream = await this.zip.openReadStreamPromise(entry);
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      // Errors of the decompression; those of the consumer are not caught here.
      throw error instanceof ImportError ? error : this.altered(name);
    }
  }

  private altered(name: string): ImportError {
    return new ImportError(
      `${name} in ${this.name} differs from the export: it was altered or damaged. Nothing was imported.`,
    );
  }
}

const unreadable = (name: string, error: unknown): ImportError =>
  error instanceof ImportError
    ? error
    : new ImportError(
        `${name} cannot be read as a ZIP (${error instanceof Error ? error.message : String(error)}): it is missing, truncated or damaged.`,
      );

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parseManifest(bytes: Buffer, name: string): ArchiveManifest {
  const manifest = parseObject(bytes);
  if (manifest?.['format'] !== ARCHIVE_FORMAT)
    throw new ImportError(`${name} is not a space export: its ${MANIFEST} has another format.`);
  if (manifest['version'] !== ARCHIVE_VERSION)
    throw new ImportError(
      `${name} has format version ${String(manifest['version'])}; this version of Nimo reads format version ${ARCHIVE_VERSION}.`,
    );
  if (!isManifest(manifest)) throw new ImportError(`${name}: ${MANIFEST} is incomplete.`);
  return manifest;
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isManifest(
  manifest: Readonly<Record<string, unknown>>,
): manifest is Readonly<Record<string, unknown>> & ArchiveManifest {
  const { space, scoringRules, counts, files, madeAt } = manifest;
  return (
    isText(madeAt) &&
    isObject(space) &&
    isText(space['id']) &&
    isText(space['name']) &&
    Array.isArray(scoringRules) &&
    isObject(counts) &&
    isObject(counts['events']) &&
    isObject(counts['lines']) &&
    Object.keys(JSONL_FILES).every((file) => isCount((counts['lines'] as Record<string, unknown>)[file])) &&
    Array.isArray(files) &&
    files.every(
      (file: unknown) =>
        isObject(file) && isText(file['name']) && isCount(file['bytes']) && isText(file['sha256']),
    )
  );
}
