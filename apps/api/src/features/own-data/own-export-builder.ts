import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { Pool } from 'pg';
import { ZipFile } from 'yazl';
import { exportPath, OwnExports, type ClaimedExport } from './own-exports.js';
import type { OwnEvent } from './own-events.js';
import { Snapshot, ownPage, type ExportPart } from './own-page.js';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { EVENT_STORE, SETTINGS } from '../../platform/config/tokens.js';
import { Accounts } from '../accounts/accounts.js';
import { STORAGE_PATHS } from '../uploads/picture-access.js';
import { readOwnEvents, ownParts, ownPictures } from './own-parts.js';

/** Well below the timeout after which a worker counts as gone. */
const HEARTBEAT_MS = 2_000;

/** Another worker has claimed the export, or it was cancelled. */
class ExportEnded extends Error {}

/** Reports progress, and learns whether the export was cancelled. */
class Heartbeat {
  private percent = 0;
  private hasEnded = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly exports: OwnExports,
    private readonly claimed: ClaimedExport,
  ) {
    this.timer = setInterval(() => {
      // The database may be briefly unavailable: the next heartbeat retries.
      this.report().catch(() => undefined);
    }, HEARTBEAT_MS);
  }

  /** @throws ExportEnded if the last heartbeat found the export ended */
  advance(percent: number): void {
    this.percent = Math.max(this.percent, Math.floor(percent));
    if (this.hasEnded) throw new ExportEnded();
  }

  /** @throws ExportEnded */
  async check(): Promise<void> {
    await this.report();
    this.advance(this.percent);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async report(): Promise<void> {
    this.hasEnded = !(await this.exports.progress(this.claimed, this.percent));
  }
}

/** Version of the file format, raised when a name changes its meaning. */
const OWN_DATA_VERSION = 1;

/** Streams data.json, one list of rows per section: `{ "format", "version", "madeAt", "<section>": [ … ], …, "events": [ … ] }`. */
async function* ownJson(madeAt: string, parts: AsyncIterable<ExportPart>): AsyncGenerator<string> {
  yield `{\n"format": "nimo-own-data",\n"version": ${OWN_DATA_VERSION},\n"madeAt": ${JSON.stringify(madeAt)}`;
  for await (const { name, rows } of parts) {
    yield `,\n${JSON.stringify(name)}: [`;
    let separator = '\n';
    for await (const row of rows) {
      yield separator + JSON.stringify(row);
      separator = ',\n';
    }
    yield '\n]';
  }
  yield '\n}\n';
}

/** Percentages: the page and the sections come first, then the log. */
const LOG_START_PERCENT = 10;
const LOG_END_PERCENT = 90;

/**
 * Builds exports in the worker: streams one file to disk, then moves it to the file store. After a failure, the next run starts over under
 * a new name.
 */
@Injectable()
export class OwnExportBuilder {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(FILES) private readonly files: FileStore,
    @Inject(JOBS) private readonly jobs: JobQueues,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'dataDir'>,
    private readonly exports: OwnExports,
    private readonly accounts: Accounts,
  ) {}

  private get folder(): string {
    return join(this.settings.dataDir, 'unfinished-exports');
  }

  async start(): Promise<void> {
    await this.jobs.work('ownExport', ({ id }) => this.build(id));
  }

  /** Runs periodically. Deletes what a killed worker was writing on this machine. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    if (names.length === 0) return;
    const live = new Set((await this.exports.liveRuns()).map((run) => `${run}.zip`));
    for (const name of names.filter((each) => !live.has(each))) await rm(join(this.folder, name));
  }

  async build(id: string): Promise<void> {
    const claimed = await this.exports.claim(id);
    if (!claimed) return;
    const unfinished = join(this.folder, `${claimed.run}.zip`);
    const heartbeat = new Heartbeat(this.exports, claimed);
    try {
      await mkdir(dirname(unfinished), { recursive: true });
      await this.write(claimed, unfinished, heartbeat);
      await this.files.putFile(exportPath(claimed.run), unfinished, 'application/zip');
      await heartbeat.check();
      const { size } = await stat(unfinished);
      // Nothing remains of an account erased in the meantime.
      const hasAccount = (await this.accounts.findById(claimed.studentId)) !== undefined;
      if (!hasAccount || !(await this.exports.complete(claimed, size))) throw new ExportEnded();
    } catch (error) {
      await this.files.remove(exportPath(claimed.run));
      if (!(error instanceof ExportEnded)) {
        // For the job's next attempt, or another worker.
        await this.exports.release(claimed);
        throw error;
      }
    } finally {
      heartbeat.stop();
      await rm(unfinished, { force: true });
    }
  }

  private async write(claimed: ClaimedExport, path: string, heartbeat: Heartbeat): Promise<void> {
    const { studentId, language } = claimed;
    const madeAt = new Date().toISOString();
    const until = await this.store.head();
    await Snapshot.read(this.pool, async (snapshot) => {
      const zip = new ZipFile();
      const written = pipeline(zip.outputStream, createWriteStream(path));
      const add = (name: string, text: AsyncIterable<string>): void => {
        const chunks = Readable.from(text, { objectMode: false });
        chunks.on('error', (error) => (zip.outputStream as Readable).destroy(error));
        zip.addReadStream(chunks, name);
      };
      const parts = () => ownParts(snapshot, studentId, claimed.secondFactors);
      const onPage = (done: number): void =>
        heartbeat.advance(LOG_START_PERCENT + done * (LOG_END_PERCENT - LOG_START_PERCENT));
      const events = readOwnEvents(this.store, { studentId, until, onPage });
      add('index.html', ownPage(language, madeAt, parts()));
      add('data.json', ownJson(madeAt, withEvents(parts(), events)));
      for (const key of await ownPictures(this.pool, studentId)) await this.addPicture(zip, key);
      zip.end();
      await written;
    });
    heartbeat.advance(LOG_END_PERCENT);
  }

  /** Opened lazily, so that only one picture is in memory. */
  private async addPicture(zip: ZipFile, key: string): Promise<void> {
    if ((await this.files.sizeOf(STORAGE_PATHS.picture(key))) === null) return;
    zip.addReadStreamLazy(`pictures/${key}`, { compress: false }, (done) => {
      this.files.get(STORAGE_PATHS.picture(key)).then(
        (bytes) => done(null, Readable.from([bytes ?? Buffer.alloc(0)])),
        (error: unknown) => done(error, Readable.from([])),
      );
    });
  }
}

async function* withEvents(
  parts: AsyncIterable<ExportPart>,
  events: AsyncIterable<OwnEvent>,
): AsyncGenerator<ExportPart> {
  yield* parts;
  yield { name: 'events', rows: events };
}
