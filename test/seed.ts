import { randomInt } from 'node:crypto';

/** Another one in each run. The setting repeats the run of a seed that a failure named. */
function seedOf(setting: string): number {
  const given = process.env[setting];
  return given === undefined ? randomInt(1_000_000) : Number(given);
}

/** Of a random history. */
export const historySeed = (): number => seedOf('NIMO_HISTORY_SEED');

/** Of sequences of commands to an event store. */
export const commandsSeed = (): number => seedOf('NIMO_COMMANDS_SEED');

/** Of a run under faults. The moments within the processes are never quite the same. */
export const faultsSeed = (): number => seedOf('NIMO_FAULTS_SEED');
