import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { key } from './setting.js';
import { SettingsError } from './settings-error.js';

export interface Keys {
  readonly masterKey: Buffer;
  readonly hmacKey: Buffer;
  readonly signingKey: Buffer;
}

export const keyNames = ['masterKey', 'hmacKey', 'signingKey'] as const satisfies readonly (keyof Keys)[];

const keyFile = z.object({ masterKey: key.schema, hmacKey: key.schema, signingKey: key.schema });

const logKeyFile = z.object({ logSigningKey: key.schema });

/** The key that signs log heads, generated on first use and stored in `<data>/log-key.json`. */
export function generatedLogKey(dataDir: string): Buffer {
  const path = join(dataDir, 'log-key.json');
  return loadOrCreate(path, () => {
    if (!existsSync(path)) writeKeys(dataDir, path, ['logSigningKey']);
    return logKeyFile.parse(JSON.parse(readFileSync(path, 'utf8'))).logSigningKey;
  });
}

/** The keys of an embedded installation, generated at the first start and stored in `<data>/keys.json`. */
export function generatedKeys(dataDir: string): Keys {
  const path = join(dataDir, 'keys.json');
  return loadOrCreate(path, () => {
    if (!existsSync(path)) createKeys(dataDir, path);
    return keyFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  });
}

function loadOrCreate<Made>(path: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const reason =
      error instanceof z.ZodError || error instanceof SyntaxError ? 'is damaged' : fileProblem(error);
    throw new SettingsError(`The keys in ${path} cannot be used: ${reason}.`, { cause: error });
  }
}

function createKeys(dataDir: string, path: string): void {
  if (existsSync(join(dataDir, 'postgres', 'server', 'cluster'))) {
    throw new SettingsError(
      `${path} is missing, but the database exists: restore the file from a back-up to decrypt personal data.`,
    );
  }
  writeKeys(dataDir, path, keyNames);
}

function writeKeys(dataDir: string, path: string, names: readonly string[]): void {
  mkdirSync(dataDir, { recursive: true });
  const keys = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('base64')]));
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 });
  try {
    // Unlike a rename, a link never replaces the keys of a faster process.
    linkSync(unfinished, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function fileProblem(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
