import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../failure.js';

const HOUR_MS = 3_600_000;
/** After a failed backup. Alerts go by the age of the newest backup. */
const RETRY_DELAY_MS = 10 * 60_000;
const DEFAULT_KEEP = 14;
/** Start time in UTC, so that names sort by age. */
const NAME = /^nimo-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

export interface Schedule {
  /** Holds one subfolder per backup. */
  readonly folder: string;
  readonly everyMs: number;
  readonly keep: number;
}

export interface ScheduleHooks {
  readonly make: (to: string) => Promise<void>;
  readonly now: () => Date;
  /** Rejects when the process is to stop. */
  readonly wait: (ms: number) => Promise<void>;
  readonly report: (text: string) => void;
}

/** Parses `--every` and `--keep`. Undefined for a single backup. @throws UsageError */
export function scheduleOf(flags: {
  readonly to: string;
  readonly every?: string;
  readonly keep?: string;
}): Schedule | undefined {
  const { every, keep } = flags;
  if (every === undefined) {
    if (keep !== undefined) throw new UsageError('--keep needs --every.');
    return undefined;
  }
  return {
    folder: resolve(flags.to),
    everyMs: parseWholeNumber('--every', every, 24 * 31) * HOUR_MS,
    keep: keep === undefined ? DEFAULT_KEEP : parseWholeNumber('--keep', keep, 10_000),
  };
}

function parseWholeNumber(flag: string, text: string, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new UsageError(`${flag} must be a whole number from 1 to ${max}.`);
  return value;
}

/** Makes backups until `wait` rejects. Keeps the interval across restarts, and removes old backups only after a new one succeeds. */
export async function runSchedule(schedule: Schedule, hooks: ScheduleHooks): Promise<never> {
  const { folder, everyMs, keep } = schedule;
  const { make, now, wait, report } = hooks;
  for (;;) {
    const newest = (await finishedBackups(folder)).at(-1);
    const due = newest === undefined ? 0 : timeOf(newest) + everyMs - now().getTime();
    if (due > 0) await wait(due);
    try {
      await make(join(folder, nameAt(now())));
    } catch (error) {
      report(`Backup failed: ${error instanceof Error ? error.message : String(error)}`);
      await wait(Math.min(RETRY_DELAY_MS, everyMs));
      continue;
    }
    for (const old of (await finishedBackups(folder)).slice(0, -keep)) {
      await rm(join(folder, old), { recursive: true, force: true });
      report(`Removed ${old} (keeping ${keep}).`);
    }
  }
}

const nameAt = (at: Date): string => `nimo-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

function timeOf(name: string): number {
  const [, ...parts] = NAME.exec(name) ?? [];
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

/** Names of finished scheduled backups, oldest first. Ignores everything else in the folder. */
async function finishedBackups(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => name)
    .sort();
}
