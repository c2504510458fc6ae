import type { ClaimHasher } from '../personal-data/claim-hash.js';
import { type Taken, Throttles } from './throttles.js';

/**
 * Subjects are phones, addresses and ids: what is stored is their keyed hash, behind the name of the limit. While the key rotates, the window
 * under the former one is counted on: a new key gives nobody a fresh window.
 */
export class HashedThrottles extends Throttles {
  constructor(
    private readonly stored: Throttles,
    private readonly hasher: ClaimHasher,
  ) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const nameEnds = key.indexOf(':');
    const name = key.slice(0, nameEnds);
    const given = ['throttle', name, key.slice(nameEnds + 1)] as const;
    const former = this.hasher.formerSecret(...given);
    const taken = await this.takeOf(name, this.hasher.hashSecret(...given), limit);
    if (former === undefined) return taken;
    const before = await this.takeOf(name, former, limit);
    return { used: Math.max(taken.used, before.used), leftMs: Math.max(taken.leftMs, before.leftMs) };
  }

  private takeOf(name: string, subject: Buffer, limit: Parameters<Throttles['take']>[1]): Promise<Taken> {
    return this.stored.take(`${name}:${subject.toString('base64url')}`, limit);
  }
}
