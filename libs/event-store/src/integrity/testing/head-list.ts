import { byOrdinal } from '../log-heads.js';
import type { SignedHead, ExternalCheckpoint, HeadsRead } from '../signed-head.js';

/** An external checkpoint in memory. */
export class HeadList implements ExternalCheckpoint {
  readonly name = 'the external list';
  heads: SignedHead[] = [];
  isUnavailable = false;

  append(heads: readonly SignedHead[]): Promise<void> {
    this.assertAvailable();
    this.heads = [...this.heads, ...heads].sort(byOrdinal);
    return Promise.resolve();
  }

  read(after = 0, limit = Infinity): Promise<HeadsRead> {
    this.assertAvailable();
    const heads = this.heads.filter(({ ordinal }) => ordinal > after).slice(0, limit);
    return Promise.resolve({ heads, damagedLines: 0 });
  }

  last(): Promise<HeadsRead> {
    return this.read();
  }

  private assertAvailable(): void {
    if (this.isUnavailable) throw new Error('the external list is unavailable');
  }
}
