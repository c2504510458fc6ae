import { join, resolve } from 'node:path';
import process from 'node:process';
import type { EventType } from '@nimo/domain';
import { type VerifyReport, verifyLog } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { adoptLog } from '@nimo/projection-engine';
import { believedLogKeys, headsFolderOf } from '../../features/log-proof/log-chain.js';
import { Erasures } from '../../features/erasure/erasures.js';
import { Tombstones } from '../../features/erasure/tombstones.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { restoreIsDone, unfinishedRestore } from '../../platform/runtime/installation.js';
import { askFirst } from '../ask-first.js';
import { type CliSession, inSession, interruptible, withProjections } from '../cli-session.js';
import { EXIT, UsageError } from '../failure.js';
import { seekIn } from '../log/log-session.js';
import { grouped, type JsonFlag, printNote, printResult } from '../output.js';
import { headsDirOf, urlOf } from './back-up.js';
import { restoreFolder } from './folders.js';
import { LACKS_HEADS_TEXT, lacksHeads, type Manifest, openBackup } from './manifest.js';
import { restoreTables, whatIsThere } from './tables.js';

const PAGE = 4_000;
/** A look whether the projections have come to the end of the log. */
const LOOK_EVERY_MS = 10_000;

export interface RestoreFlags extends JsonFlag {
  readonly from: string;
  readonly yes?: true;
  readonly dryRun?: true;
}

export interface Restored {
  readonly madeAt: string;
  readonly rows: number;
  /** Students whose erasure was done again: the log that came back told of it. */
  readonly erasedAgain: number;
  /** And those whom the tombstones named alone. */
  readonly buriedAgain: number;
  readonly log: VerifyReport;
  readonly lacksHeads: boolean;
}

export async function restore(flags: RestoreFlags): Promise<void> {
  const from = resolve(flags.from);
  await interruptible(async (signal) => {
    // Where nobody can be asked, nothing is looked at for an answer that cannot be given.
    if (!process.stdin.isTTY && !flags.dryRun) await askFirst(QUESTION, flags);
    await toRestore(from, async (session) => {
      const plan = await planOf(from, session.runtime);
      if (flags.dryRun) {
        printResult(plan, flags, () => planText(from, plan));
        if (plan.lacksHeads) process.exitCode = EXIT.different;
        return;
      }
      printNote(planText(from, plan));
      await askFirst(QUESTION, flags);
      const restored = await restoreFrom(from, session, signal, printNote);
      printResult(restored, flags, () => textOf(restored));
      if (restored.log.misfit || restored.lacksHeads) process.exitCode = EXIT.different;
    });
  });
}

const QUESTION = 'Restore it into the database and folders of this installation?';

/** What a restore would do. */
export interface RestorePlan {
  readonly madeAt: string;
  readonly encrypted: boolean;
  readonly rows: number;
  readonly events: number;
  /** Pictures and signed heads. */
  readonly files: number;
  /** Nobody could tell whether the log and its chain were changed together. */
  readonly lacksHeads: boolean;
  /** The tables came in already, by a restore that did not come to its end. */
  readonly goesOn: boolean;
  readonly database: string;
  readonly dataDir: string;
}

/** Reads and checks everything, and changes nothing. @throws UsageError where it would be refused */
export async function planOf(
  from: string,
  { settings, pool }: Pick<Runtime, 'settings' | 'pool'>,
): Promise<RestorePlan> {
  const { manifest, sealed } = await openBackup(from, settings);
  const { tables, madeAt, files } = manifest;
  const url = new URL(urlOf(settings));
  const goesOn = await assertFree(pool, settings, madeAt);
  return {
    madeAt,
    encrypted: sealed !== undefined,
    rows: rowsOf(tables),
    events: tables.find(({ name }) => name === 'log.events')?.rows ?? 0,
    files: files.length,
    lacksHeads: lacksHeads(manifest),
    goesOn,
    database: `${url.host}${url.pathname}`,
    dataDir: resolve(settings.dataDir),
  };
}

function planText(from: string, plan: RestorePlan): string {
  const { madeAt, encrypted, rows, events, files, goesOn, database, dataDir } = plan;
  return [
    `${from} was made at ${madeAt}${encrypted ? ' and is encrypted' : ''}. All of it was read and is whole, and the keys fit.`,
    goesOn
      ? 'A restore of it was begun here and did not end. This goes on: the rows are there; files that are missing come in.'
      : `Into ${database} come ${grouped(rows)} rows, ${grouped(events)} events among them; the database is empty.`,
    `Into ${dataDir} come ${grouped(files)} pictures and signed heads; what is there stays.`,
    'Then erasures are done again, every projection folds the log, and the log is compared with its chain.',
    ...(plan.lacksHeads ? [LACKS_HEADS_TEXT] : []),
  ].join('\n');
}

const rowsOf = (tables: Manifest['tables']): number => tables.reduce((sum, table) => sum + table.rows, 0);

/** @returns whether a restore of the same back-up goes on. @throws UsageError where there is something else */
async function assertFree(pool: Runtime['pool'], settings: Settings, madeAt: string): Promise<boolean> {
  const unfinished = await unfinishedRestore(pool);
  const goesOn = unfinished !== undefined;
  if (goesOn && unfinished.toISOString() !== new Date(madeAt).toISOString())
    throw new UsageError(
      `Nothing was restored: a restore of the back-up of ${unfinished.toISOString()} was begun here and did not end. Go on with that one, or take a new database.`,
    );
  const there = await whatIsThere(urlOf(settings), { goesOn });
  if (there !== undefined)
    throw new UsageError(`Nothing was restored: it needs a new database, and ${there}.`);
  return goesOn;
}

function textOf({ madeAt, rows, erasedAgain, buriedAgain, log, lacksHeads: isWithout }: Restored): string {
  return [
    `Restored ${grouped(rows)} rows as they were at ${madeAt}; every projection has folded the log.`,
    `Erasures done again: ${grouped(erasedAgain)} of the log, ${grouped(buriedAgain)} of the list of tombstones (NIMO_TOMBSTONES).`,
    log.misfit
      ? `The log does NOT fit its chain: ${JSON.stringify(log.misfit)}`
      : `The log fits its chain up to event ${grouped(log.ordinal)}.`,
    ...(isWithout ? [LACKS_HEADS_TEXT] : []),
    'Now start Nimo; nimo projections verify compares what is shown with the log once more.',
  ].join('\n');
}

/** A back-up that does not fit is refused while the database is as it was: whoever sets what was missing can try again. */
export function toRestore<Result>(
  from: string,
  work: (session: CliSession) => Promise<Result>,
  given?: Settings,
): Promise<Result> {
  return inSession(work, given, (settings) => openBackup(from, settings));
}

/** The order matters: nobody's name is shown, and nothing folded, before the erasures were done again. */
export async function restoreFrom(
  from: string,
  { runtime, container }: Pick<CliSession, 'runtime' | 'container'>,
  signal: AbortSignal,
  tell: (text: string) => void = () => undefined,
): Promise<Restored> {
  const { settings, pool, log } = runtime;
  const url = urlOf(settings);
  const { manifest, sealed } = await openBackup(from, settings);
  const goesOn = await assertFree(pool, settings, manifest.madeAt);
  // The files first: the tables come all or none, and only with them is anybody there.
  if (manifest.hasMedia) await restoreFolder(from, 'media', join(settings.dataDir, 'media'), sealed);
  await restoreFolder(from, 'heads', headsDirOf(settings), sealed);
  if (!goesOn) await restoreTables(url, from, sealed, manifest, (name) => tell(`Restoring ${name}`));
  const erasedAgain = await eraseAgain(runtime);
  await adoptLog(pool, runtime.store, projections);
  tell('Folding the log');
  const buriedAgain = await withProjections(runtime, async () => {
    await untilFolded(runtime, signal);
    const tombstones = await container.get(Tombstones, { strict: false }).read();
    return container.get(Erasures, { strict: false }).doAgain(tombstones);
  });
  const { heads } = await headsFolderOf(settings).read();
  const report = await verifyLog({ pool, log, heads, keys: believedLogKeys(settings), ...seekIn(runtime) });
  await restoreIsDone(pool);
  const rows = rowsOf(manifest.tables);
  return {
    madeAt: manifest.madeAt,
    rows,
    erasedAgain,
    buriedAgain,
    log: report,
    // What was there already counts: heads are never overwritten.
    lacksHeads: lacksHeads(manifest) && heads.length === 0,
  };
}

const KEYS_END_WITH: ReadonlySet<string> = new Set<EventType>(['StudentErased', 'SignUpAbandoned']);

/** The log is the list of erasures: what came back with an older state, as a key, is destroyed again. */
async function eraseAgain({ log, pool, studentKeys }: Runtime): Promise<number> {
  let count = 0;
  let page = await log.readAll({ limit: PAGE });
  while (page.length > 0) {
    for (const { type, data } of page) {
      const { studentId, withWords } = data;
      if (!KEYS_END_WITH.has(type) || typeof studentId !== 'string') continue;
      await studentKeys.destroy(studentId, withWords === true ? ['identity', 'words'] : ['identity']);
      await pool.query('select state.forget_student($1)', [studentId]);
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
