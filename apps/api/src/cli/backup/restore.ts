import { join, resolve } from 'node:path';
import process from 'node:process';
import type { EventType } from '@nimo/domain';
import { type VerifyReport, verifyLog } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { adoptLog } from '@nimo/projection-engine';
import { trustedLogKeys, headsFolderOf } from '../../features/log-proof/log-chain.js';
import { Erasures } from '../../features/erasure/erasures.js';
import { readTombstones, tombstonesPath } from '../../features/erasure/tombstones.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { completeRestore, unfinishedRestore } from '../../platform/runtime/installation.js';
import { confirm } from '../confirm.js';
import { type CliSession, withSession, interruptible, withProjections } from '../cli-session.js';
import { EXIT, UsageError } from '../failure.js';
import { seekOption } from '../log/log-session.js';
import { formatCount, type JsonFlag, printNote, printResult } from '../output.js';
import { headsDirOf, databaseUrlOf } from './save.js';
import { restoreFolder } from './folders.js';
import { MISSING_HEADS_TEXT, lacksHeads, type Manifest, openBackup } from './manifest.js';
import { restoreTables, findConflict } from './tables.js';

const PAGE = 4_000;
/** How often to check whether the projections have reached the end of the log. */
const POLL_INTERVAL_MS = 10_000;

export interface RestoreFlags extends JsonFlag {
  readonly from: string;
  readonly yes?: true;
  readonly dryRun?: true;
}

export interface Restored {
  readonly madeAt: string;
  readonly rows: number;
  /** Erasures repeated because the restored log records them. */
  readonly erasuresRepeated: number;
  /** Erasures repeated because only the tombstones record them. */
  readonly tombstonesApplied: number;
  readonly log: VerifyReport;
  readonly lacksHeads: boolean;
}

export async function restore(flags: RestoreFlags): Promise<void> {
  const from = resolve(flags.from);
  await interruptible(async (signal) => {
    // Without a terminal, fails before the long check of the backup.
    if (!process.stdin.isTTY && !flags.dryRun) await confirm(QUESTION, flags);
    await withCheckedBackup(from, async (session) => {
      const plan = await planOf(from, session.runtime);
      if (flags.dryRun) {
        printResult(plan, flags, () => planText(from, plan));
        if (plan.lacksHeads) process.exitCode = EXIT.different;
        return;
      }
      printNote(planText(from, plan));
      await confirm(QUESTION, flags);
      const restored = await restoreBackup(from, session, signal, printNote);
      printResult(restored, flags, () => textOf(restored));
      if (restored.log.mismatch || restored.lacksHeads) process.exitCode = EXIT.different;
    });
  });
}

const QUESTION = 'Restore the backup into the database and folders of this installation?';

/** Effect of a restore. */
export interface RestorePlan {
  readonly madeAt: string;
  readonly encrypted: boolean;
  readonly rows: number;
  readonly events: number;
  /** Pictures and signed heads. */
  readonly files: number;
  /** Number of erased students in the tombstones. Null without a file: students erased after the backup come back. */
  readonly tombstones: number | null;
  readonly tombstonesPath: string;
  /** A consistent change of log and chain would go undetected. */
  readonly lacksHeads: boolean;
  /** Whether it resumes an interrupted restore that has already filled the tables. */
  readonly isResumed: boolean;
  readonly database: string;
  readonly dataDir: string;
}

/** Checks the whole backup without changing anything. @throws UsageError if the restore would be refused */
export async function planOf(
  from: string,
  { settings, pool }: Pick<Runtime, 'settings' | 'pool'>,
): Promise<RestorePlan> {
  const { manifest, sealed } = await openBackup(from, settings);
  const { tables, madeAt, files } = manifest;
  const url = new URL(databaseUrlOf(settings));
  const isResumed = await assertRestorable(pool, settings, madeAt);
  return {
    madeAt,
    encrypted: sealed !== undefined,
    rows: rowsOf(tables),
    events: tables.find(({ name }) => name === 'log.events')?.rows ?? 0,
    files: files.length,
    tombstones: (await readTombstones(settings))?.length ?? null,
    tombstonesPath: tombstonesPath(settings),
    lacksHeads: lacksHeads(manifest),
    isResumed,
    database: `${url.host}${url.pathname}`,
    dataDir: resolve(settings.dataDir),
  };
}

function planText(from: string, plan: RestorePlan): string {
  const { madeAt, encrypted, rows, events, files, isResumed, database, dataDir } = plan;
  return [
    `${from} was made at ${madeAt}${encrypted ? ' and is encrypted' : ''}. It is complete and undamaged, and the keys match.`,
    isResumed
      ? 'An interrupted restore of this backup will be resumed: the rows are already restored, missing files will be added.'
      : `${formatCount(rows)} rows, including ${formatCount(events)} events, will be restored into the empty database ${database}.`,
    `${formatCount(files)} pictures and signed heads will be restored into ${dataDir}. Existing files are kept.`,
    tombstonesText(plan),
    'Then projections are rebuilt and the log is verified.',
    ...(plan.lacksHeads ? [MISSING_HEADS_TEXT] : []),
  ].join('\n');
}

const tombstonesText = ({ tombstones, tombstonesPath: path }: RestorePlan): string =>
  tombstones === null
    ? `There is no ${path}: accounts deleted after the backup COME BACK. Copy the file from the old machine first, unless there were none.`
    : `Then erasures are repeated: those in the log, and ${formatCount(tombstones)} from ${path}.`;

const rowsOf = (tables: Manifest['tables']): number => tables.reduce((sum, table) => sum + table.rows, 0);

/** @returns whether a restore of the same backup can be resumed. @throws UsageError if the database is in use or not empty */
async function assertRestorable(pool: Runtime['pool'], settings: Settings, madeAt: string): Promise<boolean> {
  const unfinished = await unfinishedRestore(pool);
  const isResumed = unfinished !== undefined;
  if (isResumed && unfinished.toISOString() !== new Date(madeAt).toISOString())
    throw new UsageError(
      `Nothing was restored: the restore of the backup from ${unfinished.toISOString()} is unfinished. Resume that one, or use a new database.`,
    );
  const conflict = await findConflict(databaseUrlOf(settings), { isResumed });
  if (conflict !== undefined) throw new UsageError(`Nothing was restored: ${conflict}. Use a new database.`);
  return isResumed;
}

function textOf({
  madeAt,
  rows,
  erasuresRepeated,
  tombstonesApplied,
  log,
  lacksHeads: isWithout,
}: Restored): string {
  return [
    `Restored ${formatCount(rows)} rows as of ${madeAt} and rebuilt all projections.`,
    `Erasures repeated: ${formatCount(erasuresRepeated)} from the log, ${formatCount(tombstonesApplied)} from the tombstones (NIMO_TOMBSTONES).`,
    log.mismatch
      ? `The log does NOT match its chain: ${JSON.stringify(log.mismatch)}`
      : `The log matches its chain up to event ${formatCount(log.ordinal)}.`,
    ...(isWithout ? [MISSING_HEADS_TEXT] : []),
    'You can start Nimo now. To compare the projections with the log once more, run nimo projections verify all.',
  ].join('\n');
}

/** Opens a session only after the backup is checked, so that an unsuitable one leaves the database untouched. */
export function withCheckedBackup<Result>(
  from: string,
  work: (session: CliSession) => Promise<Result>,
  loaded?: Settings,
): Promise<Result> {
  return withSession(work, loaded, async (settings) => {
    await readTombstones(settings);
    await openBackup(from, settings);
  });
}

/** Erasures are repeated before projections are rebuilt, so that erased personal data never shows. */
export async function restoreBackup(
  from: string,
  { runtime, container }: Pick<CliSession, 'runtime' | 'container'>,
  signal: AbortSignal,
  report: (text: string) => void = () => undefined,
): Promise<Restored> {
  const { settings, pool, log } = runtime;
  const url = databaseUrlOf(settings);
  const { manifest, sealed } = await openBackup(from, settings);
  const tombstones = (await readTombstones(settings)) ?? [];
  const isResumed = await assertRestorable(pool, settings, manifest.madeAt);
  // Files first: the tables follow in one transaction and mark the database as in use.
  if (manifest.hasMedia) await restoreFolder(from, 'media', join(settings.dataDir, 'media'), sealed);
  await restoreFolder(from, 'heads', headsDirOf(settings), sealed);
  if (!isResumed) await restoreTables(url, from, sealed, manifest, (name) => report(`Restoring ${name}`));
  const erasuresRepeated = await repeatErasures(runtime);
  await adoptLog(pool, runtime.store, projections);
  report('Rebuilding projections');
  const tombstonesApplied = await withProjections(runtime, async () => {
    await waitForProjections(runtime, signal);
    return container.get(Erasures, { strict: false }).eraseRestored(tombstones);
  });
  const { heads } = await headsFolderOf(settings).read();
  const verification = await verifyLog({
    pool,
    log,
    heads,
    keys: trustedLogKeys(settings),
    ...seekOption(runtime),
  });
  await completeRestore(pool);
  const rows = rowsOf(manifest.tables);
  return {
    madeAt: manifest.madeAt,
    rows,
    erasuresRepeated,
    tombstonesApplied,
    log: verification,
    // Heads that were already there count, as they are never overwritten.
    lacksHeads: lacksHeads(manifest) && heads.length === 0,
  };
}

const KEY_DESTROYING_EVENTS: ReadonlySet<string> = new Set<EventType>(['StudentErased', 'SignUpAbandoned']);

/** Destroys keys and state again that an older backup brought back, going by the erasures in the log. */
async function repeatErasures({ log, pool, studentKeys }: Runtime): Promise<number> {
  let count = 0;
  let page = await log.readAll({ limit: PAGE });
  while (page.length > 0) {
    for (const { type, data } of page) {
      const { studentId, withWords } = data;
      if (!KEY_DESTROYING_EVENTS.has(type) || typeof studentId !== 'string') continue;
      await studentKeys.destroy(studentId, withWords === true ? ['identity', 'words'] : ['identity']);
      await pool.query('select state.forget_student($1)', [studentId]);
      count += 1;
    }
    const after = page.at(-1)?.position;
    page = after === undefined ? [] : await log.readAll({ after, limit: PAGE });
  }
  return count;
}

async function waitForProjections({ store, waiter }: Runtime, signal: AbortSignal): Promise<void> {
  const head = await store.head();
  if (head === undefined) return;
  const names = projections.map(({ name }) => name);
  for (;;) {
    signal.throwIfAborted();
    const { stale } = await waiter.waitFor(names, head, POLL_INTERVAL_MS);
    if (!stale) return;
  }
}
