import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runSchedule, scheduleOf } from './schedule.js';

const HOUR = 3_600_000;
let folder: string;
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-schedule-'));
  now = Date.UTC(2026, 10, 21, 3);
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the schedule for that many waits. @returns their durations and the reports */
async function rounds(count: number, { keep = 2, fails = false } = {}) {
  const [waited, reports]: [number[], string[]] = [[], []];
  const ended = runSchedule(
    { folder, everyMs: 24 * HOUR, keep },
    {
      make: async (to) => {
        if (fails) throw new Error('the disk is full');
        await mkdir(to);
      },
      now: () => new Date(now),
      wait: (ms) => {
        if (waited.length === count) return Promise.reject(new Error('ended'));
        waited.push(ms);
        now += ms;
        return Promise.resolve();
      },
      report: (text) => reports.push(text),
    },
  );
  await expect(ended).rejects.toThrow('ended');
  return { waited, reports };
}

describe('scheduled backups', () => {
  it('start immediately, keep the interval, and remove the oldest', async () => {
    await mkdir(join(folder, 'mine'));
    const { waited } = await rounds(3);
    expect(waited).toEqual([24 * HOUR, 24 * HOUR, 24 * HOUR]);
    expect((await readdir(folder)).sort()).toEqual([
      'mine',
      'nimo-2026-11-23T03-00-00Z',
      'nimo-2026-11-24T03-00-00Z',
    ]);
  });

  it('keep the interval after a restart', async () => {
    await mkdir(join(folder, 'nimo-2026-11-21T01-00-00Z'));
    const { waited } = await rounds(1);
    expect(waited).toEqual([22 * HOUR]);
  });

  it('are retried soon after a failure, and remove nothing', async () => {
    await mkdir(join(folder, 'nimo-2026-11-01T01-00-00Z'));
    const { waited, reports } = await rounds(2, { keep: 1, fails: true });
    expect(waited).toEqual([HOUR / 6, HOUR / 6]);
    expect(reports).toEqual(Array<string>(3).fill('Backup failed: the disk is full'));
    expect(await readdir(folder)).toEqual(['nimo-2026-11-01T01-00-00Z']);
  });

  it('accept a whole number of hours and of backups to keep', () => {
    expect(scheduleOf({ to: folder })).toBeUndefined();
    expect(scheduleOf({ to: folder, every: '24' })).toEqual({ folder, everyMs: 24 * HOUR, keep: 14 });
    expect(scheduleOf({ to: folder, every: '1', keep: '3' })).toMatchObject({ keep: 3 });
    for (const every of ['0', '-1', 'day', '1.5', '1000'])
      expect(() => scheduleOf({ to: folder, every })).toThrow('--every must be');
    expect(() => scheduleOf({ to: folder, every: '1', keep: '0' })).toThrow('--keep must be');
    expect(() => scheduleOf({ to: folder, keep: '1' })).toThrow('--keep needs --every');
  });
});
