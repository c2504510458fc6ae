import { byOrdinal } from '../log-heads.js';
import type { SignedHead, HeadWitness, HeadsRead } from '../signed-head.js';

/** A place outside of the machine, as a list. */
export class HeadList implements HeadWitness {
  readonly name = 'the place outside';
  heads: SignedHead[] = [];
  isAway = false;

  append(heads: readonly SignedHead[]): Promise<void> {
    this.answer();
    this.heads = [...this.heads, ...heads].sort(byOrdinal);
    return Promise.resolve();
  }

  read(after = 0, limit = Infinity): Promise<HeadsRead> {
    this.answer();
    const heads = this.heads.filter(({ ordinal }) => ordinal > after).slice(0, limit);
    return Promise.resolve({ heads, damagedLines: 0 });
  }

  last(): Promise<HeadsRead> {
    return this.read();
  }

  private answer(): void {
    if (this.isAway) throw new Error('the place outside does not answer');
  }
}
