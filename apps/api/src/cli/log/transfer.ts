import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import {
  checkedEvents,
  exportLog,
  importLog,
  linesOf,
  LogDiffersError,
  readChainTip,
  signHead,
} from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { adoptLog } from '@nimo/projection-engine';
import { logKeyOf } from '../../features/log-proof/log-chain.js';
import { confirm } from '../confirm.js';
import { withSession, interruptible, recordRead } from '../cli-session.js';
import { assertNoFile } from '../new-file.js';
import { formatCount, type JsonFlag, printNote, printResult } from '../output.js';
import { withCompleteChain } from './log-session.js';
import { RateLine } from '../progress-line.js';
import { UsageError } from '../failure.js';

const KEYS_NOTE =
  'Personal data in it is encrypted. To move an installation, also copy NIMO_MASTER_KEY, NIMO_HMAC_KEY, LOG_SIGNING_KEY and the tables state.student_key, state.credential and state.identity.';

const isGzipped = (path: string): boolean => path.endsWith('.gz');

export interface ExportFlags extends JsonFlag {
  readonly to: string;
  readonly force?: true;
}

export function exportTo(flags: ExportFlags): Promise<void> {
  return interruptible(async (signal) => {
    await assertNoFile(flags.to, flags);
    const progress = new RateLine('Exporting');
    const result = await withSession(async ({ runtime, container }) => {
      await recordRead({ runtime, container }, 'LOG_EXPORT', { rows: null });
      return withCompleteChain(runtime, signal, async () => {
        const tip = await readChainTip(runtime.pool);
        const signed = signHead(tip, logKeyOf(runtime.settings), runtime.clock());
        const text = exportLog({
          log: runtime.log,
          tip,
          signed,
          onProgress: (ordinal) => progress.show(ordinal, tip.ordinal),
          signal,
        });
        await writeTo(flags.to, text);
        return { events: tip.ordinal, head: tip.head.toString('hex'), to: flags.to, signed };
      });
    });
    progress.clear();
    const summary = `Exported ${formatCount(result.events)} events to ${flags.to} in ${progress.seconds.toFixed(1)} s.\nChain head: ${result.head}\n${KEYS_NOTE}`;
    if (flags.to === '-') printNote(summary);
    else printResult(result, flags, () => summary);
  });
}

/** Writes to a temporary name first, so that an incomplete file is never mistaken for an export. */
async function writeTo(path: string, text: AsyncIterable<string>): Promise<void> {
  if (path === '-') {
    await pipeline(Readable.from(text), process.stdout, { end: false });
    return;
  }
  const unfinished = `${path}.part`;
  const target = createWriteStream(unfinished, { mode: 0o600 });
  try {
    await pipeline(Readable.from(text), isGzipped(path) ? createGzip() : new PassThrough(), target);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

export interface ImportFlags extends JsonFlag {
  readonly from: string;
  readonly yes?: true;
}

export async function importFrom(flags: ImportFlags): Promise<void> {
  const { from } = flags;
  await interruptible(async (signal) => {
    const checking = new RateLine('Checking the file');
    // Checks the file first, so that nothing of a damaged one is imported. A pipe can only be read once.
    const events = from === '-' ? undefined : await countEvents(from, checking, signal);
    checking.clear();
    const what = events === undefined ? 'the events' : `${formatCount(events)} events`;
    await confirm(`Import ${what} into this log? They cannot be removed later.`, flags);
    const progress = new RateLine('Importing');
    const report = await withSession(async ({ runtime }) => {
      const isNew = (await runtime.log.head()) === undefined;
      const imported = await importLog({
        log: runtime.log,
        lines: readLines(from),
        isOrdered: runtime.settings.eventStoreUrl === undefined,
        onProgress: (ordinal, of) => progress.show(ordinal, of),
        signal,
      });
      if (isNew) await adoptLog(runtime.pool, runtime.store, projections);
      await withCompleteChain(runtime, signal, () => Promise.resolve());
      return imported;
    });
    progress.clear();
    printResult(report, flags, () =>
      [
        `The log now has ${formatCount(report.events)} events${report.existing > 0 ? ` (${formatCount(report.existing)} already existed)` : ''}, and its chain head matches the file:`,
        `  ${report.head}`,
        KEYS_NOTE,
      ].join('\n'),
    );
  });
}

async function countEvents(path: string, progress: RateLine, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const { ordinal, header } of checkedEvents(readLines(path))) {
    signal.throwIfAborted();
    progress.show((count = ordinal), header.events);
  }
  return count;
}

async function* readLines(path: string): AsyncGenerator<Uint8Array> {
  const file = path === '-' ? process.stdin : createReadStream(path);
  const bytes = isGzipped(path) ? file.pipe(createGunzip()) : file;
  file.on('error', (error: Error) => bytes.destroy(error));
  try {
    yield* linesOf(bytes);
  } catch (error) {
    throw toUserError(error, path);
  }
}

function toUserError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'EISDIR')
    return new UsageError(`--from ${path} cannot be read: ${error.message}.`);
  return String(error.code).startsWith('Z_')
    ? new LogDiffersError(`${path} is damaged: ${error.message}.`)
    : error;
}
