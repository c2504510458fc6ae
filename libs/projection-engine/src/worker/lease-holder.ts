import type { Checkpoint, Lease } from '../bookkeeping/leases.js';
import type { Generation } from '../generations/generations.js';

/** What the table says of a run, look by look. A run that waits for events would notice nothing of it. */
export class LeaseWatch {
  readonly #lease: Lease;
  #run: { readonly checkpoint: Checkpoint } | undefined;
  #last: string | undefined;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  follows(run: { readonly checkpoint: Checkpoint }): void {
    this.#run = run;
    this.#last = undefined;
  }

  /**
   * False where the lease went to another, or where the run is not where the table is: a crash took back what was committed without the
   * disk, and what is followed from memory leaves that out.
   */
  isInOffice({ owner, epoch, position }: Generation): boolean {
    if (owner !== this.#lease.owner || epoch !== this.#lease.epoch) return false;
    const own = this.#run?.checkpoint.position;
    // Between a commit and its answer they differ for a moment: only what stays so in two looks is wrong.
    const seen = own === undefined || own === position ? undefined : `${String(own)} ${String(position)}`;
    const isAstray = seen !== undefined && seen === this.#last;
    this.#last = seen;
    return !isAstray;
  }
}
