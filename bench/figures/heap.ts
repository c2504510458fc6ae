import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchContext } from '../bench-context.js';
import { atMost, type Measurement } from '../report.js';
import { median } from '../sampling.js';

const ROOT = join(import.meta.dirname, '../..');
const MEBIBYTE = 1024 * 1024;
/** Of the heap that V8 allows itself without the setting. */
const MAX_SHARE = 0.75;

/** Short-lived garbage, as waiting requests leave it, beside objects that stay. */
const PROGRAM = `
  import { keepHeapSmall } from './apps/api/src/platform/runtime/heap.ts';
  if (process.argv[1] === 'small') keepHeapSmall();
  const stays = Array.from({ length: 800_000 }, (_, n) => ({ n, list: [n] }));
  const passing = [];
  let most = 0;
  for (let round = 0; round < 8_000_000; round += 1) {
    passing[round % 200_000] = { round, list: [round] };
    if (round % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  console.log(stays.length > 0 && most);
`;

/** Largest heap of a process under a burst, with and without the setting of the API. */
export async function measureHeap({ repeats }: BenchContext): Promise<readonly Measurement[]> {
  const small: number[] = [];
  const unset: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    small.push(await largestHeap('small'));
    unset.push(await largestHeap('unset'));
  }
  const value = median(small);
  const limit = median(unset);
  return [
    {
      figure: 'largest heap of the API in a burst',
      what: '800,000 objects that stay, 8,000,000 that pass',
      value,
      unit: 'MB',
      limit: { what: 'V8 without the setting', value: limit },
      goal: atMost(value, limit * MAX_SHARE, 'MB'),
    },
  ];
}

async function largestHeap(kind: 'small' | 'unset'): Promise<number> {
  const options = ['--import', './scripts/typescript.mjs', '--input-type=module', '--eval', PROGRAM, kind];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: ROOT });
  return Number(stdout) / MEBIBYTE;
}
