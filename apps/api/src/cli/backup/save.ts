import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '../../platform/runtime/runtime.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { withSession, interruptible, recordRead } from '../cli-session.js';
import { EXIT, UsageError } from '../failure.js';
import { formatCount, type JsonFlag, printNote, printResult } from '../output.js';
import { pathExists } from '../new-file.js';
import { saveFolder } from './folders.js';
import {
  MISSING_HEADS_TEXT,
  lacksHeads,
  type Manifest,
  manifestOf,
  openBackup,
  writeManifest,
} from './manifest.js';
import { runSchedule, type Schedule, scheduleOf } from './schedule.js';
import { SealedFiles } from './sealed-files.js';
import { readTables, saveTables } from './tables.js';

export interface BackUpFlags extends JsonFlag {
  readonly to: string;
  /** Interval in hours. */
  readonly every?: string;
  readonly keep?: string;
}

const KEYS_TEXT = `The keys are not included. Keep NIMO_MASTER_KEY, NIMO_HMAC_KEY, NIMO_SIGNING_KEY and LOG_SIGNING_KEY (or keys.json and
log-key.json in NIMO_DATA_DIR) in another place: anyone who has both the backup and the keys can read everything.`;
const ENCRYPTED_TEXT =
  'The backup is encrypted with NIMO_BACKUP_KEY and cannot be restored without it. Keep that key elsewhere, too.';
const UNENCRYPTED_TEXT =
  'The backup is NOT encrypted: anyone with access to the folder can read posts and pictures. Set NIMO_BACKUP_KEY to encrypt the next one.';

export async function backUp(flags: BackUpFlags): Promise<void> {
  const schedule = scheduleOf(flags);
  if (schedule === undefined) return backUpOnce(resolve(flags.to), flags);
  await backUpOnSchedule(schedule, flags);
}

/** Opens a session per backup, so that no connection stays open in between. */
function backUpOnSchedule(schedule: Schedule, flags: JsonFlag): Promise<void> {
  return interruptible((signal) =>
    runSchedule(schedule, {
      make: (to) => backUpOnce(to, flags),
      now: () => new Date(),
      wait: (ms) => delay(ms, undefined, { signal }),
      report: printNote,
    }),
  );
}

async function backUpOnce(to: string, flags: JsonFlag): Promise<void> {
  const backup = await withSession(async ({ runtime, container }) => {
    await recordRead({ runtime, container }, 'BACKUP', { rows: null });
    return {
      ...(await saveBackup(to, runtime, (name) => printNote(`Saving ${name}`))),
      encrypted: runtime.settings.backupKey !== undefined,
    };
  });
  printResult({ to, ...backup, lacksHeads: lacksHeads(backup) }, flags, () => textOf(to, backup));
  if (lacksHeads(backup)) process.exitCode = EXIT.different;
}

function textOf(to: string, backup: Manifest & { readonly encrypted: boolean }): string {
  const { tables, hasLog, hasMedia, encrypted } = backup;
  const events = tables.find(({ name }) => name === 'log.events')?.rows ?? 0;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `Saved ${formatCount(rows)} rows of ${tables.length} tables, including ${formatCount(events)} events, to ${to} and verified them.`,
    ...(hasLog
      ? []
      : ['The log is in EventStoreDB and not included. Back it up there, or with nimo log export.']),
    ...(hasMedia ? [] : ['The pictures are in S3 and not included. Back them up there.']),
    ...(lacksHeads(backup) ? [MISSING_HEADS_TEXT] : []),
    encrypted ? ENCRYPTED_TEXT : UNENCRYPTED_TEXT,
    KEYS_TEXT,
  ].join('\n');
}

/** Writes to a temporary name first, so that an incomplete folder is never mistaken for a backup. */
export async function saveBackup(
  to: string,
  { settings, clock, pool }: Pick<Runtime, 'settings' | 'clock' | 'pool'>,
  onTable: (name: string) => void = () => undefined,
): Promise<Manifest> {
  if (await pathExists(to))
    throw new UsageError(`${to} already exists. Choose a new folder for each backup.`);
  const unfinished = `${to}.part`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
  const madeAt = clock().toISOString();
  const sealed = settings.backupKey && SealedFiles.create(settings.backupKey);
  const tables = await saveTables(databaseUrlOf(settings), unfinished, sealed, onTable);
  // After the tables: an unused picture does no harm, but a row must not refer to a missing one.
  const hasMedia = settings.s3Endpoint === undefined;
  const files = [
    ...(hasMedia ? await saveFolder(join(settings.dataDir, 'media'), unfinished, 'media', sealed) : []),
    ...(await saveFolder(headsDirOf(settings), unfinished, 'heads', sealed)),
  ];
  const manifest = manifestOf(settings, { madeAt, hasMedia, tables, files });
  await writeManifest(unfinished, manifest, sealed);
  await verify(unfinished, settings);
  await rename(unfinished, to);
  await recordBackup(pool, manifest, { bytes: await bytesOf(to), isEncrypted: sealed !== undefined });
  return manifest;
}

/** Reads everything back, as a restore does. */
async function verify(folder: string, settings: Settings): Promise<void> {
  const { manifest, sealed } = await openBackup(folder, settings);
  await readTables(folder, sealed, manifest.tables);
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** For the metric that reports the age of the newest backup. */
async function recordBackup(
  pool: Runtime['pool'],
  { madeAt }: Manifest,
  { bytes, isEncrypted }: { readonly bytes: number; readonly isEncrypted: boolean },
): Promise<void> {
  await pool.query(
    `insert into state.backup (made_at, verified_at, bytes, is_encrypted) values ($1, now(), $2, $3)
     on conflict (made_at) do nothing`,
    [madeAt, bytes, isEncrypted],
  );
}

/** Prefers a direct connection: a backup is one long transaction. */
export function databaseUrlOf({ databaseDirectUrl, databaseUrl }: Settings): string {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined) throw new TypeError('a session has a database');
  return url;
}

export const headsDirOf = ({ logHeadsDir, dataDir }: Settings): string =>
  logHeadsDir ?? join(dataDir, 'heads');
