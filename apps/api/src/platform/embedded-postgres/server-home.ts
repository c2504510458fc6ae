import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, errorCode, onPath } from './embedded-postgres-error.js';
import { canReach, type OperatingUser } from './operating-user.js';

const ROOTS_OWN_DATA = '/var/lib/nimo';

export interface ServerHome {
  /** Ours: who is attached. */
  readonly attached: string;
  /** The server's: its data, and the binaries when they had to be copied. */
  readonly folder: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly log: string;
}

/**
 * `<data>/postgres`, or, where root's data folder is closed to the server's user, a folder under /var/lib that
 * `<data>/postgres/server` links to.
 */
export async function serverHome(dataFolder: string, user: OperatingUser): Promise<ServerHome> {
  const ours = join(dataFolder, 'postgres');
  const logs = join(dataFolder, 'logs');
  await onPath(dataFolder, async () => {
    await mkdir(ours, { recursive: true });
    await mkdir(logs, { recursive: true });
  });
  const real = await realpath(ours);
  const name = createHash('sha256').update(real).digest('hex').slice(0, 12);
  return {
    attached: join(real, 'attached'),
    ...(await serverFolder(real, user)),
    socketFolder: join('/tmp', `nimo-postgres-${name}`),
    log: join(await realpath(logs), 'postgres.log'),
  };
}

async function serverFolder(
  ours: string,
  user: OperatingUser,
): Promise<Pick<ServerHome, 'folder' | 'cluster'>> {
  const wanted = join(ours, 'server');
  if (!existsSync(wanted) && !canReach(user, ours)) await linkElsewhere(wanted);
  await onPath(wanted, () => mkdir(wanted, { recursive: true }));
  const folder = await realpath(wanted);
  if (user.isOther) await onPath(folder, () => chown(folder, user.uid, user.gid));
  return { folder, cluster: join(folder, 'cluster') };
}

/** A new folder each time: one that outlived its data folder must not come back to life. */
async function linkElsewhere(link: string): Promise<void> {
  const elsewhere = await onPath(ROOTS_OWN_DATA, async () => {
    await mkdir(ROOTS_OWN_DATA, { recursive: true });
    await chmod(ROOTS_OWN_DATA, 0o711);
    return mkdtemp(join(ROOTS_OWN_DATA, 'server-'));
  });
  await symlink(elsewhere, link).catch(async (error: unknown) => {
    await rm(elsewhere, { recursive: true });
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/** Short, because a socket's path may have 104 bytes; in /tmp, so anybody may have taken the name before us. */
export async function makeSocketFolder(path: string, user: OperatingUser): Promise<void> {
  try {
    await onPath(path, () => mkdir(path, { mode: 0o700 }));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(path);
  if (!found.isDirectory() || ![user.uid, process.getuid?.()].includes(found.uid)) {
    throw new EmbeddedPostgresError(
      `${path} belongs to somebody else; remove it, PostgreSQL needs it for its socket.`,
    );
  }
  if (user.isOther) await chown(path, user.uid, user.gid);
  await chmod(path, 0o700);
}
