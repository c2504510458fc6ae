import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, errorCode, onPath } from './embedded-postgres-error.js';
import type { NativeFiles } from './native-files.js';
import type { OperatingUser } from './operating-user.js';
import type { ServerHome } from './server-home.js';

export const SUPERUSER = 'nimo';
const MAJOR_VERSION = '18';

/**
 * Texts sort by code point with PostgreSQL's own rules, so in the same order on every machine. The C library only classifies
 * characters for the full-text parser: without a UTF-8 locale it takes « and the no-break space for letters.
 */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const CHARACTER_CLASSES = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'C'];

const run = promisify(execFile);

export async function ensureCluster(
  native: NativeFiles,
  home: ServerHome,
  user: OperatingUser,
): Promise<void> {
  if (!existsSync(join(home.cluster, 'PG_VERSION'))) return createCluster(native, home, user);
  const version = (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version === MAJOR_VERSION) return;
  throw new EmbeddedPostgresError(
    `${home.cluster} was made by PostgreSQL ${version} and this is ${MAJOR_VERSION}; dump it with the old version and restore it with this one.`,
  );
}

/** Made aside and moved into place whole: a crash half-way leaves nothing behind, and of two processes one wins. */
async function createCluster(native: NativeFiles, home: ServerHome, user: OperatingUser): Promise<void> {
  const unfinished = await onPath(home.folder, () => mkdtemp(join(home.folder, 'creating-')));
  try {
    if (user.isOther) await chown(unfinished, user.uid, user.gid);
    const cluster = join(unfinished, 'cluster');
    await initdb(native, cluster, user);
    await rename(cluster, home.cluster).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function initdb(native: NativeFiles, cluster: string, user: OperatingUser): Promise<void> {
  const failures: string[] = [];
  for (const classes of CHARACTER_CLASSES) {
    const failure = await tryInitdb(native, cluster, user, `--lc-ctype=${classes}`);
    if (failure === undefined) return;
    failures.push(failure);
    if (!failure.includes('locale')) break;
  }
  throw new EmbeddedPostgresError(`PostgreSQL could not create its data: ${failures.at(-1) ?? 'unknown'}`);
}

async function tryInitdb(
  native: NativeFiles,
  cluster: string,
  user: OperatingUser,
  characterClasses: string,
): Promise<string | undefined> {
  const identity = user.isOther ? { uid: user.uid, gid: user.gid } : {};
  try {
    await run(
      native.initdb,
      ['-D', cluster, '-U', SUPERUSER, '--auth=trust', '--no-instructions', ...LOCALE, characterClasses],
      { ...identity, cwd: '/', env: {} },
    );
    return undefined;
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    return lastLine(error);
  }
}

function lastLine(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const lines = output.split('\n').filter((line) => /error|fatal|panic|could not/i.test(line));
  return lines.at(-1)?.trim() ?? (error instanceof Error ? error.message : String(error));
}
