import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Duplex } from 'node:stream';
import { text as streamText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { publicKeyText } from '@nimo/event-store';
import { z } from 'zod';
import { logKeyOf } from '../../features/log-proof/log-chain.js';
import { keyFingerprint } from '../../platform/personal-data/key-uses.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { migrations } from '../../platform/database/migrations.js';
import { UsageError } from '../failure.js';
import { pathExists } from '../new-file.js';
import { checkFolder } from './folders.js';
import { SEALED, SealedFiles } from './sealed-files.js';

const FORMAT = 'nimo-backup-v1';
const FILE = 'manifest.json';
export const TABLES = 'tables';

const savedTable = z.object({
  /** Qualified with the schema. */
  name: z.string().regex(/^(log|state)\.[a-z_]+$/),
  columns: z.array(z.string()),
  rows: z.number(),
  file: z.string().regex(/^[a-z_.]+\.copy\.gz(\.sealed)?$/),
  sha256: z.string(),
});
const savedFile = z.object({
  name: z.string().regex(/^(media|heads)\/(?!.*\.\.)[^\0]+$/),
  sha256: z.string(),
  bytes: z.number(),
});
export type SavedTable = z.infer<typeof savedTable>;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  madeAt: z.string(),
  /** Schema version. */
  migrations: z.array(z.string()),
  /** Fingerprints of the keys needed to read it. */
  keys: z.object({ master: z.string(), hmac: z.string(), log: z.string() }),
  /** False if the log is in EventStoreDB. */
  hasLog: z.boolean(),
  tables: z.array(savedTable),
  /** False if the pictures are in S3. */
  hasMedia: z.boolean(),
  /** Pictures and signed heads. */
  files: z.array(savedFile),
});
export type Manifest = z.infer<typeof manifestSchema>;

const keysOf = (settings: Settings): Manifest['keys'] => ({
  master: keyFingerprint('master', settings.masterKey),
  hmac: keyFingerprint('hmac', settings.hmacKey),
  log: publicKeyText(logKeyOf(settings)),
});

export function manifestOf(
  settings: Settings,
  parts: Pick<Manifest, 'madeAt' | 'hasMedia' | 'tables' | 'files'>,
): Manifest {
  return {
    format: FORMAT,
    ...parts,
    migrations: migrations.map(({ name }) => name),
    keys: keysOf(settings),
    hasLog: settings.eventStoreUrl === undefined,
  };
}

export async function writeManifest(
  folder: string,
  manifest: Manifest,
  sealed: SealedFiles | undefined,
): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const options = { mode: 0o600, flush: true };
  if (!sealed) return writeFile(join(folder, FILE), text, options);
  const to = createWriteStream(join(folder, FILE + SEALED), options);
  await pipeline(Readable.from([Buffer.from(text)]), sealed.sealStream(FILE), to);
}

export interface OpenedBackup {
  readonly manifest: Manifest;
  /** Set if the backup is encrypted. */
  readonly sealed: SealedFiles | undefined;
}

/** Opens and checks a backup. @throws UsageError if it is not a backup, is damaged, or needs another version, other keys or settings */
export async function openBackup(folder: string, settings: Settings): Promise<OpenedBackup> {
  const sealedFile = join(folder, FILE + SEALED);
  const sealed = (await pathExists(sealedFile))
    ? await SealedFiles.forBackup(sealedFile, settings.backupKey)
    : undefined;
  const read = sealed ? readSealed(sealedFile, sealed) : readFile(join(folder, FILE), 'utf8');
  const text = await read.catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${folder} has no ${FILE}: it is not a backup, or it is incomplete.`);
  });
  const parsed = manifestSchema.safeParse(jsonOf(text));
  if (!parsed.success) throw new UsageError(`${folder}/${FILE} is not a manifest of this version of Nimo.`);
  assertCompatible(parsed.data, settings);
  await assertIntact(folder, parsed.data, sealed);
  return { manifest: parsed.data, sealed };
}

/** Whether the database has signed heads but the folder has none. A consistent change of log and chain would then go undetected. */
export const lacksHeads = ({ tables, files }: Pick<Manifest, 'tables' | 'files'>): boolean =>
  !files.some(({ name }) => name.startsWith('heads/')) &&
  tables.some(({ name, rows }) => name === 'log.signed_heads' && rows > 0);

export const MISSING_HEADS_TEXT =
  'CHECKPOINT: The backup has NO signed heads, although the database has some: the heads folder (LOG_HEADS_DIR) was empty or missing. Restore the heads from another external checkpoint.';

async function readSealed(path: string, sealed: SealedFiles): Promise<string> {
  return streamText(createReadStream(path).compose<Duplex>(sealed.openStream(FILE)));
}

async function assertIntact(
  folder: string,
  { tables, hasMedia, files }: Manifest,
  sealed: SealedFiles | undefined,
): Promise<void> {
  for (const { file, sha256 } of tables) {
    if ((await hashOf(join(folder, TABLES, file)).catch(() => '')) !== sha256)
      throw new UsageError(`${folder}/${TABLES}/${file} is damaged or missing.`);
  }
  for (const { name, sha256 } of files) {
    if ((await hashOf(join(folder, name)).catch(() => '')) !== sha256)
      throw new UsageError(`${folder}/${name} is damaged or missing.`);
  }
  if (!sealed) return;
  for (const name of hasMedia ? ['media', 'heads'] : ['heads']) await checkFolder(folder, name, sealed);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A backup from before a key rotation can be used while the previous key is set. */
const previousKeysOf = ({ previousMasterKey, previousHmacKey }: Settings): Partial<Manifest['keys']> => ({
  ...(previousMasterKey && { master: keyFingerprint('master', previousMasterKey) }),
  ...(previousHmacKey && { hmac: keyFingerprint('hmac', previousHmacKey) }),
});

function assertCompatible(manifest: Manifest, settings: Settings): void {
  const own = migrations.map(({ name }) => name);
  if (manifest.migrations.join() !== own.join())
    throw new UsageError(
      `The backup was made by another version of Nimo (schema ${manifest.migrations.at(-1) ?? ''}, here ${own.at(-1) ?? ''}). Restore it with that version, then upgrade.`,
    );
  const here = keysOf(settings);
  const settingOf = { master: 'NIMO_MASTER_KEY', hmac: 'NIMO_HMAC_KEY', log: 'LOG_SIGNING_KEY' } as const;
  for (const name of ['master', 'hmac', 'log'] as const) {
    if (manifest.keys[name] !== here[name] && manifest.keys[name] !== previousKeysOf(settings)[name])
      throw new UsageError(`${settingOf[name]} is not the key the backup was made with. Set it to that key.`);
  }
  if (manifest.hasLog !== (settings.eventStoreUrl === undefined))
    throw new UsageError(
      manifest.hasLog
        ? 'The backup includes the log: unset EVENTSTORE_URL, and move the log with nimo log copy after the restore.'
        : 'The log was in EventStoreDB: restore it there, and set EVENTSTORE_URL.',
    );
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
