import { randomInt } from 'node:crypto';

/** Of a random history, another one in each run. The setting repeats the run of a seed that a failure named. */
export function historySeed(): number {
  const given = process.env['NIMO_HISTORY_SEED'];
  return given === undefined ? randomInt(1_000_000) : Number(given);
}
