import type { ClaimHasher } from '../personal-data/claim-hash.js';
import { type Taken, Throttles } from './throttles.js';

/** Subjects are phones, addresses and ids: what is stored is their keyed hash, behind the name of the limit. */
export class HashedThrottles extends Throttles {
  constructor(
    private readonly stored: Throttles,
    private readonly hasher: ClaimHasher,
  ) {
    super();
  }

  take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const nameEnds = key.indexOf(':');
    const name = key.slice(0, nameEnds);
    const subject = this.hasher.hashSecret('throttle', name, key.slice(nameEnds + 1));
    return this.stored.take(`${name}:${subject.toString('base64url')}`, limit);
  }
}
