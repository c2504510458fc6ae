import { execFileSync, spawnSync } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** PostgreSQL refuses to run as root; there it runs as `nobody`. */
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

/** Asked of the system itself, because modes alone do not tell: access lists and mounts have their say. */
export function canReach(user: OperatingUser, folder: string): boolean {
  if (!user.isOther) return true;
  const check = spawnSync('test', ['-x', folder], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  if (check.error !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL must not run as root, and root may not start it as "nobody" here (${check.error.message}); start Nimo as an ordinary user.`,
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
      'PostgreSQL must not run as root and there is no user "nobody" to run it as.',
    );
  }
}
