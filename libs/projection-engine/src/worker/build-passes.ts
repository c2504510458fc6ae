import { type Builder, BuildPass, type BuildPassOptions, type Carried, type Landing } from './build-pass.js';

/** As far apart as two may be whatever is left for them. */
const NEAR = 20_000;

export interface BuildPassesOptions extends BuildPassOptions {
  /** How many events there are, as far as it is known. */
  readonly lengthOfLog: () => number;
}

export interface Travelling extends Carried {
  /** Nobody waits for it: what is built beside that which serves. */
  readonly isPatient: boolean;
}

/**
 * Who goes along the log with whom. Two go together where the one that is ahead waits no longer for the other than it has left to go;
 * and what serves never waits for what does not.
 */
export class BuildPasses {
  readonly #options: BuildPassesOptions;
  readonly #passes = { patient: new Set<BuildPass>(), urgent: new Set<BuildPass>() };

  constructor(options: BuildPassesOptions) {
    this.#options = options;
  }

  carry(builder: Builder, { isPatient, ...carried }: Travelling): Promise<Landing> {
    const passes = this.#passes[isPatient ? 'patient' : 'urgent'];
    for (const pass of passes) if (pass.reader === undefined) passes.delete(pass);
    const fitting = [...passes].find(
      ({ reader }) =>
        reader && goTogether(reader.ordinal, builder.checkpoint.ordinal, this.#options.lengthOfLog()),
    );
    const { pace, ...options } = this.#options;
    const pass = fitting ?? new BuildPass({ ...options, ...(isPatient && { pace }) });
    passes.add(pass);
    return pass.carry(builder, carried);
  }
}

/** @param one, other events that each has passed */
export function goTogether(one: number, other: number, lengthOfLog: number): boolean {
  const left = lengthOfLog - Math.max(one, other);
  return Math.abs(one - other) <= Math.max(left, NEAR);
}
