import type { Append, EventStore, NewEvent } from '@nimo/event-store';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveManifest,
  LINES,
  type LinesFile,
  MANIFEST,
} from '../../space-archive/archive-format.js';
import { ImportError } from '../dump-row.js';

/** What one call may hold so that a store keeps its order. */
const MAX_APPENDS = 64;
const MAX_BYTES = 750_000;

/**
 * Brings events into the log in the order given, each behind those before it in its stream. Ids and revisions are the same however often
 * it runs, so what an earlier run wrote is found written.
 */
export class OrderedAppends {
  private readonly revisions = new Map<string, number>();
  private waiting: Append[] = [];
  private readonly streams = new Set<string>();
  private bytes = 0;

  /** @param isQueued the log keeps the order of what is handed over in one call */
  constructor(
    private readonly store: EventStore,
    private readonly isQueued: boolean,
  ) {}

  async push(streamId: string, event: NewEvent, bytes: number): Promise<void> {
    const isFull = this.waiting.length >= (this.isQueued ? MAX_APPENDS : 1) || this.bytes + bytes > MAX_BYTES;
    if (isFull || this.streams.has(streamId)) await this.flush();
    const revision = this.revisions.get(streamId) ?? 0;
    this.revisions.set(streamId, revision + 1);
    this.streams.add(streamId);
    this.bytes += bytes;
    this.waiting.push({
      streamId,
      expectedRevision: revision === 0 ? 'no-stream' : revision - 1,
      events: [event],
    });
  }

  async flush(): Promise<void> {
    const appends = this.waiting;
    this.waiting = [];
    this.streams.clear();
    this.bytes = 0;
    if (appends.length === 0) return;
    const outcomes = await this.store.append(appends);
    const index = outcomes.findIndex(({ kind }) => kind === 'conflict');
    if (index >= 0)
      throw new ImportError(
        `Somebody changed the space while it was imported (${appends[index]?.streamId ?? ''}). Import the file under another name with --space.`,
      );
  }
}

const MAX_FILES = 500_000;
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
/** A body has 64 KB at most, and each character of it takes six where JSON has to spell it. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_PICTURE_BYTES = 50 * 1024 * 1024;

/** An exported space on the disk. Nothing of it is believed before `verify`. */
export class ArchiveFile {
  private constructor(
    private readonly name: string,
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    readonly manifest: ArchiveManifest,
    /** Of the manifest, which has the hashes of all others. */
    readonly fingerprint: string,
  ) {}

  /** @throws ImportError for what is no export of a space, or is cut off */
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
        if (entries.has(entry.fileName)) throw new ImportError(`${name} has ${entry.fileName} twice.`);
        if (entries.size >= MAX_FILES) throw new ImportError(`${name} has more than ${MAX_FILES} files.`);
        entries.set(entry.fileName, entry);
      }
      const entry = entries.get(MANIFEST);
      if (!entry) throw new ImportError(`${name} has no ${MANIFEST}: it is no export of a space.`);
      if (entry.uncompressedSize > MAX_MANIFEST_BYTES)
        throw new ImportError(`${name}: ${MANIFEST} is too large.`);
      const bytes = await collected(await zip.openReadStreamPromise(entry));
      const fingerprint = createHash('sha256').update(bytes).digest('hex');
      return new ArchiveFile(name, zip, entries, manifestIn(bytes, name), fingerprint);
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

  /** @throws ImportError unless every file is there, none is beside them, and each is what the manifest says */
  async verify(onBytes: (count: number) => void, signal: AbortSignal): Promise<void> {
    const { files } = this.manifest;
    const named = new Set([MANIFEST, ...files.map(({ name }) => name)]);
    if (named.size !== files.length + 1)
      throw new ImportError(`${this.name}: ${MANIFEST} names a file twice.`);
    const foreign = [...this.entries.keys()].find((name) => !named.has(name));
    if (foreign !== undefined)
      throw new ImportError(`${this.name} has a file that its ${MANIFEST} does not name: ${foreign}.`);
    for (const needed of Object.values(LINES))
      if (!named.has(needed)) throw new ImportError(`${this.name}: ${MANIFEST} does not name ${needed}.`);
    for (const { name, bytes, sha256 } of files) {
      const hash = createHash('sha256');
      let read = 0;
      for await (const piece of this.pieces(name)) {
        signal.throwIfAborted();
        hash.update(piece);
        read += piece.length;
        onBytes(piece.length);
      }
      if (read !== bytes || hash.digest('hex') !== sha256) throw this.altered(name);
    }
  }

  /** Each line of a file, with its number for complaints. */
  async *lines(file: LinesFile): AsyncGenerator<{ readonly text: string; readonly where: string }> {
    const name = LINES[file];
    let number = 0;
    const where = (): string => `${name}, line ${(number += 1)}`;
    let begun = Buffer.alloc(0);
    for await (const piece of this.pieces(name)) {
      let rest: Buffer = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield { text: rest.toString('utf8', 0, end), where: where() };
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MAX_LINE_LENGTH) throw new ImportError(`${where()} is too long.`);
      begun = Buffer.from(rest);
    }
    if (begun.length > 0) throw new ImportError(`${where()} has no end: the file is cut off.`);
    const said = this.manifest.counts.lines[file];
    if (number !== said)
      throw new ImportError(
        `${name} has ${number} lines, and ${MANIFEST} says ${said}: lines were added or taken out.`,
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
    return collected(await this.zip.openReadStreamPromise(entry));
  }

  private async *pieces(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) throw new ImportError(`${this.name} lacks ${name}, which its ${MANIFEST} names.`);
    let stream: Readable;
    try {
      stream = await this.zip.openReadStreamPromise(entry);
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      // Of the decompression: what whoever reads throws does not come by here.
      throw error instanceof ImportError ? error : this.altered(name);
    }
  }

  private altered(name: string): ImportError {
    return new ImportError(
      `${name} in ${this.name} is not what was exported: it was altered or damaged on the way. Nothing was imported.`,
    );
  }
}

const unreadable = (name: string, error: unknown): ImportError =>
  error instanceof ImportError
    ? error
    : new ImportError(
        `${name} cannot be read as a ZIP (${error instanceof Error ? error.message : String(error)}): it is missing, cut off or damaged.`,
      );

async function collected(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

function manifestIn(bytes: Buffer, name: string): ArchiveManifest {
  const told = parsed(bytes);
  if (told?.['format'] !== ARCHIVE_FORMAT)
    throw new ImportError(`${name} is no export of a space: its ${MANIFEST} does not say so.`);
  if (told['version'] !== ARCHIVE_VERSION)
    throw new ImportError(
      `${name} has version ${String(told['version'])} of the format; this Nimo reads version ${ARCHIVE_VERSION}.`,
    );
  if (!isManifest(told)) throw new ImportError(`${name}: ${MANIFEST} is not complete.`);
  return told;
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const told: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(told) ? told : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isManifest(
  told: Readonly<Record<string, unknown>>,
): told is Readonly<Record<string, unknown>> & ArchiveManifest {
  const { space, scoringRules, counts, files, madeAt } = told;
  return (
    isText(madeAt) &&
    isObject(space) &&
    isText(space['id']) &&
    isText(space['name']) &&
    Array.isArray(scoringRules) &&
    isObject(counts) &&
    isObject(counts['events']) &&
    isObject(counts['lines']) &&
    Object.keys(LINES).every((file) => isCount((counts['lines'] as Record<string, unknown>)[file])) &&
    Array.isArray(files) &&
    files.every(
      (file: unknown) =>
        isObject(file) && isText(file['name']) && isCount(file['bytes']) && isText(file['sha256']),
    )
  );
}
