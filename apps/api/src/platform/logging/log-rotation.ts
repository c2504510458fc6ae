import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;
export const LOG_RETENTION_DAYS = 14;
const MAX_BYTES = 20_000_000;
/** Held open by the database server. */
const SERVER_LOG = 'postgres.log';

/**
 * Rotates a log that is a day old or too large, and deletes logs not written to for fourteen days. Tolerates other processes rotating in
 * the same folder.
 * @returns whether `<name>.log` is missing, so that its writer must reopen it
 */
export function rotateLogs(folder: string, name: string, now = new Date()): boolean {
  const path = join(folder, `${name}.log`);
  if (isDue(path, now)) {
    const stamp = now.toISOString().replace(/[-:.]/g, '');
    ignoreMissing(() => renameSync(path, join(folder, `${name}.${stamp}.log`)));
  }
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.log') || file === SERVER_LOG) continue;
    ignoreMissing(() => {
      const { mtimeMs } = statSync(join(folder, file));
      if (now.getTime() - mtimeMs > LOG_RETENTION_DAYS * DAY_MS) rmSync(join(folder, file));
    });
  }
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function isDue(path: string, now: Date): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.size === 0) return false;
  if (stat.size > MAX_BYTES) return true;
  // From the first line, since not every file system records creation times.
  const begun = /"time":"([^"]+)"/.exec(firstBytes(path))?.[1];
  return begun !== undefined && now.getTime() - Date.parse(begun) > DAY_MS;
}

function firstBytes(path: string): string {
  const bytes = Buffer.alloc(1_000);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function ignoreMissing(act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
