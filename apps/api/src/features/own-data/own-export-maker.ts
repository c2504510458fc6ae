import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { Pool } from 'pg';
import { ZipFile } from 'yazl';
import { exportPath, OwnExports, type TakenExport } from './own-exports.js';
import type { OwnEvent } from './own-events.js';
import { Moment, ownPage, type JsonPart } from './own-page.js';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { EVENT_STORE, SETTINGS } from '../../platform/config/tokens.js';
import { Accounts } from '../accounts/accounts.js';
import { STORED_AT } from '../uploads/picture-access.js';
import { ownEventsIn, ownParts, ownPictures } from './own-parts.js';

/** Often enough to be told from a worker that is gone. */
const BEAT_MS = 2_000;

/** Somebody else is at it by now, or the copy is wanted no more. */
class ExportEnded extends Error {}

/** Says how far a copy is, and hears whether it is still wanted. */
class Beat {
  private percent = 0;
  private hasEnded = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly exports: OwnExports,
    private readonly taken: TakenExport,
  ) {
    this.timer = setInterval(() => {
      // The database may be away for a moment: the next beat says it.
      this.tell().catch(() => undefined);
    }, BEAT_MS);
  }

  /** @throws ExportEnded where the last beat heard so */
  reach(percent: number): void {
    this.percent = Math.max(this.percent, Math.floor(percent));
    if (this.hasEnded) throw new ExportEnded();
  }

  /** @throws ExportEnded */
  async check(): Promise<void> {
    await this.tell();
    this.reach(this.percent);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async tell(): Promise<void> {
    this.hasEnded = !(await this.exports.progress(this.taken, this.percent));
  }
}

/** Of the file; raised where a name in it changes its meaning. */
const OWN_DATA_VERSION = 1;

/** The file in pieces, each part a list of its rows: `{ "format", "version", "madeAt", "<section>": [ … ], …, "events": [ … ] }`. */
async function* ownJson(madeAt: string, parts: AsyncIterable<JsonPart>): AsyncGenerator<string> {
  yield `{\n"format": "nimo-own-data",\n"version": ${OWN_DATA_VERSION},\n"madeAt": ${JSON.stringify(madeAt)}`;
  for await (const { name, rows } of parts) {
    yield `,\n${JSON.stringify(name)}: [`;
    let before = '\n';
    for await (const row of rows) {
      yield before + JSON.stringify(row);
      before = ',\n';
    }
    yield '\n]';
  }
  yield '\n}\n';
}

/** Of the whole: the page and the sections, then the log. */
const LOG_BEGINS_AT = 10;
const LOG_ENDS_AT = 90;

/**
 * Makes the copies, in the worker: one file, written piece by piece to the disk and then put where pictures are. Whatever ends it, the next
 * run begins anew under a name of its own.
 */
@Injectable()
export class OwnExportMaker {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(FILES) private readonly files: FileStore,
    @Inject(JOBS) private readonly jobs: JobQueues,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'dataDir'>,
    private readonly exports: OwnExports,
    private readonly accounts: Accounts,
  ) {}

  async work(): Promise<void> {
    await this.jobs.work('ownExport', ({ id }) => this.perform(id));
  }

  async perform(id: string): Promise<void> {
    const taken = await this.exports.take(id);
    if (!taken) return;
    const unfinished = join(this.settings.dataDir, 'unfinished-exports', `${taken.run}.zip`);
    const beat = new Beat(this.exports, taken);
    try {
      await mkdir(dirname(unfinished), { recursive: true });
      await this.write(taken, unfinished, beat);
      await this.files.putFile(exportPath(taken.run), unfinished, 'application/zip');
      await beat.check();
      const { size } = await stat(unfinished);
      // Of somebody who was forgotten meanwhile nothing stays.
      const isWanted = (await this.accounts.findById(taken.studentId)) !== undefined;
      if (!isWanted || !(await this.exports.ready(taken, size))) throw new ExportEnded();
    } catch (error) {
      await this.files.remove(exportPath(taken.run));
      if (!(error instanceof ExportEnded)) {
        // For the next try of this job, or for another worker.
        await this.exports.giveBack(taken);
        throw error;
      }
    } finally {
      beat.stop();
      await rm(unfinished, { force: true });
    }
  }

  private async write(taken: TakenExport, path: string, beat: Beat): Promise<void> {
    const { studentId, language } = taken;
    const madeAt = new Date().toISOString();
    const until = await this.store.head();
    await Moment.of(this.pool, async (moment) => {
      const zip = new ZipFile();
      const written = pipeline(zip.outputStream, createWriteStream(path));
      const add = (name: string, text: AsyncIterable<string>): void => {
        const pieces = Readable.from(text, { objectMode: false });
        pieces.on('error', (error) => (zip.outputStream as Readable).destroy(error));
        zip.addReadStream(pieces, name);
      };
      const parts = () => ownParts(moment, studentId, taken.secondFactors);
      const onPage = (done: number): void => beat.reach(LOG_BEGINS_AT + done * (LOG_ENDS_AT - LOG_BEGINS_AT));
      const events = ownEventsIn(this.store, { studentId, until, onPage });
      add('index.html', ownPage(language, madeAt, parts()));
      add('data.json', ownJson(madeAt, withEvents(parts(), events)));
      for (const key of await ownPictures(this.pool, studentId)) await this.addPicture(zip, key);
      zip.end();
      await written;
    });
    beat.reach(LOG_ENDS_AT);
  }

  /** Opened when its turn comes: however many there are, one is in memory. */
  private async addPicture(zip: ZipFile, key: string): Promise<void> {
    if ((await this.files.sizeOf(STORED_AT.picture(key))) === null) return;
    zip.addReadStreamLazy(`pictures/${key}`, { compress: false }, (give) => {
      this.files.get(STORED_AT.picture(key)).then(
        (bytes) => give(null, Readable.from([bytes ?? Buffer.alloc(0)])),
        (error: unknown) => give(error, Readable.from([])),
      );
    });
  }
}

async function* withEvents(
  parts: AsyncIterable<JsonPart>,
  events: AsyncIterable<OwnEvent>,
): AsyncGenerator<JsonPart> {
  yield* parts;
  yield { name: 'events', rows: events };
}
