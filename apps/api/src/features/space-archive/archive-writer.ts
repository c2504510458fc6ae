import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  currentSchemaVersion,
  type EventMetadata,
  type EventType,
  fold,
  SCORING_RULES_STREAM,
  scoringRulesDecider,
  type ScoringRulesEvent,
} from '@nimo/domain';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import { deletedPosts, spaceDump } from '@nimo/projections';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { ZipFile } from 'yazl';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { Snapshot } from '../own-data/own-page.js';
import { STORAGE_PATHS } from '../uploads/picture-access.js';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchivedEvent,
  type ArchivedFile,
  archivedPeople,
  type ArchiveManifest,
  dumpXml,
  jsonLine,
  JSONL_FILES,
  type JsonlFile,
  MANIFEST,
  picturePath,
  thumbnailPath,
} from './archive-format.js';
import {
  archivedData,
  type DeletedPosts,
  isArchived,
  peopleIn,
  extractPictureKeys,
} from './archived-events.js';

const EVENT_PAGE_SIZE = 1_000;
/** Share of the progress spent on reading the log, in percent. */
const LOG_PERCENT = 80;
/** Projections behind the XML files and the list of deleted posts. */
const READ_SIDE = ['questions', 'students', 'spaces', 'leaderboard'];
/** An export gives up on a projection that has stopped. */
const CATCH_UP_TIMEOUT_MS = 60_000;

export interface ArchiveSources {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly waiter: ProjectionWaiter;
  readonly files: FileStore;
}

export interface ArchiveOptions extends ArchiveSources {
  readonly space: ArchiveManifest['space'];
  /** Path of the ZIP file. */
  readonly to: string;
  /** Called with 0 to 100. May throw to abort the export. */
  readonly onProgress: (percent: number) => void;
}

export interface WrittenArchive {
  /** Hash of the manifest; verifies that the archive is unchanged. */
  readonly fingerprint: string;
  readonly counts: ArchiveManifest['counts'];
}

/** Exports a space, as of the current log head, to a ZIP file. Streams its content and writes the manifest last. */
export async function writeArchive(options: ArchiveOptions): Promise<WrittenArchive> {
  const { pool, store, to, waiter, space } = options;
  const until = await store.head();
  if (until !== undefined) await waiter.waitFor(READ_SIDE, until, CATCH_UP_TIMEOUT_MS);
  return Snapshot.read(pool, async (moment) => {
    const deleted = new Set<string>();
    for await (const { postId } of moment.rows(deletedPosts(space.id))) deleted.add(String(postId));
    const archive = new ArchiveWriter(options, moment, deleted, until);
    const written = pipeline(archive.zip.outputStream, createWriteStream(to, { mode: 0o600 }));
    archive.start();
    await written;
    return archive.summary();
  });
}

/** Writes the files strictly in sequence, because later files contain what earlier ones referred to. */
class ArchiveWriter {
  readonly zip = new ZipFile();
  private readonly people = new Set<string>();
  private readonly pictures = new Set<string>();
  private readonly writtenFiles: ArchivedFile[] = [];
  private readonly lines: Record<JsonlFile, number> = { events: 0, people: 0, pictures: 0 };
  private readonly events: Partial<Record<EventType, number>> = {};
  private fingerprint = '';

  constructor(
    private readonly options: ArchiveOptions,
    private readonly moment: Snapshot,
    private readonly deleted: DeletedPosts,
    private readonly until: Position | undefined,
  ) {}

  start(): void {
    const { space } = this.options;
    this.add(JSONL_FILES.events, () => this.eventLines());
    this.add(JSONL_FILES.people, () => this.peopleLines());
    for (const [name, file] of spaceDump(space.id))
      this.add(`${name}.xml`, () => dumpXml(name, this.moment.rows(file), file.shown));
    this.add(
      JSONL_FILES.pictures,
      () => this.pictureLines(),
      () => {
        // All pictures are known by now.
        for (const key of this.pictures) this.addPicture(key);
        this.add(MANIFEST, () => this.manifest());
        this.zip.end();
      },
    );
  }

  summary(): WrittenArchive {
    return { fingerprint: this.fingerprint, counts: { lines: this.lines, events: this.events } };
  }

  private add(
    name: string,
    pieces: () => AsyncIterable<string | Buffer>,
    onEnd?: () => void,
    compress = true,
  ): void {
    this.zip.addReadStreamLazy(name, { compress }, (give) => {
      const stream = Readable.from(this.hashed(name, pieces(), onEnd), { objectMode: false });
      stream.on('error', (error) => (this.zip.outputStream as Readable).destroy(error));
      give(null, stream);
    });
  }

  private async *hashed(
    name: string,
    pieces: AsyncIterable<string | Buffer>,
    onEnd: () => void = () => undefined,
  ): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of pieces) {
      const buffer = Buffer.from(piece);
      hash.update(buffer);
      bytes += buffer.length;
      yield buffer;
    }
    const sha256 = hash.digest('hex');
    if (name === MANIFEST) this.fingerprint = sha256;
    else this.writtenFiles.push({ name, bytes, sha256 });
    onEnd();
  }

  private async *eventLines(): AsyncGenerator<string> {
    const { store, onProgress } = this.options;
    const { until } = this;
    if (until === undefined) return;
    const end = Date.now();
    let begin: number | undefined;
    for (let after: Position | undefined; ;) {
      const page = await store.readAll({
        ...(after !== undefined && { after }),
        until,
        limit: EVENT_PAGE_SIZE,
      });
      const last = page.at(-1);
      if (!last) return;
      for (const event of page) yield* this.eventLine(event);
      after = last.position;
      const at = Date.parse(metadataOf(last).recordedAt);
      begin ??= Date.parse(metadataOf(page[0] ?? last).recordedAt);
      const done = end > begin ? Math.min(1, Math.max(0, (at - begin) / (end - begin))) : 1;
      onProgress(Math.floor(done * LOG_PERCENT));
    }
  }

  private *eventLine(event: RecordedEvent): Generator<string> {
    const { type } = event;
    if (!isArchived(type)) return;
    if (event.undecodable !== undefined)
      throw new Error(
        `cannot export the space because an event in the log cannot be decoded: ${event.undecodable}`,
      );
    const data = archivedData(type, event.data, this.options.space.id, this.deleted);
    if (!data) return;
    const { actor, occurredAt } = metadataOf(event);
    const by = 'id' in actor ? actor.id : null;
    const archived: ArchivedEvent = {
      type,
      version: currentSchemaVersion(type),
      stream: event.streamId,
      at: occurredAt,
      by,
      data,
    };
    const line = jsonLine(archived);
    if (by !== null) this.people.add(by);
    for (const id of peopleIn(data)) this.people.add(id);
    for (const key of extractPictureKeys(line)) this.pictures.add(key);
    this.lines.events += 1;
    this.events[type] = (this.events[type] ?? 0) + 1;
    yield line;
  }

  private async *peopleLines(): AsyncGenerator<string> {
    for await (const person of archivedPeople(this.options.store, this.people)) {
      const line = jsonLine(person);
      for (const key of extractPictureKeys(line)) this.pictures.add(key);
      this.lines.people += 1;
      yield line;
    }
  }

  /** Skips pictures whose files no longer exist. */
  private async *pictureLines(): AsyncGenerator<string> {
    const { files, pool } = this.options;
    for (const key of [...this.pictures].sort()) {
      if ((await files.sizeOf(STORAGE_PATHS.picture(key))) === null) this.pictures.delete(key);
      else {
        const { rows } = await pool.query<{ by: string }>(
          'select student_id as by from state.upload where key = $1',
          [key],
        );
        this.lines.pictures += 1;
        yield jsonLine({ key, by: rows[0]?.by ?? null });
      }
    }
  }

  private addPicture(key: string): void {
    const { files } = this.options;
    const readPicture = async function* (path: string): AsyncGenerator<Buffer> {
      const bytes = await files.get(path);
      if (!bytes) throw new Error(`picture ${key} disappeared during the export`);
      yield bytes;
    };
    this.add(picturePath(key), () => readPicture(STORAGE_PATHS.picture(key)), undefined, false);
    this.add(thumbnailPath(key), () => readPicture(STORAGE_PATHS.thumbnail(key)), undefined, false);
  }

  private async *manifest(): AsyncGenerator<string> {
    const { space, store, onProgress } = this.options;
    const rules = await store.readStream(SCORING_RULES_STREAM);
    const manifest: ArchiveManifest = {
      format: ARCHIVE_FORMAT,
      version: ARCHIVE_VERSION,
      madeAt: new Date().toISOString(),
      space,
      scoringRules: fold(scoringRulesDecider, rules as unknown as readonly ScoringRulesEvent[]).versions,
      counts: { lines: this.lines, events: this.events },
      files: this.writtenFiles,
    };
    onProgress(100);
    yield `${JSON.stringify(manifest, null, 1)}\n`;
  }
}

// Safe cast: the command runner writes the metadata of every event.
const metadataOf = ({ metadata }: RecordedEvent): EventMetadata => metadata as unknown as EventMetadata;
