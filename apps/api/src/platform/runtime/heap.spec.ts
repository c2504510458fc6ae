import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** What survives for a while and is garbage then, as requests that wait leave it; beside something that stays. */
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

async function mostOf(kind: 'small' | 'as V8 has it'): Promise<number> {
  const options = ['--import', './scripts/typescript.mjs', '--input-type=module', '--eval', PROGRAM, kind];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return Number(stdout) / 1024 / 1024;
}

describe('the heap of the api', () => {
  it('stays close to what is in use', async () => {
    const [small, other] = await Promise.all([mostOf('small'), mostOf('as V8 has it')]);
    expect(small).toBeGreaterThan(10);
    expect(small / other).toBeLessThan(0.75);
  }, 60_000);
});
