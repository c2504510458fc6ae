import { randomInt } from 'node:crypto';

/** The seed of `npm test`, so that every run is the same run. `npm run test:all` sets NIMO_RANDOM_SEEDS. */
const FIXED_SEED = 20_261_125;

export const hasRandomSeeds = process.env['NIMO_RANDOM_SEEDS'] === '1';

/** Fixed in `npm test`, random in `npm run test:all`; a setting repeats the run that a failure named. */
function seedOf(setting: string): number {
  const given = process.env[setting];
  if (given !== undefined) return Number(given);
  return hasRandomSeeds ? randomInt(1_000_000) : FIXED_SEED;
}

/** Seed of a random history. */
export const historySeed = (): number => seedOf('NIMO_HISTORY_SEED');

/** Seed of the random commands given to an event store. */
export const commandsSeed = (): number => seedOf('NIMO_COMMANDS_SEED');

/** Seed of a run under faults. It repeats the order of the faults, not their exact moments. */
export const faultsSeed = (): number => seedOf('NIMO_FAULTS_SEED');

/** Seed of properties checked with fast-check. */
export const propertiesSeed = (): number => seedOf('NIMO_PROPERTIES_SEED');
