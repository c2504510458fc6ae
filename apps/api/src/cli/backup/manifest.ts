import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { publicKeyText } from '@nimo/event-store';
import { z } from 'zod';
import { logKeyOf } from '../../features/log-proof/log-witness.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { migrations } from '../../platform/database/migrations.js';
import { UsageError } from '../usage-error.js';

const FORMAT = 'nimo-backup-v1';
const FILE = 'manifest.json';

const savedTable = z.object({
  /** With its schema. */
  name: z.string().regex(/^(log|state)\.[a-z_]+$/),
  columns: z.array(z.string()),
  rows: z.number(),
  file: z.string().regex(/^[a-z_.]+\.copy\.gz$/),
  sha256: z.string(),
});
export type SavedTable = z.infer<typeof savedTable>;

const manifest = z.object({
  format: z.literal(FORMAT),
  madeAt: z.string(),
  /** The version of the database. */
  migrations: z.array(z.string()),
  /** By which keys it can be read; not the keys. */
  keys: z.object({ master: z.string(), hmac: z.string(), log: z.string() }),
  /** Whether the events are in it, or with EventStoreDB. */
  hasLog: z.boolean(),
  tables: z.array(savedTable),
  /** Pictures lie elsewhere where S3 keeps them. */
  hasMedia: z.boolean(),
});
export type Manifest = z.infer<typeof manifest>;

const TO_TELL_APART = 16;

/** Tells keys apart and gives nothing of them away. */
function fingerprint(name: string, key: Buffer): string {
  return createHash('sha256').update(`nimo ${name} key`).update(key).digest('hex').slice(0, TO_TELL_APART);
}

export const keysOf = (settings: Settings): Manifest['keys'] => ({
  master: fingerprint('master', settings.masterKey),
  hmac: fingerprint('hmac', settings.hmacKey),
  log: publicKeyText(logKeyOf(settings)),
});

export function manifestOf(
  settings: Settings,
  parts: Pick<Manifest, 'madeAt' | 'hasMedia' | 'tables'>,
): Manifest {
  return {
    format: FORMAT,
    ...parts,
    migrations: migrations.map(({ name }) => name),
    keys: keysOf(settings),
    hasLog: settings.eventStoreUrl === undefined,
  };
}

export async function writeManifest(folder: string, made: Manifest): Promise<void> {
  await writeFile(join(folder, FILE), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** @throws UsageError where it is no back-up, is damaged, or does not fit this version or these keys */
export async function readManifest(folder: string, settings: Settings): Promise<Manifest> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => {
    throw new UsageError(`${folder} has no ${FILE}: it is no back-up, or one that was not finished.`);
  });
  const read = manifest.safeParse(jsonOf(text));
  if (!read.success) throw new UsageError(`${folder}/${FILE} is not one of this version of Nimo.`);
  assertFits(read.data, settings);
  for (const { file, sha256 } of read.data.tables) {
    if ((await hashOf(join(folder, 'tables', file)).catch(() => '')) !== sha256)
      throw new UsageError(`${folder}/tables/${file} is damaged or missing.`);
  }
  return read.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertFits(made: Manifest, settings: Settings): void {
  const own = migrations.map(({ name }) => name);
  if (made.migrations.join() !== own.join())
    throw new UsageError(
      `It was made by another version of Nimo (database ${made.migrations.at(-1) ?? ''}, here ${own.at(-1) ?? ''}): restore it with that one and update then.`,
    );
  const here = keysOf(settings);
  const settingOf = { master: 'NIMO_MASTER_KEY', hmac: 'NIMO_HMAC_KEY', log: 'LOG_SIGNING_KEY' } as const;
  for (const name of ['master', 'hmac', 'log'] as const) {
    if (made.keys[name] !== here[name])
      throw new UsageError(
        `${settingOf[name]} is another than when the back-up was made: without that key it cannot be used.`,
      );
  }
  if (made.hasLog !== (settings.eventStoreUrl === undefined))
    throw new UsageError(
      made.hasLog
        ? 'The log is in this back-up: unset EVENTSTORE_URL, and move the log afterwards with nimo log copy.'
        : 'The log was with EventStoreDB: restore it there, and set EVENTSTORE_URL.',
    );
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
