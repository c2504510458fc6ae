import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { backUpAgain, scheduleOf } from './schedule.js';

const HOUR = 3_600_000;
let folder: string;
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-schedule-'));
  now = Date.UTC(2026, 10, 21, 3);
});
afterEach(() => rm(folder, { recursive: true }));

/** Goes on until the waits are used up. @returns how long each was, and what was told */
async function rounds(count: number, { keep = 2, fails = false } = {}) {
  const [waited, told]: [number[], string[]] = [[], []];
  const ended = backUpAgain(
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
      tell: (text) => told.push(text),
    },
  );
  await expect(ended).rejects.toThrow('ended');
  return { waited, told };
}

describe('back-ups on a schedule', () => {
  it('are made at once and then in time, and the oldest go', async () => {
    await mkdir(join(folder, 'mine'));
    const { waited } = await rounds(3);
    expect(waited).toEqual([24 * HOUR, 24 * HOUR, 24 * HOUR]);
    expect((await readdir(folder)).sort()).toEqual([
      'mine',
      'nimo-2026-11-23T03-00-00Z',
      'nimo-2026-11-24T03-00-00Z',
    ]);
  });

  it('wait for their time after a new start', async () => {
    await mkdir(join(folder, 'nimo-2026-11-21T01-00-00Z'));
    const { waited } = await rounds(1);
    expect(waited).toEqual([22 * HOUR]);
  });

  it('are tried again soon where one fails, and then none goes', async () => {
    await mkdir(join(folder, 'nimo-2026-11-01T01-00-00Z'));
    const { waited, told } = await rounds(2, { keep: 1, fails: true });
    expect(waited).toEqual([HOUR / 6, HOUR / 6]);
    expect(told).toEqual(Array<string>(3).fill('No back-up was made: the disk is full'));
    expect(await readdir(folder)).toEqual(['nimo-2026-11-01T01-00-00Z']);
  });

  it('are asked for by hours', () => {
    expect(scheduleOf({ to: folder })).toBeUndefined();
    expect(scheduleOf({ to: folder, every: '24' })).toEqual({ folder, everyMs: 24 * HOUR, keep: 14 });
    expect(scheduleOf({ to: folder, every: '1', keep: '3' })).toMatchObject({ keep: 3 });
    for (const every of ['0', '-1', 'day', '1.5', '1000'])
      expect(() => scheduleOf({ to: folder, every })).toThrow('--every must be');
    expect(() => scheduleOf({ to: folder, every: '1', keep: '0' })).toThrow('--keep must be');
    expect(() => scheduleOf({ to: folder, keep: '1' })).toThrow('--keep goes with --every');
  });
});
