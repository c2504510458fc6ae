import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '../../platform/runtime/runtime.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { inSession, interruptible, tellOfRead } from '../cli-session.js';
import { EXIT, UsageError } from '../failure.js';
import { grouped, type JsonFlag, printNote, printResult } from '../output.js';
import { isThere } from '../new-file.js';
import { saveFolder } from './folders.js';
import {
  LACKS_HEADS_TEXT,
  lacksHeads,
  type Manifest,
  manifestOf,
  openBackup,
  writeManifest,
} from './manifest.js';
import { backUpAgain, type Schedule, scheduleOf } from './schedule.js';
import { SealedFiles } from './sealed-files.js';
import { readTables, saveTables } from './tables.js';

export interface BackUpFlags extends JsonFlag {
  readonly to: string;
  /** Hours. */
  readonly every?: string;
  readonly keep?: string;
}

const LEFT_OUT = `The keys are not in it: keep NIMO_MASTER_KEY, NIMO_HMAC_KEY, NIMO_SIGNING_KEY and LOG_SIGNING_KEY (or keys.json and log-key.json of NIMO_DATA_DIR)
in another place. Whoever has both can read everything.`;
const SEALED_TEXT =
  'It is encrypted with NIMO_BACKUP_KEY: without that key nobody can restore it. Keep it elsewhere, too.';
const OPEN_TEXT =
  'It is NOT encrypted: whoever has this folder can read posts and pictures. Set NIMO_BACKUP_KEY to encrypt the next one.';

export async function backUp(flags: BackUpFlags): Promise<void> {
  const schedule = scheduleOf(flags);
  if (schedule === undefined) return backUpOnce(resolve(flags.to), flags);
  await backUpOnSchedule(schedule, flags);
}

/** Each round is a session of its own: nothing is held open in between. */
function backUpOnSchedule(schedule: Schedule, flags: JsonFlag): Promise<void> {
  return interruptible((signal) =>
    backUpAgain(schedule, {
      make: (to) => backUpOnce(to, flags),
      now: () => new Date(),
      wait: (ms) => delay(ms, undefined, { signal }),
      tell: printNote,
    }),
  );
}

async function backUpOnce(to: string, flags: JsonFlag): Promise<void> {
  const made = await inSession(async ({ runtime, container }) => {
    await tellOfRead({ runtime, container }, 'BACKUP', { rows: null });
    return {
      ...(await saveTo(to, runtime, (name) => printNote(`Saving ${name}`))),
      encrypted: runtime.settings.backupKey !== undefined,
    };
  });
  printResult({ to, ...made, lacksHeads: lacksHeads(made) }, flags, () => textOf(to, made));
  if (lacksHeads(made)) process.exitCode = EXIT.different;
}

function textOf(to: string, made: Manifest & { readonly encrypted: boolean }): string {
  const { tables, hasLog, hasMedia, encrypted } = made;
  const events = tables.find(({ name }) => name === 'log.events')?.rows ?? 0;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `Saved ${grouped(rows)} rows of ${tables.length} tables, ${grouped(events)} events among them, to ${to}, and read them again.`,
    ...(hasLog
      ? []
      : ['The log is with EventStoreDB and not in it: save it there, or with nimo log export.']),
    ...(hasMedia ? [] : ['The pictures are with S3 and not in it: save them there.']),
    ...(lacksHeads(made) ? [LACKS_HEADS_TEXT] : []),
    encrypted ? SEALED_TEXT : OPEN_TEXT,
    LEFT_OUT,
  ].join('\n');
}

/** Under another name until it is whole, so that nobody takes a torn one for a back-up. */
export async function saveTo(
  to: string,
  { settings, clock, pool }: Pick<Runtime, 'settings' | 'clock' | 'pool'>,
  onTable: (name: string) => void = () => undefined,
): Promise<Manifest> {
  if (await isThere(to))
    throw new UsageError(`${to} is there already: each back-up gets a folder of its own.`);
  const unfinished = `${to}.part`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
  const madeAt = clock().toISOString();
  const sealed = settings.backupKey && SealedFiles.begin(settings.backupKey);
  const tables = await saveTables(urlOf(settings), unfinished, sealed, onTable);
  // After the tables: a picture too many does no harm, one that a row speaks of must be there.
  const hasMedia = settings.s3Endpoint === undefined;
  const files = [
    ...(hasMedia ? await saveFolder(join(settings.dataDir, 'media'), unfinished, 'media', sealed) : []),
    ...(await saveFolder(headsDirOf(settings), unfinished, 'heads', sealed)),
  ];
  const made = manifestOf(settings, { madeAt, hasMedia, tables, files });
  await writeManifest(unfinished, made, sealed);
  await verify(unfinished, settings);
  await rename(unfinished, to);
  await noteMade(pool, made, { bytes: await bytesOf(to), isEncrypted: sealed !== undefined });
  return made;
}

/** Reads all that was written, as a restore does. */
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

/** For the metric that says how old the newest one is. */
async function noteMade(
  pool: Runtime['pool'],
  { madeAt }: Manifest,
  { bytes, isEncrypted }: { readonly bytes: number; readonly isEncrypted: boolean },
): Promise<void> {
  await pool.query(
    `insert into state.back_up (made_at, verified_at, bytes, is_encrypted) values ($1, now(), $2, $3)
     on conflict (made_at) do nothing`,
    [madeAt, bytes, isEncrypted],
  );
}

/** Past a pooler: a snapshot is a transaction. */
export function urlOf({ databaseDirectUrl, databaseUrl }: Settings): string {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined) throw new TypeError('a session has a database');
  return url;
}

export const headsDirOf = ({ logHeadsDir, dataDir }: Settings): string =>
  logHeadsDir ?? join(dataDir, 'heads');
