import { join, resolve } from 'node:path';
import process from 'node:process';
import { type VerifyReport, verifyLog } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { adoptLog } from '@nimo/projection-engine';
import { believedLogKeys, headsFolderOf } from '../../features/log-proof/log-witness.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { forgetSecurityLog } from '../../platform/security-log/security-log.js';
import { askFirst } from '../ask-first.js';
import { inSession, withProjections } from '../cli-session.js';
import { EXIT } from '../exit-codes.js';
import { interruptible } from '../interruptible.js';
import { seekIn } from '../log/log-session.js';
import { type JsonFlag, printResult } from '../print-result.js';
import { grouped } from '../progress-line.js';
import { UsageError } from '../usage-error.js';
import { headsDirOf, urlOf } from './back-up.js';
import { restoreFolder } from './folders.js';
import { openBackup } from './manifest.js';
import { restoreTables, whatIsThere } from './tables.js';

const PAGE = 4_000;
/** A look whether the projections have come to the end of the log. */
const LOOK_EVERY_MS = 10_000;

export interface RestoreFlags extends JsonFlag {
  readonly from: string;
  readonly yes?: true;
}

export interface Restored {
  readonly madeAt: string;
  readonly rows: number;
  /** Students whose erasure was done again. */
  readonly erasedAgain: number;
  readonly log: VerifyReport;
}

export async function restore(flags: RestoreFlags): Promise<void> {
  const from = resolve(flags.from);
  await interruptible(async (signal) => {
    await askFirst(`Restore ${from} into the database and folders of this installation?`, flags);
    const tell = (text: string): boolean => process.stderr.write(`${text}\n`);
    const restored = await inSession(({ runtime }) => restoreFrom(from, runtime, signal, tell));
    printResult(restored, flags, () => textOf(restored));
    if (restored.log.misfit) process.exitCode = EXIT.different;
  });
}

function textOf({ madeAt, rows, erasedAgain, log }: Restored): string {
  return [
    `Restored ${grouped(rows)} rows as they were at ${madeAt}; every projection has folded the log.`,
    `Erasures done again: ${grouped(erasedAgain)}. Whoever was erased after ${madeAt} is back: erase them again before anybody is let in.`,
    log.misfit
      ? `The log does NOT fit its chain: ${JSON.stringify(log.misfit)}`
      : `The log fits its chain up to event ${grouped(log.ordinal)}.`,
    'Now start Nimo; nimo projections verify compares what is shown with the log once more.',
  ].join('\n');
}

/** The order matters: nobody's name is shown, and nothing folded, before the erasures were done again. */
export async function restoreFrom(
  from: string,
  runtime: Runtime,
  signal: AbortSignal,
  tell: (text: string) => void = () => undefined,
): Promise<Restored> {
  const { settings, pool, log } = runtime;
  const url = urlOf(settings);
  const { manifest, sealed } = await openBackup(from, settings);
  const there = await whatIsThere(url);
  if (there !== undefined)
    throw new UsageError(`Nothing was restored: it needs a new database, and ${there}.`);
  // The files first: the tables come all or none, and only with them is anybody there.
  if (manifest.hasMedia) await restoreFolder(from, 'media', join(settings.dataDir, 'media'), sealed);
  await restoreFolder(from, 'heads', headsDirOf(settings), sealed);
  await restoreTables(url, from, sealed, manifest.tables, (name) => tell(`Restoring ${name}`));
  const erasedAgain = await eraseAgain(runtime);
  await adoptLog(pool, runtime.store, projections);
  tell('Folding the log');
  await withProjections(runtime, () => untilFolded(runtime, signal));
  const { heads } = await headsFolderOf(settings).read();
  const report = await verifyLog({ pool, log, heads, keys: believedLogKeys(settings), ...seekIn(runtime) });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return { madeAt: manifest.madeAt, rows, erasedAgain, log: report };
}

/** The log is the list of erasures: what came back with an older state, as a key, is destroyed again. */
async function eraseAgain({ log, pool, studentKeys }: Runtime): Promise<number> {
  let count = 0;
  let page = await log.readAll({ limit: PAGE });
  while (page.length > 0) {
    for (const { type, data } of page) {
      const { studentId } = data;
      if (type !== 'StudentErased' || typeof studentId !== 'string') continue;
      await studentKeys.erase(studentId);
      await forgetSecurityLog(pool, studentId);
      count += 1;
    }
    const after = page.at(-1)?.position;
    page = after === undefined ? [] : await log.readAll({ after, limit: PAGE });
  }
  return count;
}

async function untilFolded({ store, waiter }: Runtime, signal: AbortSignal): Promise<void> {
  const head = await store.head();
  if (head === undefined) return;
  const names = projections.map(({ name }) => name);
  for (;;) {
    signal.throwIfAborted();
    const { stale } = await waiter.waitFor(names, head, LOOK_EVERY_MS);
    if (!stale) return;
  }
}
