import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;
export const LOG_LIFE_DAYS = 14;
const MAX_BYTES = 20_000_000;
/** The database server holds its own open. */
const NOT_OURS = 'postgres.log';

/**
 * Puts a log aside that is a day old or too long, and removes what nobody wrote to for fourteen days. Names of others that came first
 * are no error: several processes may share the folder.
 * @returns whether `<name>.log` is gone from its place, so that whoever writes it opens a new one
 */
export function rotateLogs(folder: string, name: string, now = new Date()): boolean {
  const path = join(folder, `${name}.log`);
  if (isDue(path, now)) {
    const stamp = now.toISOString().replace(/[-:.]/g, '');
    quietly(() => renameSync(path, join(folder, `${name}.${stamp}.log`)));
  }
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.log') || file === NOT_OURS) continue;
    quietly(() => {
      const { mtimeMs } = statSync(join(folder, file));
      if (now.getTime() - mtimeMs > LOG_LIFE_DAYS * DAY_MS) rmSync(join(folder, file));
    });
  }
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function isDue(path: string, now: Date): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.size === 0) return false;
  if (stat.size > MAX_BYTES) return true;
  // Of the first line: not every file system knows when a file was made.
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

function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
