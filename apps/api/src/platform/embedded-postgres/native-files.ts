import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError, errorCode, onPath } from './embedded-postgres-error.js';
import { canReach, type OperatingUser } from './operating-user.js';

export interface NativeFiles {
  readonly initdb: string;
  readonly postgres: string;
}

const packageFile = z.object({ version: z.string() });
const linksFile = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The binaries out of the npm package, copied next to the data when the server's user cannot reach them (a project under /root)
 * or when their library links are missing and cannot be made (installed with --ignore-scripts, now read-only).
 */
export async function nativeFiles(user: OperatingUser, home: string): Promise<NativeFiles> {
  const root = packageRoot();
  const inPackage = join(root, 'native');
  if (canReach(user, inPackage) && (await hasLinks(inPackage))) return filesIn(inPackage);
  const { version } = packageFile.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const copy = join(home, `native-${version}`);
  if (!existsSync(copy)) await onPath(home, () => copyWhole(inPackage, copy));
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
      `There is no PostgreSQL to run: the package ${name} is not installed; install it or set DATABASE_URL.`,
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

/** What the package's install script does; npm does not run it with --ignore-scripts. */
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

/** Other processes may copy at the same time: the first complete copy wins. */
async function copyWhole(from: string, to: string): Promise<void> {
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
