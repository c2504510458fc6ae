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
import { keyPrint } from '../../platform/personal-data/key-uses.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { migrations } from '../../platform/database/migrations.js';
import { UsageError } from '../failure.js';
import { isThere } from '../new-file.js';
import { checkFolder } from './folders.js';
import { SEALED, SealedFiles } from './sealed-files.js';

const FORMAT = 'nimo-backup-v1';
const FILE = 'manifest.json';
export const TABLES = 'tables';

const savedTable = z.object({
  /** With its schema. */
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
  /** Pictures and signed heads. */
  files: z.array(savedFile),
});
export type Manifest = z.infer<typeof manifest>;

const keysOf = (settings: Settings): Manifest['keys'] => ({
  master: keyPrint('master', settings.masterKey),
  hmac: keyPrint('hmac', settings.hmacKey),
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
  made: Manifest,
  sealed: SealedFiles | undefined,
): Promise<void> {
  const text = `${JSON.stringify(made, null, 2)}\n`;
  const options = { mode: 0o600, flush: true };
  if (!sealed) return writeFile(join(folder, FILE), text, options);
  const to = createWriteStream(join(folder, FILE + SEALED), options);
  await pipeline(Readable.from([Buffer.from(text)]), sealed.sealing(FILE), to);
}

export interface OpenedBackup {
  readonly manifest: Manifest;
  /** Where the back-up is encrypted. */
  readonly sealed: SealedFiles | undefined;
}

/** @throws UsageError where it is no back-up, is damaged, or does not fit this version or these keys */
export async function openBackup(folder: string, settings: Settings): Promise<OpenedBackup> {
  const sealedFile = join(folder, FILE + SEALED);
  const sealed = (await isThere(sealedFile))
    ? await SealedFiles.of(sealedFile, settings.backupKey)
    : undefined;
  const read = sealed ? readSealed(sealedFile, sealed) : readFile(join(folder, FILE), 'utf8');
  const text = await read.catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${folder} has no ${FILE}: it is no back-up, or one that was not finished.`);
  });
  const parsed = manifest.safeParse(jsonOf(text));
  if (!parsed.success) throw new UsageError(`${folder}/${FILE} is not one of this version of Nimo.`);
  assertFits(parsed.data, settings);
  await assertWhole(folder, parsed.data, sealed);
  return { manifest: parsed.data, sealed };
}

/** Whether signed heads are in the database and none in the folder: a log and its chain that were changed together would not be found. */
export const lacksHeads = ({ tables, files }: Pick<Manifest, 'tables' | 'files'>): boolean =>
  !files.some(({ name }) => name.startsWith('heads/')) &&
  tables.some(({ name, rows }) => name === 'log.signed_heads' && rows > 0);

export const LACKS_HEADS_TEXT =
  'WITNESS: It has NO signed heads, though the database has some: the heads folder (LOG_HEADS_DIR) was empty or missing. Bring the heads back from another witness.';

async function readSealed(path: string, sealed: SealedFiles): Promise<string> {
  return streamText(createReadStream(path).compose<Duplex>(sealed.opening(FILE)));
}

async function assertWhole(
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

/** A back-up from before a key rotated is good while the former key is set. */
const formerOf = ({ masterKeyFormer, hmacKeyFormer }: Settings): Partial<Manifest['keys']> => ({
  ...(masterKeyFormer && { master: keyPrint('master', masterKeyFormer) }),
  ...(hmacKeyFormer && { hmac: keyPrint('hmac', hmacKeyFormer) }),
});

function assertFits(made: Manifest, settings: Settings): void {
  const own = migrations.map(({ name }) => name);
  if (made.migrations.join() !== own.join())
    throw new UsageError(
      `It was made by another version of Nimo (database ${made.migrations.at(-1) ?? ''}, here ${own.at(-1) ?? ''}): restore it with that one and update then.`,
    );
  const here = keysOf(settings);
  const settingOf = { master: 'NIMO_MASTER_KEY', hmac: 'NIMO_HMAC_KEY', log: 'LOG_SIGNING_KEY' } as const;
  for (const name of ['master', 'hmac', 'log'] as const) {
    if (made.keys[name] !== here[name] && made.keys[name] !== formerOf(settings)[name])
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
