import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../failure.js';

const HOUR_MS = 3_600_000;
/** After a round that failed; the alarm goes by the age of the newest one. */
const AGAIN_AFTER_MS = 10 * 60_000;
const KEPT_UNLESS_SAID = 14;
/** Named by the second it was begun, in UTC: what sorts by name sorts by age. */
const NAME = /^nimo-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

export interface Schedule {
  /** Where back-ups lie, each in a folder of its own. */
  readonly folder: string;
  readonly everyMs: number;
  readonly keep: number;
}

export interface Scheduling {
  readonly make: (to: string) => Promise<void>;
  readonly now: () => Date;
  /** Rejects when it is time to end. */
  readonly wait: (ms: number) => Promise<void>;
  readonly tell: (text: string) => void;
}

/** Undefined where one back-up is asked for. */
export function scheduleOf(flags: {
  readonly to: string;
  readonly every?: string;
  readonly keep?: string;
}): Schedule | undefined {
  const { every, keep } = flags;
  if (every === undefined) {
    if (keep !== undefined) throw new UsageError('--keep goes with --every.');
    return undefined;
  }
  return {
    folder: resolve(flags.to),
    everyMs: wholeOf('--every', every, 24 * 31) * HOUR_MS,
    keep: keep === undefined ? KEPT_UNLESS_SAID : wholeOf('--keep', keep, 10_000),
  };
}

function wholeOf(flag: string, text: string, most: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new UsageError(`${flag} must be a whole number from 1 to ${most}.`);
  return value;
}

/** Until it is told to end. A start soon after the last one waits for its time, and a round that fails takes nothing away. */
export async function backUpAgain(schedule: Schedule, scheduling: Scheduling): Promise<never> {
  const { folder, everyMs, keep } = schedule;
  const { make, now, wait, tell } = scheduling;
  for (;;) {
    const newest = (await madeIn(folder)).at(-1);
    const due = newest === undefined ? 0 : timeOf(newest) + everyMs - now().getTime();
    if (due > 0) await wait(due);
    try {
      await make(join(folder, nameAt(now())));
    } catch (error) {
      tell(`No back-up was made: ${error instanceof Error ? error.message : String(error)}`);
      await wait(Math.min(AGAIN_AFTER_MS, everyMs));
      continue;
    }
    for (const old of (await madeIn(folder)).slice(0, -keep)) {
      await rm(join(folder, old), { recursive: true, force: true });
      tell(`Removed ${old}: ${keep} are kept.`);
    }
  }
}

const nameAt = (at: Date): string => `nimo-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

function timeOf(name: string): number {
  const [, ...parts] = NAME.exec(name) ?? [];
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

/** Finished ones that this made, oldest first; nothing else in that folder is looked at. */
async function madeIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => name)
    .sort();
}
